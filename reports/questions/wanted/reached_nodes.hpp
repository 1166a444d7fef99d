#pragma once

#include <cstdint>
#include <functional>

#include "reports/questions/wanted/wanted_graph.hpp"
#include "schema/ledger/graph/needed_by.hpp"

namespace cacheledger {

/// Whether a node leads to the child of one of its edges.
using Leads = std::function<bool(std::uint32_t node, const WantedEdge& edge)>;

/// The nodes that the roots reach, and the edges between them that lead on.
NeedOrder reached_nodes(const WantedGraph& graph, const Leads& leads);

}  // namespace cacheledger
