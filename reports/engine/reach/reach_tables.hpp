#pragma once

#include <SQLiteCpp/Database.h>

#include <list>
#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"

namespace cacheledger {

/// The temporary tables of what specs reach over dependencies, which a report reads: SQL would walk
/// the graph row by row. While this object lives, the connection has them, filled from the graph in
/// memory for the report's arguments. reports/engine/reach/NAME.sql says what each holds.
class ReachTables {
  public:
    /// Throws what run_query() and SpecGraph throw.
    ReachTables(const SQLite::Database& database, const Report& report, const Arguments& arguments);

    /// The names of the tables that a report of the program reads; none for others.
    static std::vector<std::string> read_by(const Report& report);

    /// Statements that make the tables with their rows, for any SQLite shell.
    std::string sql() const;

  private:
    std::list<TemporaryTables> tables_;
};

}  // namespace cacheledger
