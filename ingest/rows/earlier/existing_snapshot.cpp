#include "ingest/rows/earlier/existing_snapshot.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>

#include "ingest/rows/earlier/snapshot_kind.hpp"
#include "ingest/rows/earlier/stored_page.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

std::optional<ExistingSnapshot> ExistingSnapshot::find(SQLite::Database& database,
                                                       const std::string& tag, Moment taken_at) {
    ExistingSnapshot existing(database);
    existing.name_ = snapshot_name(tag, taken_at);
    SQLite::Statement select(database,
                             "SELECT snapshot_id, observes_all, kind, series_id FROM snapshot "
                             "WHERE name = ?");
    rebind(select, existing.name_);
    if (!select.executeStep()) {
        return std::nullopt;
    }
    existing.snapshot_id_ = select.getColumn(0).getInt64();
    existing.partial_ = select.getColumn(1).getInt() == 0;
    existing.kind_ = select.getColumn(2).getString();
    existing.series_id_ = select.getColumn(3).getInt64();
    existing.taken_at_ = taken_at;

    SQLite::Statement exceptions(
        database,
        "SELECT name FROM observation_exception JOIN package USING (package_id) "
        "WHERE snapshot_id = ?");
    rebind(exceptions, existing.snapshot_id_);
    while (exceptions.executeStep()) {
        existing.unobserved_.insert(exceptions.getColumn(0).getString());
    }
    SQLite::Statement pages(
        database,
        "SELECT k.name, g.digest, g.page_id FROM snapshot s "
        "JOIN page_presence p ON p.series_id = s.series_id AND p.valid_from <= s.taken_at "
        "AND (p.valid_to IS NULL OR p.valid_to > s.taken_at) "
        "JOIN page g USING (page_id) JOIN package k ON k.package_id = p.package_id "
        "WHERE s.snapshot_id = ?");
    rebind(pages, existing.snapshot_id_);
    while (pages.executeStep()) {
        const std::string package = pages.getColumn(0).getString();
        // In a partial snapshot the exceptions are the packages that it observed. Pages of other
        // packages are older.
        if (existing.partial_ == existing.unobserved_.contains(package)) {
            existing.pages_[package] = {bytes_column<Digest>(pages, 1),
                                        pages.getColumn(2).getInt64()};
        }
    }
    if (existing.partial_) {
        existing.unobserved_.clear();
    }
    SQLite::Statement bad_pages(
        database,
        "SELECT ifnull(name, ''), kind FROM finding LEFT JOIN package USING (package_id) "
        "WHERE snapshot_id = ? AND kind IN ('page-unreadable', 'page-duplicate')");
    rebind(bad_pages, existing.snapshot_id_);
    while (bad_pages.executeStep()) {
        existing.bad_pages_.insert(
            {bad_pages.getColumn(0).getString(), bad_pages.getColumn(1).getString()});
    }
    return existing;
}

void ExistingSnapshot::give(const KnownPage& page, const std::string& file) {
    given_.insert(page.package);
    if (!pages_.contains(page.package)) {
        differences_.emplace(page.package,
                             fmt::format("{} is of a package that it does not have", file));
    }
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
    if (kind_ != pages_kind) {
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
