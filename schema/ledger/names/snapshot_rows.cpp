#include "schema/ledger/names/snapshot_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cacheledger {

namespace {
constexpr std::size_t most_names = 5;
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
