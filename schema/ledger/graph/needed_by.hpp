#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schema/ledger/graph/spec_graph.hpp"

namespace cacheledger {

/// Some nodes of a graph, and the edges between them that count: a walk that is made many times.
/// Nodes are known by their places in an order in which each stands after those that it needs (but
/// for circles, which only a file that lies has).
class NeedOrder {
  public:
    /// Of the edges between `specs`, those that `follows(spec, edge)` takes.
    template <typename Follows>
    NeedOrder(const SpecGraph& graph, const SpecSet& specs, const Follows& follows)
        : NeedOrder(specs, [&](std::uint32_t spec, const auto& add) {
              for (const SpecGraph::Edge& edge : graph.dependencies(spec)) {
                  if (specs[edge.spec] && follows(spec, edge)) {
                      add(edge.spec);
                  }
              }
          }) {}
    /// Of any nodes, by number: `below(node, add)` calls `add` with those among them that it needs.
    template <typename Below>
    NeedOrder(const std::vector<bool>& nodes, const Below& below) {
        std::vector<std::size_t> ends(nodes.size());
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            if (nodes[node]) {
                below(node, [&](std::uint32_t needed) { below_.push_back(needed); });
            }
            ends[node] = below_.size();
        }
        arrange(nodes, ends);
    }

    /// The nodes, by place.
    const std::vector<std::uint32_t>& nodes() const { return nodes_; }
    /// Only of one of nodes().
    std::uint32_t place(std::uint32_t node) const { return places_[node]; }

    /// Adds (|=) to the value of each place those of all that its node needs, directly or not.
    template <typename Value>
    void gather(std::vector<Value>& values) const {
        for (bool has_grown = true; has_grown;) {
            has_grown = false;
            std::size_t next = 0;
            for (std::size_t place = 0; place < ends_.size(); ++place) {
                Value all = values[place];
                for (; next < ends_[place]; ++next) {
                    all |= values[below_[next]];
                }
                has_grown = has_grown || (has_circle_ && !(all == values[place]));
                values[place] = all;
            }
        }
    }

  private:
    void arrange(const std::vector<bool>& nodes, const std::vector<std::size_t>& ends);

    std::vector<std::uint32_t> nodes_, places_;
    std::vector<std::uint32_t> below_;  // places, those of one node together
    std::vector<std::size_t> ends_;     // of these, by place
    bool has_circle_ = false;
};

/// How many need something, directly or not.
struct NeededBy {
    std::int64_t users = 0;    ///< those that need it, and those that it is itself
    std::int64_t classes = 0;  ///< classes of users that have one of these
};

/// For each group of specs, who needs one of it, itself counted. All are specs of the order; users
/// are given by classes, such as packages. Takes time in proportion to the edges and users, for
/// each 64 groups.
std::vector<NeededBy> count_needed_by(const NeedOrder& order,
                                      std::span<const std::vector<std::uint32_t>> groups,
                                      std::span<const std::vector<std::uint32_t>> users);

}  // namespace cacheledger
