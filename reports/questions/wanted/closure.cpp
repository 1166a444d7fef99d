#include "reports/questions/wanted/closure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/questions/wanted/reached_nodes.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

/// Nodes, as far as there is only one of them.
struct SoleNode {
    std::uint32_t number = 0;  ///< one more than the place of the node; 0: there is none
    bool has_others = false;

    SoleNode& operator|=(const SoleNode& more) {
        has_others = has_others || more.has_others ||
                     (number != 0 && more.number != 0 && number != more.number);
        number = std::max(number, more.number);
        return *this;
    }
    bool operator==(const SoleNode&) const = default;
};

}  // namespace

double CoverageCount::percent() const {
    return specs == 0 ? 100.0 : 100.0 * static_cast<double>(covered) / static_cast<double>(specs);
}

std::string percent_text(double percent) {
    return fmt::format("{:.1f} %", std::floor(percent * 10) / 10);
}

std::optional<std::string> remark_on_external(std::int64_t external) {
    if (external == 0) {
        return std::nullopt;
    }
    return fmt::format("{} left out.", counted(external, "external spec is", "external specs are"));
}

std::int64_t WantedClosure::num_wanted() const {
    return std::ranges::count(wanted, true);
}

std::int64_t WantedClosure::num_missing() const {
    return std::ranges::count(missing, true);
}

WantedClosure close_over(const WantedGraph& graph, const std::vector<bool>& is_there, Needs needs) {
    const NeedOrder order = reached_nodes(graph, [needs](std::uint32_t, const WantedEdge& edge) {
        return needs == Needs::all || edge.is_runtime;
    });
    WantedClosure closure;
    closure.wanted.resize(graph.nodes.size());
    closure.missing.resize(graph.nodes.size());
    closure.frontier.resize(graph.nodes.size());
    closure.dependents.resize(graph.nodes.size());
    std::array<std::vector<std::uint32_t>, 1> wanted;
    std::vector<std::vector<std::uint32_t>> missing;
    std::vector<SoleNode> missing_below(order.nodes().size());  // itself counted
    for (const std::uint32_t node : order.nodes()) {
        if (graph.nodes[node].is_external()) {
            ++closure.num_external;
            continue;
        }
        closure.wanted[node] = true;
        wanted.front().push_back(node);
        if (!is_there[node]) {
            closure.missing[node] = true;
            missing.push_back({node});
            missing_below[order.place(node)].number = node + 1;
        }
    }
    order.gather(missing_below);
    const std::vector<NeededBy> needed = count_needed_by(order, missing, wanted);
    for (std::size_t i = 0; i < missing.size(); ++i) {
        const std::uint32_t node = missing[i].front();
        closure.frontier[node] = !missing_below[order.place(node)].has_others;
        closure.dependents[node] = needed[i].users - 1;
    }
    return closure;
}

}  // namespace cacheledger
