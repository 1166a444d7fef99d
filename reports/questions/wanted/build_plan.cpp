#include "reports/questions/wanted/build_plan.hpp"

#include <algorithm>
#include <tuple>

#include "reports/questions/wanted/reached_nodes.hpp"

namespace cacheledger {

BuildPlan plan_builds(const WantedGraph& graph, const std::vector<bool>& is_there) {
    const Leads leads = [&](std::uint32_t node, const WantedEdge& edge) {
        return !graph.nodes[node].is_external() &&
               (edge.is_runtime || (edge.is_build && !is_there[node]));
    };
    BuildPlan plan;
    // Of what is there, the wave of the last of what it needs: only after that it can be used.
    std::vector<std::uint32_t> waves(graph.nodes.size());
    const NeedOrder order = reached_nodes(graph, leads);
    for (const std::uint32_t node : order.nodes()) {
        for (const WantedEdge& edge : graph.nodes[node].needs) {
            if (leads(node, edge)) {
                waves[node] = std::max(waves[node], waves[edge.child]);
            }
        }
        if (!graph.nodes[node].is_external() && !is_there[node]) {
            plan.steps.push_back({node, ++waves[node]});
        }
    }
    std::ranges::sort(plan.steps, {}, [&](const BuildPlan::Step& step) {
        const SpecWords& spec = graph.nodes[step.node].spec;
        return std::tie(step.wave, spec.package, spec.hash);
    });
    return plan;
}

}  // namespace cacheledger
