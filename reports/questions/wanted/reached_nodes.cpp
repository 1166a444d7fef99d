#include "reports/questions/wanted/reached_nodes.hpp"

#include <cstddef>

namespace cacheledger {

namespace {

class ReachedNodes {
  public:
    ReachedNodes(const WantedGraph& graph, const Leads& leads)
        : graph_(graph), leads_(leads), is_met_(graph.nodes.size()) {
        for (const std::uint32_t root : graph.roots) {
            follow(root);
        }
    }

    std::vector<std::uint32_t> order;

  private:
    struct Step {
        std::uint32_t node = 0;
        std::size_t next = 0;  // edge
    };

    void follow(std::uint32_t start) {
        std::vector<Step> path;
        enter(start, path);
        while (!path.empty()) {
            Step& step = path.back();
            const auto& edges = graph_.nodes[step.node].needs;
            if (step.next == edges.size()) {
                order.push_back(step.node);
                path.pop_back();
            } else if (const WantedEdge& edge = edges[step.next++]; leads_(step.node, edge)) {
                enter(edge.child, path);
            }
        }
    }

    void enter(std::uint32_t node, std::vector<Step>& path) {
        if (!is_met_[node]) {
            is_met_[node] = true;
            path.push_back({node, 0});
        }
    }

    const WantedGraph& graph_;
    const Leads& leads_;
    std::vector<bool> is_met_;
};

}  // namespace

std::vector<std::uint32_t> reached_nodes(const WantedGraph& graph, const Leads& leads) {
    return ReachedNodes(graph, leads).order;
}

}  // namespace cacheledger
