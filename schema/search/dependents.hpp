#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <unordered_set>

#include "schema/search/matching_specs.hpp"

namespace cacheledger {

/// The specs that depend on some others.
struct Dependents {
    std::unordered_set<std::int64_t> specs;
    std::unordered_set<std::int64_t> unknown;  ///< they may: a source left something out

    Answer answer(std::int64_t spec_id) const;
};

/// Finds the specs that depend on one of `dependencies` in the way that is asked: directly or over
/// others, for some virtuals, with some deptypes.
Dependents dependents_of(SQLite::Database& database, const DependencyQuery& asked,
                         const MatchingSpecs& dependencies);

}  // namespace cacheledger
