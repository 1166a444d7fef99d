#include "reports/engine/compared/pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cacheledger {

namespace {

// A build has few partners. Only files made for it would have as many pairs as there are
// two builds of a name.
constexpr std::size_t most_partners = 16;

/// An edge to a dependency. In this order the edges of two builds belong together: by name and
/// type, then those for the same virtuals ("c,cxx"), then the lower version. What is left belongs
/// together by name.
struct Edge {
    std::uint32_t package = 0, deptypes = 0;
    std::string virtuals, version_key, hash;
    std::uint32_t spec = 0;

    auto operator<=>(const Edge&) const = default;
    auto kind() const { return std::pair(package, deptypes); }
};

using Edges = std::vector<Edge>;

Edges without(const Edges& edges, const Edges& others) {
    Edges rest;
    std::ranges::set_difference(edges, others, std::back_inserter(rest));
    return rest;
}

class Pairs {
  public:
    Pairs(const SpecGraph& graph, SpecReading& reading) : graph_(graph), reading_(reading) {}

    void add_from(std::uint32_t before, std::uint32_t after) {
        place_of(before, after, 0);
        for (std::size_t next = 0; next < pairs_.size(); ++next) {  // it grows meanwhile
            const auto [old_spec, new_spec, id, depth, below] = pairs_[next];
            const int old_form = graph_.form(old_spec);
            const int new_form = graph_.form(new_spec);
            const int form = old_form == 0 || new_form == 0 ? std::max(old_form, new_form)
                                                            : std::min(old_form, new_form);
            const Edges old_edges = edges_of(old_spec, form);
            const Edges new_edges = edges_of(new_spec, form);
            Edges gone = without(old_edges, new_edges);
            Edges come = without(new_edges, old_edges);
            add_below(next, depth + 1, gone, come, &Edge::kind);
            add_below(next, depth + 1, gone, come, [](const Edge& edge) { return edge.package; });
        }
    }

    /// The pairs as nodes by id, each the only one of its group.
    void write_to(Compared& compared) const {
        std::vector<std::uint32_t> order(pairs_.size());
        for (std::uint32_t place = 0; place < order.size(); ++place) {
            order[place] = place;
        }
        std::ranges::sort(order, {}, [&](std::uint32_t place) { return pairs_[place].id; });
        std::vector<std::uint32_t> places(order.size());
        for (std::uint32_t place = 0; place < order.size(); ++place) {
            places[order[place]] = place;
        }
        compared.nodes.clear();
        compared.earlier.clear();
        for (const std::uint32_t group : order) {
            const Pair& pair = pairs_[group];
            Compared::NewNode& node = compared.nodes.emplace_back(
                Compared::NewNode{pair.id, pair.after, group, pair.depth});
            for (const std::size_t below : pair.below) {
                node.below.push_back(places[below]);
            }
            std::ranges::sort(node.below);
            node.below.erase(std::unique(node.below.begin(), node.below.end()), node.below.end());
            compared.earlier.push_back({pair.before, group, true});
        }
    }

  private:
    struct Pair {
        std::uint32_t before = 0, after = 0;
        std::int64_t id = 0, depth = 0;
        std::vector<std::size_t> below{};
    };

    Edges edges_of(std::uint32_t spec, int form) {
        Edges edges;
        for (const SpecGraph::Edge& edge : graph_.dependencies(spec)) {
            const DependencyKind& kind = graph_.kinds()[edge.kind];
            if (kind.since <= form) {
                const SpecFacts& facts = reading_.facts(edge.spec);
                edges.push_back({facts.package, kind.deptypes_id, kind.virtuals.value_or(""),
                                 reading_.version_key(facts.version), reading_.hash(edge.spec),
                                 edge.spec});
            }
        }
        std::ranges::sort(edges);
        return edges;
    }

    // Pairs the edges that are of one kind, and leaves the others.
    template <typename KindOf>
    void add_below(std::size_t above, std::int64_t depth, Edges& before, Edges& after,
                   const KindOf& kind) {
        Edges old_rest;
        Edges new_rest;
        auto old_edge = before.begin();
        auto new_edge = after.begin();
        while (old_edge != before.end() && new_edge != after.end()) {
            const auto order = std::invoke(kind, *old_edge) <=> std::invoke(kind, *new_edge);
            if (order < 0) {
                old_rest.push_back(*old_edge++);
            } else if (order > 0) {
                new_rest.push_back(*new_edge++);
            } else if (const auto below = place_of((old_edge++)->spec, (new_edge++)->spec, depth)) {
                pairs_[above].below.push_back(*below);
            }
        }
        before.erase(before.begin(), old_edge);
        after.erase(after.begin(), new_edge);
        before.insert(before.begin(), old_rest.begin(), old_rest.end());
        after.insert(after.begin(), new_rest.begin(), new_rest.end());
    }

    // The first pair of a build has the id of the build. nullopt: the two are one, or have too many
    // partners.
    std::optional<std::size_t> place_of(std::uint32_t before, std::uint32_t after,
                                        std::int64_t depth) {
        if (before == after) {
            return std::nullopt;
        }
        auto& partners = places_[after];
        if (const auto known = partners.find(before); known != partners.end()) {
            return known->second;
        }
        if (partners.size() == most_partners || replaced_[before] == most_partners) {
            return std::nullopt;
        }
        ++replaced_[before];
        const std::int64_t id =
            partners.empty() ? after : -static_cast<std::int64_t>(pairs_.size());
        partners.emplace(before, pairs_.size());
        pairs_.push_back({before, after, id, depth});
        return pairs_.size() - 1;
    }

    const SpecGraph& graph_;
    SpecReading& reading_;
    std::vector<Pair> pairs_;
    std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> places_;  // by later, earlier
    std::map<std::uint32_t, std::size_t> replaced_;  // how often each earlier build
};

}  // namespace

void pair_builds(const ListedGraph& listed, SpecReading& reading, Compared& compared) {
    for (const std::uint32_t before : members(listed.from)) {
        for (const std::uint32_t after : members(listed.to)) {
            if (before != after && reading.facts(before).package == reading.facts(after).package) {
                Pairs pairs(listed.graph, reading);
                pairs.add_from(before, after);
                pairs.write_to(compared);
                compared.is_new[after] = true;
                return;
            }
        }
    }
}

}  // namespace cacheledger
