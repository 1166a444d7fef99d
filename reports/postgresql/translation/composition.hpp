#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/postgresql/translation/translation.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// reports/postgresql/translation/*.sql, compiled in.
extern const std::span<const EmbeddedText> portable_texts;

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

/// The SQL of a report for psql and dashboards, with the values of the parameters filled in. It
/// finds tables and views by search_path (PublishedName). `looks`: the ids of those that a filter
/// asks for, in the file of the ledger: they are the same on the server. Throws UsageError as
/// above, and for a report whose rows the program works out with temporary tables.
std::string report_for_postgresql(const Report& report, Arguments arguments,
                                  const std::optional<std::vector<std::int64_t>>& looks);

}  // namespace cacheledger
