#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "reports/engine/query/run_query.hpp"

namespace cacheledger {

/// A step of a query that goes through a whole table, or a whole index of it.
struct TableScan {
    std::string table;
    std::string step;  ///< what is gone through: "all of presence_to"
};

/// The steps of EXPLAIN QUERY PLAN, with these values bound.
std::vector<std::string> query_plan(SQLite::Database& database, const std::string& sql,
                                    const Arguments& arguments = {});

/// Those that scan a table of the file, and those that go through the presence of a whole series
/// (as the table "a series"). Scans of what the query itself made are none.
std::vector<TableScan> table_scans(SQLite::Database& database, const std::string& sql,
                                   const Arguments& arguments = {});

}  // namespace cacheledger
