#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>

#include "reports/questions/history/scope.hpp"

namespace cacheledger {

/// What happened to builds of any packages, from old to new; the newest `most` events. An event is
/// a snapshot at which some came or went, and says how many, by package. The newest snapshot is
/// one, too, if it has such builds. The time follows from the number of changes, not from that of
/// snapshots.
ScopeHistory series_history(SQLite::Database& database, const HistoryScope& scope,
                            std::size_t most);

}  // namespace cacheledger
