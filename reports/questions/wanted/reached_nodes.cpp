#include "reports/questions/wanted/reached_nodes.hpp"

#include <vector>

namespace cacheledger {

NeedOrder reached_nodes(const WantedGraph& graph, const Leads& leads) {
    const auto below = [&](std::uint32_t node, const auto& add) {
        for (const WantedEdge& edge : graph.nodes[node].needs) {
            if (leads(node, edge)) {
                add(edge.child);
            }
        }
    };
    std::vector<bool> met(graph.nodes.size());
    std::vector<std::uint32_t> open;
    const auto enter = [&](std::uint32_t node) {
        if (!met[node]) {
            met[node] = true;
            open.push_back(node);
        }
    };
    for (const std::uint32_t root : graph.roots) {
        enter(root);
    }
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        below(node, enter);
    }
    return {met, below};
}

}  // namespace cacheledger
