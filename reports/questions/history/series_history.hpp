#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <vector>

#include "reports/questions/history/scope.hpp"

namespace cacheledger {

/// What happened to builds of any packages, from old to new; the newest `most` events. An event is
/// a snapshot at which some came or went, and says how many, by package. The newest snapshot is
/// one, too, if it has such builds. The time follows from the number of changes, not from that of
/// snapshots.
ScopeHistory series_history(SQLite::Database& database, const HistoryScope& scope,
                            std::size_t most);

/// Adds to the events of all builds of a stack what they mean for it: that it was born, renamed or
/// switched off; packages, compilers and targets that came and went; wishes that its builds met and
/// lost. The temporary tables of the scope (ScopeTables) must be there.
void add_stack_marks(SQLite::Database& database, const HistoryScope& scope,
                     std::vector<HistoryEvent>& events);

}  // namespace cacheledger
