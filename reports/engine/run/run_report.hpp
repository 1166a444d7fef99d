#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// Runs a report and pivots the result if the report says so. A parameter that is not given gets
/// its default; but a snapshot parameter gets only the default NULL, because the caller resolves
/// names such as "latest". The program's own reports of drift/ read the rows of their pair
/// (reports/engine/drift/pair_drift.hpp), and others what specs reach (filled_tables()). Throws
/// what run_query() throws, and UsageError for an argument that the report does not declare.
ResultTable run_report(const SQLite::Database& database, const Report& report, Arguments arguments);

/// The same for a report whose drift the caller already holds (PairDrift, SpecReasons): it is not
/// computed again for each report of a pair.
ResultTable run_report_on_held_drift(const SQLite::Database& database, const Report& report,
                                     Arguments arguments);

/// The temporary tables that the program fills from its graph before a report of its own runs, and
/// without which the report's SQL does not run. Empty if there are none.
std::vector<std::string> filled_tables(const Report& report);

/// The arguments with the defaults of the parameters that are not given. Throws UsageError for one
/// that the report does not declare.
Arguments complete_arguments(const Report& report, Arguments arguments);

/// Throws UsageError if the report is not the program's own, reads the view stack_drift, and is
/// asked for stacks by a pattern: the view has no rows for a pattern.
void refuse_pattern_for_view(const Report& report, const Arguments& arguments);

/// The rows of a report's SQL as its header says: pivoted, with totals. Throws UsageError if they
/// can't be.
ResultTable finish_rows(const Report& report, ResultTable table);

/// The SQL that run_report() runs, with the values of the parameters filled in, so that it runs in
/// any SQLite shell: the report, and before it the statements that make the rows that it reads. The
/// result is not pivoted. Throws what run_report() throws.
std::string report_sql(const SQLite::Database& database, const Report& report, Arguments arguments);

/// Turns rows of (row key, column key, value) into a matrix. It has a row for each row key, in
/// order of first appearance, and a column for each column key: first numbers by size, then texts
/// (versions and compilers in natural order), then texts in parentheses, such as '(no stack)'. A
/// cell without a row is pivot.absent. Columns that the pivot does not name are left out. Throws
/// std::invalid_argument if a column of the pivot is missing or a cell has two values.
ResultTable pivot(const ResultTable& table, const Pivot& pivot);

/// Sets the totals of the table: for each of the columns the sum of its numbers, without NULL. A
/// column has no total if it has no number, if it has NULL and its numbers are all 0, or if the sum
/// is too large for an integer. Throws std::invalid_argument if the table has no such column.
void add_totals(ResultTable& table, const std::vector<std::string>& columns);

}  // namespace cacheledger
