#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/questions/history/scope.hpp"

namespace cacheledger {

/// What happened to builds of one package, from old to new; the newest `most` events. The causes
/// are those of the reports of drift/ from each snapshot to the next one.
ScopeHistory package_history(SQLite::Database& database, const Catalog& catalog,
                             const HistoryScope& scope, std::size_t most);

}  // namespace cacheledger
