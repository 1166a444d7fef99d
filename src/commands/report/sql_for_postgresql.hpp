#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/engine/query/run_query.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

/// The values of --for.
std::vector<std::string> engines_of_sql();

/// Whether --sql --for asks for the SQL of PostgreSQL. Throws UsageError for options that don't go
/// together.
bool is_for_postgresql(const ParsedOptions& parsed);

/// The report for psql and dashboards. `ledger`: its name on the server, of which the text has the
/// search_path; may be empty. The table asked_looks of the filter must be there. Throws UsageError
/// if the report can't be run there.
std::string sql_for_postgresql(SQLite::Database& database, const Report& report,
                               const Arguments& arguments, const LookFilter& filter,
                               const std::string& ledger);

}  // namespace cacheledger
