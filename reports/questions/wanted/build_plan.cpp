#include "reports/questions/wanted/build_plan.hpp"

#include <algorithm>
#include <tuple>

#include "reports/questions/wanted/reached_nodes.hpp"

namespace cacheledger {

namespace {

/// What a node must have before it can be built, or used if it is there. Both must outlive it.
Leads leads_of_builds(const WantedGraph& graph, const std::vector<bool>& is_there) {
    return [&](std::uint32_t node, const WantedEdge& edge) {
        return !graph.nodes[node].is_external() &&
               (edge.is_runtime || (edge.is_build && !is_there[node]));
    };
}

}  // namespace

BuildPlan plan_builds(const WantedGraph& graph, const std::vector<bool>& is_there) {
    const Leads leads = leads_of_builds(graph, is_there);
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

BuildChain longest_chain(const WantedGraph& graph, const std::vector<bool>& is_there,
                         const std::vector<std::int64_t>& milliseconds) {
    const Leads leads = leads_of_builds(graph, is_there);
    const auto is_built = [&](std::uint32_t node) {
        return !graph.nodes[node].is_external() && !is_there[node];
    };
    constexpr auto none = static_cast<std::uint32_t>(-1);
    std::vector<std::int64_t> ends(graph.nodes.size());  // when each is there
    std::vector<std::uint32_t> before(graph.nodes.size(), none);
    std::uint32_t last = none;
    const NeedOrder order = reached_nodes(graph, leads);
    for (const std::uint32_t node : order.nodes()) {
        for (const WantedEdge& edge : graph.nodes[node].needs) {
            if (leads(node, edge) && ends[edge.child] > ends[node]) {
                ends[node] = ends[edge.child];
                before[node] = edge.child;
            }
        }
        ends[node] += is_built(node) ? milliseconds[node] : 0;
        if (ends[node] > 0 && (last == none || ends[node] > ends[last])) {
            last = node;
        }
    }
    BuildChain chain;
    chain.milliseconds = last == none ? 0 : ends[last];
    for (std::uint32_t node = last; node != none; node = before[node]) {
        if (is_built(node)) {
            chain.nodes.push_back(node);
        }
    }
    std::ranges::reverse(chain.nodes);
    return chain;
}

}  // namespace cacheledger
