#include "ingest/rows/earlier/stored_page.hpp"

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "schema/sqlite/statements/statement.hpp"

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
    return spec.stacks == nullptr ? std::nullopt : std::optional(spec.stacks->text);
}

}  // namespace

StoredPage::StoredPage(SQLite::Database& database, std::int64_t snapshot_id, std::int64_t page_id,
                       const std::string& package)
    : database_(database), page_id_(page_id), package_(package) {
    SQLite::Statement specs(
        database,
        "SELECT hash, stacks, size, package, version, ifnull(compiler, 'none'), platform, os, "
        "target, ifnull(nullif(variants, ''), 'none') FROM specs WHERE snapshot_id = ? "
        "AND package = ?");
    rebind(specs, snapshot_id, package);
    while (specs.executeStep()) {
        Spec& spec = specs_[specs.getColumn(0).getString()];
        spec.stacks = optional_text(specs, 1);
        spec.size = optional_text(specs, 2);
        for (std::size_t i = 0; i < spec.attributes.size(); ++i) {
            spec.attributes[i] = specs.getColumn(static_cast<int>(i) + 3).getString();
        }
    }
    SQLite::Statement findings(database, "SELECT kind, detail FROM finding WHERE page_id = ?");
    rebind(findings, page_id);
    while (findings.executeStep()) {
        const std::string kind = findings.getColumn(0).getString();
        const std::string detail = findings.getColumn(1).getString();
        if (kind == "compiler-missing") {
            compiler_missing_ = detail;
        } else if (kind != "hash-conflict") {
            findings_.emplace_back(kind, detail);
        } else {
            conflicts_.insert(detail);
        }
    }
}

// Whether an index or the like describes the spec.
bool StoredPage::is_node(const std::string& hash) {
    SQLite::Statement node(database_,
                           "SELECT 1 FROM spec x JOIN look l USING (look_id) "
                           "JOIN package k USING (package_id) JOIN node n USING (spec_id) "
                           "WHERE x.hash = ? AND k.name = ?");
    rebind(node, hash, package_);
    return node.executeStep();
}

bool StoredPage::is_of_other_page(const std::string& hash) {
    if (!of_other_pages_) {
        of_other_pages_.emplace();
        SQLite::Statement others(
            database_,
            "SELECT DISTINCT x.hash FROM package k CROSS JOIN series s "
            "CROSS JOIN page_presence g ON g.series_id = s.series_id "
            "AND g.package_id = k.package_id AND g.page_id <> ?1 "
            "CROSS JOIN presence p ON p.series_id = g.series_id AND p.package_id = g.package_id "
            "AND (p.valid_to IS NULL OR p.valid_to > g.valid_from) "
            "AND (g.valid_to IS NULL OR g.valid_to > p.valid_from) "
            "JOIN spec x USING (spec_id) WHERE k.name = ?2");
        rebind(others, page_id_, package_);
        while (others.executeStep()) {
            of_other_pages_->insert(others.getColumn(0).getString());
        }
    }
    return of_other_pages_->contains(hash);
}

// Whether one of the two has a compiler or a size that the other can't have left out.
bool StoredPage::differs_in_what_is_given(const std::string& hash, const Spec& known,
                                          const SpecEntry& given) {
    const bool lacks_compiler =
        known.attributes[compiler_attribute] != none && given.compiler == nullptr;
    const bool lacks_size = known.size && given.size == nullptr;
    return (!known.size && given.size != nullptr) ||
           ((lacks_compiler || lacks_size) && !is_of_other_page(hash) && !is_node(hash));
}

// `with_compilers`: the specs with a compiler that the first readings lack. One of them is named in
// the finding, whichever came first.
bool StoredPage::has_missing(const std::vector<std::string>& with_compilers) const {
    return with_compilers.empty()
               ? !compiler_missing_
               : std::any_of(with_compilers.begin(), with_compilers.end(),
                             [&](const std::string& first) {
                                 return compiler_missing_ ==
                                        compiler_missing_detail(with_compilers.size(), first);
                             });
}

bool StoredPage::has_findings(const Page& page) const {
    auto known = findings_;
    for (const PageFinding& finding : page.findings) {
        const auto same = std::find_if(known.begin(), known.end(), [&](const auto& stored) {
            return stored.first == finding.kind.word() && finding.is_at_any_entry(stored.second);
        });
        if (same == known.end()) {
            return false;
        }
        known.erase(same);
    }
    return known.empty();
}

// The conflicts that tell what the page said of this spec, not that another package has its hash.
void StoredPage::leave_out_claims(const DagHash& hash) {
    const std::string beginning = claim_beginning(hash);
    auto next = conflicts_.lower_bound(beginning);
    while (next != conflicts_.end() && next->starts_with(beginning)) {
        next = conflicts_.erase(next);
    }
}

bool StoredPage::says(const Page& page) {
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

}  // namespace cacheledger
