#include "tests/support/repositories/graph_history_ledger.hpp"

#include <fmt/format.h>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

std::string lock_of(const std::vector<std::string>& stems) {
    std::vector<graph_text::Keyed> records;
    for (const std::string& stem : stems) {
        const std::string hash = hash_of(stem);
        records.emplace_back(hash, graph_text::NodeText{.hash = hash}.text(4));
    }
    std::vector<graph_text::RootText> roots;
    if (!stems.empty()) {
        roots.push_back({hash_of(stems.front()), "zlib@1:"});
    }
    return graph_text::lock(5, roots, records);
}

void GraphHistoryLedger::write(const std::vector<std::string>& stems) {
    repository_.write("spack.lock", lock_of(stems));
}

std::string GraphHistoryLedger::commit(const std::string& moment) {
    return repository_.commit(parse_moment(moment).value());
}

HistoryResult GraphHistoryLedger::load(const std::string& revision, const std::string& tag,
                                       const std::string& file) {
    return ingest_history(ledger_.database(), {repository_.path(), revision, file, tag},
                          [](std::size_t, std::size_t) {});
}

std::vector<std::string> GraphHistoryLedger::problems(const std::string& revision,
                                                      const std::string& tag,
                                                      const std::string& file) {
    Lines lines = refusal_of([&] { load(revision, tag, file); });
    for (std::string& line : lines) {
        const std::string path = repository_.path();
        for (auto at = line.find(path); at != std::string::npos; at = line.find(path)) {
            line.replace(at, path.size(), "REPO");
        }
    }
    return lines;
}

void GraphHistoryLedger::forget(const std::string& snapshot) {
    cacheledger::forget(ledger_.database(), snapshot);
}

std::vector<std::string> GraphHistoryLedger::states() {
    return ledger_.rows(
        "SELECT s.taken_at || ' ' || s.kind || ' ' || s.extent || ': ' || ifnull(("
        "SELECT group_concat(stem, '') FROM (SELECT substr(hash, 1, 1) AS stem FROM specs x "
        "WHERE x.snapshot_id = s.snapshot_id ORDER BY hash)), '') || ifnull(("
        "SELECT ', root ' || substr(hash, 1, 1) FROM roots r "
        "WHERE r.snapshot_id = s.snapshot_id), '') FROM snapshots s ORDER BY s.name");
}

std::vector<std::string> GraphHistoryLedger::findings() {
    return ledger_.rows("SELECT snapshot, path, kind, detail FROM findings ORDER BY 1, 2, 3, 4");
}

std::vector<std::string> GraphHistoryLedger::faults() {
    return find_problems(ledger_.database(), 10);
}

}  // namespace cacheledger
