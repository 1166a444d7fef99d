#include "ingest/rows/earlier/earlier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ingest/rows/specs/spec_rows.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr const char* none = "none";  // as Attributes have it

Attributes attributes_of(const Page& page, const SpecEntry& spec) {
    return {page.package,
            spec.version->text,
            spec.compiler == nullptr ? none : spec.compiler->spec,
            spec.arch->platform,
            spec.arch->os,
            spec.arch->target,
            spec.variants->text.empty() ? none : spec.variants->text};
}

std::optional<std::string> stacks_of(const SpecEntry& spec) {
    return text_of_shared(spec.stacks);
}

/// A package's page in one snapshot, as the ledger has it: its specs, its conflicts with first
/// readings, and its findings. Together they tell what the page said.
class StoredPage {
  public:
    /// `database` must outlive it.
    StoredPage(SQLite::Database& database, std::int64_t snapshot_id, std::int64_t page_id,
               const std::string& package)
        : database_(database), page_id_(page_id), package_(package) {
        for (auto&& [hash, stacks, size, name, version, compiler, platform, os, target, variants] :
             rows<std::string, std::optional<std::string>, std::optional<std::string>, std::string,
                  std::string, std::string, std::string, std::string, std::string, std::string>(
                 database,
                 "SELECT hash, stacks, size, package, version, ifnull(compiler, 'none'), platform, "
                 "os, "
                 "target, ifnull(nullif(variants, ''), 'none') FROM specs WHERE snapshot_id = ? "
                 "AND package = ?",
                 snapshot_id, package)) {
            specs_[hash] = {
                {name, version, compiler, platform, os, target, variants}, stacks, size};
        }
        for (auto&& [kind, detail] : rows<std::string, std::string>(
                 database, "SELECT kind, detail FROM finding WHERE page_id = ?", page_id)) {
            if (kind == "compiler-missing") {
                compiler_missing_ = detail;
            } else if (kind != "hash-conflict") {
                findings_.emplace_back(kind, detail);
            } else {
                conflicts_.insert(detail);
            }
        }
    }

    /// Whether `page`, of the same package, says the same. Spelling and order are not content. The
    /// findings of a page are content: they tell of what is not stored. A compiler or a size that
    /// `page` lacks may come from another page or index with this spec; it is a difference only if
    /// there is none.
    bool says(const Page& page) {
        if (page.specs.size() != specs_.size() || !has_findings(page)) {
            return false;
        }
        std::multiset<std::string> conflicts;
        std::vector<std::string> with_compilers;
        for (const SpecEntry& entry : page.specs) {
            const auto found = specs_.find(std::string(text_of(entry.hash)));
            if (found == specs_.end() || found->second.stacks != stacks_of(entry) ||
                differs_in_what_is_given(found->first, found->second, entry)) {
                return false;
            }
            const Spec& known = found->second;
            const Attributes given = attributes_of(page, entry);
            if (known.attributes[compiler_attribute] == none && entry.compiler != nullptr) {
                with_compilers.push_back(with_compiler(entry.hash, given));
            }
            leave_out_claims(entry.hash);
            if (const auto conflict = hash_conflict(entry.hash, known.attributes, given)) {
                conflicts.insert(conflict->detail());
            }
            if (entry.size != nullptr && entry.size->text != known.size) {
                conflicts.insert(size_conflict(entry.hash, *known.size, entry.size->text).detail());
            }
        }
        return conflicts == conflicts_ && has_missing(with_compilers);
    }

  private:
    struct Spec {
        Attributes attributes;
        std::optional<std::string> stacks;
        std::optional<std::string> size;
    };

    // Whether an index or the like describes the spec.
    bool is_node(const std::string& hash) {
        return first_value<bool>(database_,
                                 "SELECT 1 FROM spec x JOIN look l USING (look_id) "
                                 "JOIN package k USING (package_id) JOIN node n USING (spec_id) "
                                 "WHERE x.hash = ? AND k.name = ?",
                                 hash, package_)
            .has_value();
    }

