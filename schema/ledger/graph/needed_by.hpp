#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "schema/ledger/graph/spec_graph.hpp"

namespace cacheledger {

/// Some specs of a graph, and the edges between them that count: a walk that is made many times.
/// Specs are known by their places in an order in which each stands after those that it needs (but
/// for circles, which only a file that lies has).
class NeedOrder {
  public:
    /// Of the edges between `specs`, those that `follows(spec, edge)` takes.
    template <typename Follows>
    NeedOrder(const SpecGraph& graph, const SpecSet& specs, const Follows& follows)
        : specs_(dependencies_first(graph, specs)), places_(graph.size()) {
        for (std::uint32_t place = 0; place < specs_.size(); ++place) {
            places_[specs_[place]] = place;
        }
        for (std::uint32_t place = 0; place < specs_.size(); ++place) {
            for (const SpecGraph::Edge& edge : graph.dependencies(specs_[place])) {
                if (specs[edge.spec] && follows(specs_[place], edge)) {
                    below_.push_back(places_[edge.spec]);
                    has_circle_ = has_circle_ || places_[edge.spec] >= place;
                }
            }
            ends_.push_back(below_.size());
        }
    }

    const std::vector<std::uint32_t>& specs() const { return specs_; }
    /// Only of one of specs().
    std::uint32_t place(std::uint32_t spec) const { return places_[spec]; }

    /// Adds (|=) to the value of each place those of all that its spec needs, directly or not.
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
    std::vector<std::uint32_t> specs_, places_;
    std::vector<std::uint32_t> below_;  // places, those of one spec together
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
