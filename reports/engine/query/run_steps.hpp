#pragma once

#include <SQLiteCpp/Database.h>

#include <memory>
#include <string>
#include <vector>

#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/value.hpp"

struct sqlite3_stmt;

namespace cacheledger {

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
