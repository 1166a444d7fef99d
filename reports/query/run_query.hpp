#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <map>
#include <string>

#include "reports/table/result_table.hpp"

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
/// result takes more memory than reports/query/query_guard.hpp allows. Throws SQLite::Exception
/// where the database is: locked, damaged, ... and Interrupted where a progress handler stopped it.
ResultTable run_query(const SQLite::Database& database, const std::string& origin,
                      const std::string& sql, const Arguments& arguments,
                      std::size_t most_rows = all_rows);

/// The statement with the values of its parameters filled in, for any other SQLite shell. Throws as
/// run_query() does.
std::string query_text(const SQLite::Database& database, const std::string& origin,
                       const std::string& sql, const Arguments& arguments);

}  // namespace cacheledger
