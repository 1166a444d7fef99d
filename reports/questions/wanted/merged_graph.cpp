#include "reports/questions/wanted/merged_graph.hpp"

#include <algorithm>
#include <unordered_map>

namespace cacheledger {

namespace {

void add_edge(std::vector<WantedEdge>& edges, const WantedEdge& edge) {
    const auto same = std::ranges::find(edges, edge.child, &WantedEdge::child);
    if (same == edges.end()) {
        edges.push_back(edge);
        return;
    }
    same->is_runtime |= edge.is_runtime;
    same->is_build |= edge.is_build;
    same->since = std::min(same->since, edge.since);
}

}  // namespace

WantedGraph merged_graph(const std::string& name, const std::vector<const WantedGraph*>& graphs) {
    WantedGraph merged;
    merged.name = name;
    std::unordered_map<std::string, std::uint32_t> places;
    for (const WantedGraph* const graph : graphs) {
        std::vector<std::uint32_t> place_of;
        place_of.reserve(graph->nodes.size());
        for (const WantedNode& node : graph->nodes) {
            const auto [found, is_new] =
                places.emplace(node.spec.hash, static_cast<std::uint32_t>(merged.nodes.size()));
            if (is_new) {
                merged.nodes.push_back({node.spec, node.form, {}});
            } else if (!merged.nodes[found->second].form) {
                merged.nodes[found->second].spec = node.spec;
                merged.nodes[found->second].form = node.form;
            }
            place_of.push_back(found->second);
        }
        for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
            for (WantedEdge edge : graph->nodes[i].needs) {
                edge.child = place_of[edge.child];
                add_edge(merged.nodes[place_of[i]].needs, edge);
            }
        }
        for (const std::uint32_t root : graph->roots) {
            merged.roots.push_back(place_of[root]);
        }
    }
    return merged;
}

}  // namespace cacheledger
