#pragma once

#include <SQLiteCpp/Database.h>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// Builds that the later snapshot no longer has, although specs that it has need them to link or to
/// run, directly or not: one row for each package and version. `builds` counts those that are gone,
/// `needed_by` the specs of the later snapshot that need one of them.
///
/// `arguments`: `from`, `to`, `package` and `stack` of the reports of drift/. They choose what is
/// gone, not what needs it. Takes time in proportion to the edges, for each 64 rows. Throws what
/// run_query() throws.
ResultTable needed_and_gone(const SQLite::Database& database, const PairDrift& drift,
                            const Arguments& arguments);

}  // namespace cacheledger
