#include "tests/support/repositories/history_ledger.hpp"

#include <fmt/format.h>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

std::string place_of(const std::string& package, const std::string& tag) {
    return fmt::format("_cache/{}/{}/specs.md", tag, package);
}

std::string page_text(const std::string& package, const std::vector<std::string>& hashes,
                      const std::string& tag) {
    PrintedPage page{package, {}, tag, ""};
    for (const std::string& hash : hashes) {
        page.specs.push_back({.hash = hash_of(hash)});
    }
    return page.text();
}

std::string broken_page(const std::string& package, const std::string& tag) {
    return fmt::format("---\ntitle: {}\ncategories: [package, {}]\nspec_details: {{}}\n---",
                       package, tag);
}

void HistoryLedger::write(const std::string& package, const std::vector<std::string>& hashes,
                          const std::string& tag) {
    repository_.write(place_of(package, tag), page_text(package, hashes, tag));
}

void HistoryLedger::remove(const std::string& package, const std::string& tag) {
    repository_.remove(place_of(package, tag));
}

std::string HistoryLedger::commit(const std::string& moment) {
    return repository_.commit(parse_moment(moment).value());
}

HistoryResult HistoryLedger::load(const std::string& revision, const std::string& folder) {
    return ingest_history(ledger_.database(),
                          {repository_.path(), revision, folder, std::nullopt, 2},
                          [](std::size_t, std::size_t) {});
}

std::vector<std::string> HistoryLedger::problems(const std::string& revision,
                                                 const std::string& folder) {
    return refusal_of([&] { load(revision, folder); });
}

void HistoryLedger::forget(const std::string& snapshot) {
    cacheledger::forget(ledger_.database(), snapshot);
}

std::vector<std::string> HistoryLedger::states() {
    return ledger_.rows(
        "SELECT s.name || ':' || ifnull((SELECT group_concat(' ' || package || ':' || stems, '') "
        "FROM (SELECT package, group_concat(substr(hash, 1, 1), '') AS stems "
        "FROM (SELECT * FROM specs x WHERE x.snapshot_id = s.snapshot_id ORDER BY package, hash) "
        "GROUP BY package ORDER BY package)), '') FROM snapshots s ORDER BY s.name");
}

std::vector<std::string> HistoryLedger::findings() {
    return ledger_.rows(
        "SELECT snapshot, package, path, kind FROM findings ORDER BY snapshot, path, kind");
}

std::vector<std::string> HistoryLedger::faults() {
    return find_problems(ledger_.database(), 10);
}

}  // namespace cacheledger
