#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

namespace cacheledger {

/// The differences between a ledger's schema and that of a new ledger.
struct SchemaProblems {
    std::vector<std::string> lines;
    bool in_tables = false;  ///< tables differ, so other checks may fail to run
};

/// Compares tables, indexes, triggers and the planner's statistics with those of a new ledger.
/// Views are not compared: every command that writes makes them again if they differ
/// (views_are_current()). Throws SQLite::Exception.
SchemaProblems compare_schema(SQLite::Database& database);

/// The rows that contradict a CHECK clause of their table, one line for each clause. A ledger is
/// written without evaluating them. Throws SQLite::Exception.
std::vector<std::string> check_clause_problems(SQLite::Database& database);

}  // namespace cacheledger