    bool is_of_other_page(const std::string& hash) {
        if (!of_other_pages_) {
            of_other_pages_ =
                rows<std::string>(
                    database_,
                    "SELECT DISTINCT x.hash FROM package k CROSS JOIN series s "
                    "CROSS JOIN page_presence g ON g.series_id = s.series_id "
                    "AND g.package_id = k.package_id AND g.page_id <> ?1 "
                    "CROSS JOIN presence p ON p.series_id = g.series_id AND p.package_id = "
                    "g.package_id "
                    "AND (p.valid_to IS NULL OR p.valid_to > g.valid_from) "
                    "AND (g.valid_to IS NULL OR g.valid_to > p.valid_from) "
                    "JOIN spec x USING (spec_id) WHERE k.name = ?2",
                    page_id_, package_)
                    .to<std::set<std::string>>();
        }
        return of_other_pages_->contains(hash);
    }

    // Whether one of the two has a compiler or a size that the other can't have left out.
    bool differs_in_what_is_given(const std::string& hash, const Spec& known,
                                  const SpecEntry& given) {
        const bool lacks_compiler =
            known.attributes[compiler_attribute] != none && given.compiler == nullptr;
        const bool lacks_size = known.size && given.size == nullptr;
        return (!known.size && given.size != nullptr) ||
               ((lacks_compiler || lacks_size) && !is_of_other_page(hash) && !is_node(hash));
    }

    bool has_findings(const Page& page) const {
        auto known = findings_;
        for (const PageFinding& finding : page.findings) {
            const auto same = std::ranges::find_if(known, [&](const auto& stored) {
                return stored.first == finding.kind.word() &&
                       finding.is_at_any_entry(stored.second);
            });
            if (same == known.end()) {
                return false;
            }
            known.erase(same);
        }
        return known.empty();
    }

    // The conflicts that tell what the page said of this spec, not that another package has its
    // hash.
    void leave_out_claims(const DagHash& hash) {
        const std::string beginning = claim_beginning(hash);
        auto next = conflicts_.lower_bound(beginning);
        while (next != conflicts_.end() && next->starts_with(beginning)) {
            next = conflicts_.erase(next);
        }
    }

    // `with_compilers`: the specs with a compiler that the first readings lack. One of them is
    // named in the finding, whichever came first.
    bool has_missing(const std::vector<std::string>& with_compilers) const {
        return with_compilers.empty()
                   ? !compiler_missing_
                   : std::ranges::any_of(with_compilers, [&](const std::string& first) {
                         return compiler_missing_ ==
                                compiler_missing_detail(with_compilers.size(), first);
                     });
    }

    SQLite::Database& database_;
    std::int64_t page_id_;
    std::string package_;
    std::map<std::string, Spec> specs_;  // by hash
    // Findings that do not depend on the order in which pages are loaded: kind, detail.
    std::vector<std::pair<std::string, std::string>> findings_;
    std::multiset<std::string> conflicts_;
    std::optional<std::string> compiler_missing_;
    std::optional<std::set<std::string>> of_other_pages_;  // hashes
};

}  // namespace

