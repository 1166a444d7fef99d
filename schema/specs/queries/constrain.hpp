#pragma once

#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// Adds to a query what another one asks of the same spec. Throws std::invalid_argument where
/// nothing could match both, or only the ranges of both: "asks for two versions, 1.2: and :1.4".
void constrain(SpecQuery& query, const SpecQuery& more);

}  // namespace cacheledger
