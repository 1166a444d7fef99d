#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reports/questions/wanted/wanted_graph.hpp"

namespace cacheledger {

/// Whether a node leads to the child of one of its edges.
using Leads = std::function<bool(std::uint32_t node, const WantedEdge& edge)>;

/// The nodes that the roots reach, each behind all that it leads to. Only in a circle, which no
/// hash allows and a broken file may have, some node stands before what it leads to.
std::vector<std::uint32_t> reached_nodes(const WantedGraph& graph, const Leads& leads);

}  // namespace cacheledger
