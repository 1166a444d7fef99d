#pragma once

#include <SQLiteCpp/Database.h>

#include <map>
#include <set>
#include <string>

namespace cacheledger {

/// Writes the parents of targets that the program does not know (table target_parent), in the
/// caller's transaction. What the ledger has of them stays. Returns whether it has more than
/// before.
bool write_target_parents(SQLite::Database& database,
                          const std::map<std::string, std::set<std::string>>& parents);

}  // namespace cacheledger
