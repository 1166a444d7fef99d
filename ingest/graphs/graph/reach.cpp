#include "ingest/graphs/graph/reach.hpp"

namespace cacheledger {

void reach(const Graph& graph, const std::vector<std::uint32_t>& nodes,
           std::vector<bool>& reached) {
    std::vector<std::uint32_t> waiting = nodes;
    while (!waiting.empty()) {
        const std::uint32_t index = waiting.back();
        waiting.pop_back();
        if (reached[index]) {
            continue;
        }
        reached[index] = true;
        const Node& node = graph.nodes[index];
        for (std::uint32_t i = 0; i < node.num_edges; ++i) {
            waiting.push_back(graph.edges[node.first_edge + i].child);
        }
    }
}

}  // namespace cacheledger
