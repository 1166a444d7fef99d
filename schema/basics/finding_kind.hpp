#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace cacheledger {

/// The kinds of findings (table finding) that the ingester writes, sorted.
inline constexpr std::array<std::string_view, 17> finding_kinds = {
    "category-mismatch", "compiler-missing",  "hash-conflict",      "layout-mismatch",
    "meta-mismatch",     "meta-missing",      "more-findings",      "page-duplicate",
    "page-unreadable",   "spec-files-unread", "spec-name-mismatch", "tag-mismatch",
    "tarball-mismatch",  "time-unreadable",   "title-mismatch",     "trailing-text",
    "unknown-field",
};

/// One of them. A word that is not among them does not compile, so that whoever asks for a kind by
/// its name can be told which there are.
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
