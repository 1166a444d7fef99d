#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace cacheledger {

/// The kinds of findings (table finding) that the program writes, sorted.
inline constexpr std::array<std::string_view, 28> finding_kinds = {
    "binary-missing",     "binary-unlisted",   "category-mismatch",  "compiler-missing",
    "dependency-missing", "external-unused",   "file-unreadable",    "hash-conflict",
    "index-stale",        "label-unreadable",  "layout-mismatch",    "meta-mismatch",
    "meta-missing",       "more-findings",     "page-duplicate",     "page-unreadable",
    "size-unreadable",    "spec-files-unread", "spec-name-mismatch", "spec-unreadable",
    "tag-mismatch",       "tarball-mismatch",  "time-shared",        "time-unreadable",
    "title-mismatch",     "trailing-text",     "unknown-field",      "wish-list",
};

/// One word of finding_kinds. Any other word does not compile, so the list is complete: a user who
/// asks for an unknown kind gets all known ones.
class FindingKind {
  public:
    consteval FindingKind(const char* word) : word_(word) {
        if (std::ranges::find(finding_kinds, word_) == finding_kinds.end()) {
            throw "not in finding_kinds";
        }
    }

    constexpr std::string_view word() const { return word_; }

  private:
    std::string_view word_;
};

}  // namespace cacheledger
