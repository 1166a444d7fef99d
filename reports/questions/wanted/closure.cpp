#include "reports/questions/wanted/closure.hpp"

#include <algorithm>
#include <utility>

#include "reports/questions/wanted/reached_nodes.hpp"

namespace cacheledger {

namespace {

bool counts_for(Needs needs, const WantedEdge& edge) {
    return needs == Needs::all || edge.is_runtime;
}

/// 64 numbers, each the number of sets with one bit. A bit of all numbers is in one word, so a set
/// is added in two steps on average, however many bits it has.
class BitCounts {
  public:
    void add(std::uint64_t set) {
        for (std::size_t i = 0; set != 0; ++i) {
            if (i == digits_.size()) {
                digits_.push_back(0);
            }
            set &= std::exchange(digits_[i], digits_[i] ^ set);
        }
    }

    std::int64_t of(std::size_t bit) const {
        std::int64_t number = 0;
        for (std::size_t i = 0; i < digits_.size(); ++i) {
            number |= static_cast<std::int64_t>(digits_[i] >> bit & 1U) << i;
        }
        return number;
    }

  private:
    std::vector<std::uint64_t> digits_;  // the lowest first
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
          needed_(graph.nodes.size()),
          own_(graph.nodes.size()) {}

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
            needed_[batch[i]] = own_[batch[i]] = std::uint64_t{1} << i;
        }
        // The order makes the second time the last, unless there is a circle.
        while (spread()) {
        }
        BitCounts counts;
        for (const std::uint32_t node : order_) {
            if (!closure_.wanted[node]) {
                continue;
            }
            const std::uint64_t others = needed_[node] & ~own_[node];
            counts.add(others);
            closure_.frontier[node] = closure_.frontier[node] && others == 0;
        }
        for (std::size_t i = 0; i < batch.size(); ++i) {
            closure_.dependents[batch[i]] = counts.of(i);
            own_[batch[i]] = 0;
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
    std::vector<std::uint64_t> own_;     // the bit of a node of the batch itself
};

}  // namespace

std::int64_t WantedClosure::num_wanted() const {
    return std::ranges::count(wanted, true);
}

std::int64_t WantedClosure::num_missing() const {
    return std::ranges::count(missing, true);
}

WantedClosure close_over(const WantedGraph& graph, const std::vector<bool>& is_there, Needs needs) {
    const auto reached = reached_nodes(
        graph, [needs](std::uint32_t, const WantedEdge& edge) { return counts_for(needs, edge); });
    WantedClosure closure;
    closure.wanted.resize(graph.nodes.size());
    closure.missing.resize(graph.nodes.size());
    closure.dependents.resize(graph.nodes.size());
    for (const std::uint32_t node : reached) {
        closure.wanted[node] = !graph.nodes[node].is_external();
        closure.num_external += closure.wanted[node] ? 0 : 1;
        closure.missing[node] = closure.wanted[node] && !is_there[node];
    }
    closure.frontier = closure.missing;
    DependentCount(graph, needs, reached, closure).run();
    return closure;
}

}  // namespace cacheledger
