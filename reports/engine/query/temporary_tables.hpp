#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "reports/engine/query/run_query.hpp"

namespace cacheledger {

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
