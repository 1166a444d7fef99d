#pragma once

#include "ingest/graphs/graph/graph.hpp"
#include "schema/specs/matching/match.hpp"

namespace cacheledger {

/// The words that the ledger would have of the node (schema/ledger/nearest/nearest_specs.hpp).
SpecWords words_of(const Node& node);

}  // namespace cacheledger
