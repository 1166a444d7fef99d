#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/questions/history/scope.hpp"

namespace cacheledger {

/// Commits of recipes that a history leaves out, by series.
struct CommitsLeftOut {
    std::int64_t before = 0;  ///< before the first snapshot
    std::int64_t after = 0;   ///< after the newest one
};

/// Puts the commits that touched the recipe of the scope's package among its events, by time: those
/// between the first snapshot of the series and the newest one. Each is an event; more than three
/// between two snapshots are one. Keeps the newest `most` events.
CommitsLeftOut add_recipe_events(SQLite::Database& database, const HistoryScope& scope,
                                 std::size_t most, ScopeHistory& history);

/// A sentence about them; none for none.
std::vector<std::string> remarks_on(const CommitsLeftOut& commits);

}  // namespace cacheledger
