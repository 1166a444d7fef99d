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

/// A query, and what has to be run before it: its temporary tables.
struct PlanQuestion {
    std::string name, sql;
    Arguments arguments{};
    std::vector<std::string> before{};
};

/// SQL that makes the temporary tables and views that a connection has.
std::vector<std::string> temporary_schema(SQLite::Database& database);

/// Whether the SQLite of the site's WebAssembly is there. Where CACHELEDGER_BROWSER is "required"
/// it must be.
bool has_newest_sqlite();

/// table_scans() of each question as that SQLite says, of a ledger in a file. What it can't compile
/// has a scan of the table "error".
std::vector<std::vector<TableScan>> newest_table_scans(SQLite::Database& database,
                                                       const std::vector<PlanQuestion>& questions);

}  // namespace cacheledger
