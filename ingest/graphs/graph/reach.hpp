#pragma once

#include <cstdint>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"

namespace cacheledger {

/// Adds to `reached`, by index into Graph::nodes, these nodes and all that they need, directly or
/// not. What is reached already has been followed.
void reach(const Graph& graph, const std::vector<std::uint32_t>& nodes, std::vector<bool>& reached);

}  // namespace cacheledger
