#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Lines for people where a query asks for a build hash, by which a lock file of version 2 or 3
/// calls a spec: which DAG hash it is. Empty if it asks for none that the ledger has.
std::vector<std::string> about_build_hash(SQLite::Database& database, const SpecQuery& query);

}  // namespace cacheledger
