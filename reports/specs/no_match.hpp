#pragma once

#include <SQLiteCpp/Database.h>

#include "reports/specs/found_specs.hpp"
#include "schema/names/snapshot.hpp"
#include "schema/search/matching_specs.hpp"

namespace cacheledger {

/// Sets `remarks` and `nearest` of an answer without builds. `matching`: what matches in the
/// whole snapshot, whatever stacks are asked.
void explain_no_match(SQLite::Database& database, const Snapshot& snapshot, const AskedSpecs& asked,
                      const MatchingSpecs& matching, FoundSpecs& found);

}  // namespace cacheledger
