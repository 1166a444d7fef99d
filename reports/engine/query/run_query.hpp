#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

struct sqlite3;
struct sqlite3_stmt;

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

/// Runs statements of the program's own in order, such as those that make temporary tables. A
/// statement gets those of `arguments` that it names. Returns the text of the statements with the
/// values filled in, so that it runs in any SQLite shell. Throws SQLite::Exception, Interrupted if
/// a progress handler stopped it, and std::out_of_range if an argument is missing.
std::string run_steps(const SQLite::Database& database, const std::string& sql,
                      const Arguments& arguments);

/// One statement of the program's own that runs many times: it is compiled once, which takes longer
/// than running it over few rows. Throws what run_steps() throws.
class RepeatedStep {
  public:
    RepeatedStep(const SQLite::Database& database, const std::string& sql);

    /// The rows, of integers, texts and NULL. `arguments` as for run_steps().
    std::vector<std::vector<Value>> run(const Arguments& arguments);

  private:
    const SQLite::Database& database_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
};

/// Temporary tables that the program fills for SQL, while this lives.
class TemporaryTables {
  public:
    /// `text`: statements of the program's own, "CREATE TEMP TABLE name" for each table. Throws
    /// what run_steps() throws.
    TemporaryTables(const SQLite::Database& database, std::string text,
                    const Arguments& arguments = {});
    ~TemporaryTables();
    TemporaryTables(const TemporaryTables&) = delete;
    TemporaryTables& operator=(const TemporaryTables&) = delete;

    /// Statements that make the tables with their rows, for any SQLite shell.
    std::string sql() const;

  private:
    const SQLite::Database& database_;
    std::string text_;
    std::vector<std::string> names_;
};

}  // namespace cacheledger
