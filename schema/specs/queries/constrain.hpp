#pragma once

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Adds to a query what another one asks of the same spec. Throws std::invalid_argument where
/// nothing could match both, or for two targets: "asks for two versions, 1.2 and :1.1".
void constrain(SpecQuery& query, const SpecQuery& more);

/// Adds a dependency to those that a query asks for, as Spack does: one that is asked already, by
/// the same name and deptypes, is asked for both. Gives the one that was added; nullptr if it was
/// joined to another. Throws std::invalid_argument where nothing could match both, or where no spec
/// could depend on two of this name with these deptypes.
DependencyQuery* add_dependency(SpecQuery& query, DependencyQuery dependency);

}  // namespace cacheledger
