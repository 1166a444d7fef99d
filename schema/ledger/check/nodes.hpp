#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

namespace cacheledger {

// What follows from other rows for the nodes of a ledger, by rules that SQL can't express. Each
// function returns one line for each node that is wrong, and throws SQLite::Exception.

/// The compilers that are dependencies: the name and version of the spec that provides a language.
std::vector<std::string> compiler_edge_problems(SQLite::Database& database);

/// The digests of nodes: none is that of a text with another hash.
std::vector<std::string> node_digest_problems(SQLite::Database& database);

/// The specs that are in no snapshot, and that none needs which is in one.
std::vector<std::string> unneeded_spec_problems(SQLite::Database& database);

}  // namespace cacheledger