std::optional<ExistingSnapshot> ExistingSnapshot::find(SQLite::Database& database,
                                                       const std::string& tag, Moment taken_at) {
    ExistingSnapshot existing(database);
    existing.name_ = snapshot_name(tag, taken_at);
    const auto found = rows<std::int64_t, bool, std::string, std::int64_t>(
                           database,
                           "SELECT snapshot_id, NOT observes_all, kind, series_id FROM snapshot "
                           "WHERE name = ?",
                           existing.name_)
                           .first();
    if (!found) {
        return std::nullopt;
    }
    std::string_view kind;
    std::tie(existing.snapshot_id_, existing.partial_, kind, existing.series_id_) = *found;
    existing.kind_ = kind_of_word(kind);
    existing.taken_at_ = taken_at;
    existing.unobserved_ =
        rows<std::string>(database,
                          "SELECT name FROM observation_exception JOIN package USING (package_id) "
                          "WHERE snapshot_id = ?",
                          existing.snapshot_id_)
            .to<std::set<std::string>>();
    for (auto&& [package, digest, page_id] : rows<std::string, Digest, std::int64_t>(
             database,
             "SELECT k.name, g.digest, g.page_id FROM snapshot s "
             "JOIN page_presence p ON p.series_id = s.series_id AND p.valid_from <= s.taken_at "
             "AND (p.valid_to IS NULL OR p.valid_to > s.taken_at) "
             "JOIN page g USING (page_id) JOIN package k ON k.package_id = p.package_id "
             "WHERE s.snapshot_id = ?",
             existing.snapshot_id_)) {
        // In a partial snapshot the exceptions are the packages that it observed. Pages of other
        // packages are older.
        if (existing.partial_ == existing.unobserved_.contains(package)) {
            existing.pages_[package] = {digest, page_id};
        }
    }
    if (existing.partial_) {
        existing.unobserved_.clear();
    }
    existing.bad_pages_ =
        rows<std::string, std::string>(
            database,
            "SELECT ifnull(name, ''), kind FROM finding LEFT JOIN package USING (package_id) "
            "WHERE snapshot_id = ? AND kind IN ('page-unreadable', 'page-duplicate')",
            existing.snapshot_id_)
            .to<BadPages>();
    return existing;
}

bool ExistingSnapshot::has_other(const PageHead& page) const {
    const auto known = pages_.find(page.package);
    return known != pages_.end() && known->second.digest != page.digest;
}

void ExistingSnapshot::compare(const Page& page, const std::string& file) {
    given_.insert(page.package);
    if (!pages_.contains(page.package)) {
        differences_.emplace(page.package,
                             fmt::format("{} is of a package that it does not have", file));
    } else if (has_other(page) &&
               !StoredPage(*database_, snapshot_id_, pages_.at(page.package).page_id, page.package)
                    .says(page)) {
        differences_.emplace(page.package, fmt::format("{} is another page than it has", file));
    }
}

void ExistingSnapshot::compare_bad(const std::optional<std::string>& package, FindingKind kind,
                                   bool observed) {
    given_bad_pages_.insert({package.value_or(""), std::string(kind.word())});
    if (package && !observed) {
        given_unobserved_.insert(*package);
    }
}

std::optional<std::string> ExistingSnapshot::other_state(
    const std::map<std::string, Digest>& states) const {
    std::map<std::string, std::string> all;
    for (const auto& [package, known] : pages_) {
        const auto given = states.find(package);
        if (given == states.end()) {
            all[package] = fmt::format("it has specs of {}, which are not given now", package);
        } else if (given->second != known.digest) {
            all[package] = fmt::format("it has other specs of {}, or in other stacks", package);
        }
    }
    for (const auto& [package, digest] : states) {
        if (!pages_.contains(package)) {
            all[package] = fmt::format("it has no specs of {}", package);
        }
    }
    return all.empty() ? std::nullopt : std::optional(all.begin()->second);
}

std::optional<std::string> ExistingSnapshot::difference(bool partial) const {
    if (kind_ != SourceKind::pages) {
        return fmt::format("it is made from {}", sources_of(kind_));
    }
    std::map<std::string, std::string> all = differences_;
    for (const auto& [package, known] : pages_) {
        if (!given_.contains(package)) {
            all.emplace(package,
                        fmt::format("it has a page of {}, which is not given now", package));
        }
    }
    for (const std::string& package : unobserved_) {
        if (!given_.contains(package) && !given_unobserved_.contains(package)) {
            all.emplace(package, fmt::format("it has an unreadable page of {}", package));
        }
    }
    if (!all.empty()) {
        return all.begin()->second;
    }
    if (given_bad_pages_ != bad_pages_) {
        return std::string("other pages could not be loaded");
    }
    if (partial != partial_) {
        return std::string(partial_ ? "it was loaded with --partial"
                                    : "it was loaded without --partial");
    }
    return std::nullopt;
}

}  // namespace cacheledger
