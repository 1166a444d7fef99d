#include "schema/ledger/names/snapshot_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cacheledger {

namespace {
constexpr std::size_t most_names = 5;
}

std::vector<Snapshot> read_snapshots(SQLite::Statement& query) {
    std::vector<Snapshot> found;
    while (query.executeStep()) {
        found.push_back({query.getColumn(0).getInt64(), query.getColumn(1).getInt64(),
                         query.getColumn(2).getInt64(), query.getColumn(3).getString(),
                         query.getColumn(4).getString()});
    }
    return found;
}

std::string names_of(const std::vector<Snapshot>& snapshots) {
    std::vector<std::string> names;
    for (const Snapshot& snapshot : snapshots) {
        if (names.size() == most_names) {
            names.push_back(fmt::format("... ({} in all)", snapshots.size()));
            break;
        }
        names.push_back(snapshot.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace cacheledger
