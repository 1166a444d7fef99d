#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

namespace cacheledger {

// What follows from other rows for the specs of a ledger, by rules that SQL can't express or takes
// long for. Each function returns one line for each that is wrong, and throws SQLite::Exception.

/// What the graph tells, which is read once: compilers that are dependencies have the name and
/// version of the spec that provides a language; each spec is in a snapshot, or needed by one that
/// is.
std::vector<std::string> graph_problems(SQLite::Database& database);

/// Hashes have 32 characters of a-z and 2-7, and the digest of a node is not that of a text with
/// another hash.
std::vector<std::string> node_digest_problems(SQLite::Database& database);

}  // namespace cacheledger
