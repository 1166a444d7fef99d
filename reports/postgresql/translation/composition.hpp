#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/postgresql/translation/translation.hpp"

namespace cacheledger {

/// A report as one statement for PostgreSQL. What a report reads of temporary tables in SQLite
/// stands before it as parts of WITH, because a transaction that only reads can make no tables:
///
///  - `stack_drift`, the drift of the pair that is asked
///  (reports/postgresql/translation/pair_drift_part.sql);
///  - `asked_looks`, if not all looks are asked.
///
/// `arguments`: all that the report declares. Throws UsageError, "origin: ...", if the report has a
/// parameter without a value.
PortableStatement compose_report(const Report& report, const Arguments& arguments,
                                 const std::optional<std::vector<std::int64_t>>& looks);

}  // namespace cacheledger
