#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

/// Sentences on commits that may be why all builds of a package were rebuilt: those that touched
/// its recipe between the two snapshots. They are hints, because pages do not say what changed.
/// None if the ledger has no commits. Needs the view stack_drift of the pair, of the whole cache.
/// `package`: a pattern.
std::vector<std::string> rebuilt_hints(const SQLite::Database& database, const Snapshot& from,
                                       const Snapshot& to, const std::string& package);

}  // namespace cacheledger
