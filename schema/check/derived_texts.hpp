#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

namespace cacheledger {

// Each function checks stored texts that follow from other columns by rules that SQL can't express.
// It returns one line for each text that is wrong, and throws SQLite::Exception.

/// The sort keys of versions and compilers.
std::vector<std::string> sort_key_problems(SQLite::Database& database);

/// The texts of variant sets, which follow from their members.
std::vector<std::string> variant_set_problems(SQLite::Database& database);

/// The names and series of snapshots, which follow from their tags and moments, and the moments of
/// dated tags.
std::vector<std::string> snapshot_problems(SQLite::Database& database);

}  // namespace cacheledger
