#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

namespace cacheledger {

/// What differs from a ledger that this program has just made.
struct SchemaProblems {
    std::vector<std::string> lines;
    bool in_tables = false;  ///< tables differ: other checks may not even run
};

/// Compares tables, indexes, triggers and the planner's statistics with those of a fresh ledger.
/// (Views are made anew whenever they differ: see views_are_current().) Throws SQLite::Exception.
SchemaProblems compare_schema(SQLite::Database& database);

}  // namespace cacheledger
