#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

namespace cacheledger {

// Each function checks stored texts that follow from other columns by rules that SQL can't express.
// It returns one line for each text that is wrong, and throws SQLite::Exception.

/// The sort keys of versions and compilers.
std::vector<std::string> sort_key_problems(SQLite::Database& database);

/// The names of compilers, which are canonical.
std::vector<std::string> compiler_problems(SQLite::Database& database);

/// The kinds of findings.
std::vector<std::string> finding_problems(SQLite::Database& database);

/// Lists of words that are sorted: virtuals, patches, features of targets, kinds of flags.
std::vector<std::string> word_list_problems(SQLite::Database& database);

/// The texts of variant sets, which follow from their members, and their canonical spelling.
std::vector<std::string> variant_set_problems(SQLite::Database& database);

/// The names and series of snapshots, which follow from their tags and moments, and the moments of
/// dated tags.
std::vector<std::string> snapshot_problems(SQLite::Database& database);

}  // namespace cacheledger
