#include "reports/wanted/closure.hpp"

#include <algorithm>
#include <bit>

namespace cacheledger {

namespace {

bool counts_for(Needs needs, const WantedEdge& edge) {
    return needs == Needs::all || edge.is_runtime;
}

/// The nodes that the roots reach, each behind all that it needs. Only in a circle, which no hash
/// allows and a broken file may have, some node stands before what it needs.
class ReachedNodes {
  public:
    ReachedNodes(const WantedGraph& graph, Needs needs)
        : graph_(graph), needs_(needs), is_met_(graph.nodes.size()) {
        for (const std::uint32_t root : graph.roots) {
            follow(root);
        }
    }

    const std::vector<std::uint32_t>& in_order() const { return order_; }

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
                order_.push_back(step.node);
                path.pop_back();
            } else if (const WantedEdge& edge = edges[step.next++]; counts_for(needs_, edge)) {
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
    Needs needs_;
    std::vector<bool> is_met_;
    std::vector<std::uint32_t> order_;
};

/// Counts who needs what is missing. It takes as many missing nodes at a time as a word has bits:
/// each node then has the set of those that it needs in one word.
class DependentCount {
  public:
    DependentCount(const WantedGraph& graph, Needs needs, const std::vector<std::uint32_t>& order,
                   WantedClosure& closure)
        : graph_(graph),
          needs_(needs),
          order_(order),
          closure_(closure),
          needed_(graph.nodes.size()) {}

    void run() {
        std::vector<std::uint32_t> batch;
        for (const std::uint32_t node : order_) {
            if (closure_.missing[node]) {
                batch.push_back(node);
            }
            if (batch.size() == 64) {
                count(batch);
                batch.clear();
            }
        }
        count(batch);
    }

  private:
    void count(const std::vector<std::uint32_t>& batch) {
        std::ranges::fill(needed_, 0);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            needed_[batch[i]] = std::uint64_t{1} << i;
        }
        // The order makes the second time the last, unless there is a circle.
        while (spread()) {
        }
        for (const std::uint32_t node : order_) {
            if (!closure_.wanted[node]) {
                continue;
            }
            for (std::uint64_t rest = needed_[node]; rest != 0; rest &= rest - 1) {
                const std::uint32_t needed =
                    batch[static_cast<std::size_t>(std::countr_zero(rest))];
                if (needed != node) {
                    ++closure_.dependents[needed];
                    closure_.frontier[node] = false;
                }
            }
        }
    }

    // Whether a set grew.
    bool spread() {
        bool has_grown = false;
        for (const std::uint32_t node : order_) {
            const std::uint64_t before = needed_[node];
            for (const WantedEdge& edge : graph_.nodes[node].needs) {
                if (counts_for(needs_, edge)) {
                    needed_[node] |= needed_[edge.child];
                }
            }
            has_grown |= needed_[node] != before;
        }
        return has_grown;
    }

    const WantedGraph& graph_;
    Needs needs_;
    const std::vector<std::uint32_t>& order_;
    WantedClosure& closure_;
    std::vector<std::uint64_t> needed_;  // of the batch, by node
};

}  // namespace

std::int64_t WantedClosure::num_wanted() const {
    return std::ranges::count(wanted, true);
}

std::int64_t WantedClosure::num_missing() const {
    return std::ranges::count(missing, true);
}

WantedClosure close_over(const WantedGraph& graph, const std::vector<bool>& is_there, Needs needs) {
    const ReachedNodes reached(graph, needs);
    WantedClosure closure;
    closure.wanted.resize(graph.nodes.size());
    closure.missing.resize(graph.nodes.size());
    closure.dependents.resize(graph.nodes.size());
    for (const std::uint32_t node : reached.in_order()) {
        closure.wanted[node] = !graph.nodes[node].is_external();
        closure.num_external += closure.wanted[node] ? 0 : 1;
        closure.missing[node] = closure.wanted[node] && !is_there[node];
    }
    closure.frontier = closure.missing;
    DependentCount(graph, needs, reached.in_order(), closure).run();
    return closure;
}

}  // namespace cacheledger
