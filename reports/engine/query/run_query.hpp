#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <map>
#include <string>

#include "reports/render/table/result_table.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace cacheledger {

/// A number of rows that means all rows.
inline constexpr std::size_t all_rows = static_cast<std::size_t>(-1);

/// Values to bind, by parameter name without the colon.
using Arguments = std::map<std::string, Value>;

/// Runs one statement that only reads, and returns at most `most_rows` of its rows. `origin` (the
/// name of a file) is for error messages. BLOBs become lower-case hex.
///
/// Throws UsageError if the SQL is at fault, with line and column if SQLite knows them: it does not
/// compile, would write, returns no rows, is more than one statement, or its parameters are not
/// exactly those of `arguments` (SQLite itself would bind a missing one as NULL). Throws
/// UsageError, too, if the query or its result takes more memory than
/// reports/engine/query/query_guard.hpp allows. Throws SQLite::Exception if the database is locked,
/// damaged or the like, and Interrupted if a progress handler stopped the query.
ResultTable run_query(const SQLite::Database& database, const std::string& origin,
                      const std::string& sql, const Arguments& arguments,
                      std::size_t most_rows = all_rows);

/// The statement with the values of its parameters filled in, so that it runs in any SQLite shell.
/// Throws what run_query() throws.
std::string query_text(const SQLite::Database& database, const std::string& origin,
                       const std::string& sql, const Arguments& arguments);

/// Whether a progress handler caused the error, which is the last of this connection. `code`: the
/// result of the call that failed.
bool is_interruption(sqlite3* database, int code);

/// The text of a statement with the bound values in place of the parameters.
std::string text_with_values(sqlite3_stmt* statement);

}  // namespace cacheledger
