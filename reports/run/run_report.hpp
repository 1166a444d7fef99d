#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "reports/catalog/report.hpp"
#include "reports/query/run_query.hpp"
#include "reports/table/result_table.hpp"

namespace cacheledger {

/// Runs a report, with the defaults of parameters that are not given, and pivots it where it says
/// so. A snapshot parameter gets no default but NULL: what "latest" is, the caller finds out.
/// The reports of drift/ read the rows of their pair (reports/drift/pair_drift.hpp). Throws as
/// run_query() does; and UsageError for an argument that the report doesn't declare.
ResultTable run_report(const SQLite::Database& database, const Report& report, Arguments arguments);

/// What run_report() runs, with the values of the parameters filled in, for any other SQLite shell:
/// the report, and before it what makes the rows that it reads. Not pivoted. Throws as run_report()
/// does.
std::string report_sql(const SQLite::Database& database, const Report& report, Arguments arguments);

}  // namespace cacheledger
