#pragma once

#include <SQLiteCpp/Database.h>

#include <map>
#include <string>

#include "reports/report.hpp"
#include "reports/result_table.hpp"

namespace cacheledger {

/// As a number of rows: all.
inline constexpr std::size_t all_rows = static_cast<std::size_t>(-1);

/// Values to bind, by parameter name without the colon.
using Arguments = std::map<std::string, Value>;

/// Runs one statement that only reads, and takes its rows, `most_rows` at the most. `origin` (a
/// file's name) stands in error messages. BLOBs come out as lower-case hex.
///
/// Throws UsageError where the SQL is at fault, with its line and column where SQLite knows them:
/// it doesn't compile, would write, gives no rows, is more than one statement, or its parameters
/// are not exactly those of `arguments` (SQLite itself would bind a missing one as NULL), it or its
/// result takes more memory than reports/query_guard.hpp allows. Throws SQLite::Exception where
/// the database is: locked, damaged, ... and Interrupted where a progress handler stopped it.
ResultTable run_query(const SQLite::Database& database, const std::string& origin,
                      const std::string& sql, const Arguments& arguments,
                      std::size_t most_rows = all_rows);

/// Runs a report, with the defaults of parameters that are not given, and pivots it where it says
/// so. A snapshot parameter gets no default but NULL: what "latest" is, the caller finds out.
/// The reports of drift/ read the rows of their pair (reports/pair_drift.hpp). Throws as
/// run_query() does; and UsageError for an argument that the report doesn't declare.
ResultTable run_report(const SQLite::Database& database, const Report& report, Arguments arguments);

/// What run_report() runs, with the values of the parameters filled in, for any other SQLite shell:
/// the report, and before it what makes the rows that it reads. Not pivoted. Throws as run_report()
/// does.
std::string report_sql(const SQLite::Database& database, const Report& report, Arguments arguments);

}  // namespace cacheledger
