#pragma once

#include <SQLiteCpp/Database.h>

#include <vector>

#include "reports/questions/events/event.hpp"
#include "reports/questions/history/scope.hpp"

namespace cacheledger {

/// Adds to the events of all builds of a stack what they mean for it: that it was born, renamed or
/// switched off; packages, compilers and targets that came and went; wishes that its builds met and
/// lost. The temporary tables of the scope (ScopeTables) must be there.
void add_stack_marks(SQLite::Database& database, const HistoryScope& scope,
                     std::vector<HistoryEvent>& events);

}  // namespace cacheledger
