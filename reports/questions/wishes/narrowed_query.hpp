#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "schema/specs/environments/wish.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// What a wish asks of a build, as one query: its spec with the conditions that can be part of one,
/// for finding the nearest build. Conditions with `when`, and choices, are left out; so are
/// variants that no build of the package in the ledger has, if they are required of all packages.
SpecQuery narrowed_query(SQLite::Database& database, SpecQuery query,
                         const std::vector<WishCondition>& conditions);

/// What the list requires, for people: "+cuda target=x86_64_v3; one of: +a, +b". Empty for nothing.
std::string words_of_requirements(const std::vector<WishCondition>& conditions);

}  // namespace cacheledger
