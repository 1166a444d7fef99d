#include "reports/questions/wanted/wanted_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "schema/ledger/graph/needed_by.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr auto wanted_roots = R"(
    SELECT r.spec_id, r.root, r.root_group
    FROM snapshot s
    CROSS JOIN root_presence r
      ON r.series_id = s.series_id
     AND r.valid_from <= s.taken_at
     AND (r.valid_to IS NULL OR r.valid_to > s.taken_at)
    WHERE s.snapshot_id = ?1 AND s.kind = 'lock'
    UNION
    SELECT p.spec_id, '', NULL
    FROM snapshot s
    CROSS JOIN present_specs p ON p.snapshot_id = s.snapshot_id
    WHERE s.snapshot_id = ?1 AND s.kind <> 'lock')";

/// All that a lock file lists; nothing of another snapshot.
std::unordered_set<std::int64_t> specs_of_lock(SQLite::Database& database,
                                               std::int64_t snapshot_id) {
    return rows<std::int64_t>(database,
                              "SELECT p.spec_id FROM snapshot s "
                              "CROSS JOIN present_specs p USING (snapshot_id) "
                              "WHERE s.snapshot_id = ? AND s.kind = 'lock'",
                              snapshot_id)
        .to<std::unordered_set<std::int64_t>>();
}

/// Follows dependencies, and gives each spec that it meets a place in a graph. A dependency that is
/// not part of the hash may be that of another lock file, if this one does not list it.
class WantedReader {
  public:
    WantedReader(SQLite::Database& database, WantedGraph& graph, std::int64_t snapshot_id)
        : graph_(graph),
          of_lock_(specs_of_lock(database, snapshot_id)),
          words_(database),
          form_(database, "SELECT form FROM node WHERE spec_id = ?"),
          needs_(database,
                 "SELECT d.dependency_id, e.is_link OR e.is_run, e.since, k.is_build FROM "
                 "dependency d "
                 "CROSS JOIN edge_kinds e USING (edge_kind_id) "
                 "CROSS JOIN edge_kind k USING (edge_kind_id) WHERE d.spec_id = ?") {}

    std::uint32_t place_of(std::int64_t spec_id) {
        const auto [found, is_new] =
            places_.emplace(spec_id, static_cast<std::uint32_t>(graph_.nodes.size()));
        if (is_new) {
            graph_.nodes.push_back({words_.read(spec_id), std::nullopt, {}});
            specs_.push_back(spec_id);
        }
        return found->second;
    }

    // Reads what the specs need that were met, and those met meanwhile.
    void follow() {
        for (std::size_t place = 0; place < specs_.size(); ++place) {
            graph_.nodes[place].form = form_(specs_[place]).first();
            for (const auto& [child, is_runtime, since, is_build] : needs_(specs_[place])) {
                if (since <= graph_.nodes[place].form || of_lock_.empty() ||
                    of_lock_.contains(child)) {
                    const WantedEdge edge{place_of(child), is_runtime, is_build, since};
                    graph_.nodes[place].needs.push_back(edge);
                }
            }
        }
    }

  private:
    WantedGraph& graph_;
    std::unordered_set<std::int64_t> of_lock_;
    SpecReader words_;
    Select<int> form_;
    Select<std::int64_t, bool, int, bool> needs_;
    std::unordered_map<std::int64_t, std::uint32_t> places_;
    std::vector<std::int64_t> specs_;  // by place
};

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

/// Whether a node leads to the child of one of its edges.
using Leads = std::function<bool(std::uint32_t node, const WantedEdge& edge)>;

/// The nodes that the roots reach, and the edges between them that lead on.
NeedOrder reached_nodes(const WantedGraph& graph, const Leads& leads) {
    const auto below = [&](std::uint32_t node, const auto& add) {
        for (const WantedEdge& edge : graph.nodes[node].needs) {
            if (leads(node, edge)) {
                add(edge.child);
            }
        }
    };
    std::vector<bool> met(graph.nodes.size());
    std::vector<std::uint32_t> open;
    const auto enter = [&](std::uint32_t node) {
        if (!met[node]) {
            met[node] = true;
            open.push_back(node);
        }
    };
    for (const WantedRoot& root : graph.roots) {
        enter(root.node);
    }
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        below(node, enter);
    }
    return {met, below};
}

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

/// What a node must have before it can be built, or used if it is there. Both must outlive it.
Leads leads_of_builds(const WantedGraph& graph, const std::vector<bool>& is_there) {
    return [&](std::uint32_t node, const WantedEdge& edge) {
        return !graph.nodes[node].is_external() &&
               (edge.is_runtime || (edge.is_build && !is_there[node]));
    };
}

/// Roots that are told apart from the others.
struct RootPart {
    RootCoverage told;
    std::vector<WantedRoot> roots;
};

RootPart& part_of_group(const std::string& name, std::vector<RootPart>& parts) {
    const auto found =
        std::ranges::find(parts, name, [](const RootPart& part) { return part.told.name; });
    if (found != parts.end()) {
        ++found->told.roots;
        return *found;
    }
    parts.emplace_back().told.name = name;
    return parts.back();
}

std::vector<RootPart> parts_of(const WantedGraph& graph, RootsBy by) {
    std::vector<RootPart> parts;
    for (const WantedRoot& root : graph.roots) {
        const SpecWords& spec = graph.nodes[root.node].spec;
        if (by == RootsBy::group) {
            part_of_group(root.group.value_or(""), parts).roots.push_back(root);
            continue;
        }
        RootPart& part = parts.emplace_back();
        part.told.name = !root.text.empty() ? root.text
                         : spec.version     ? fmt::format("{}@{}", spec.package, *spec.version)
                                            : spec.package;
        part.told.hash = spec.hash;
        part.roots.push_back(root);
    }
    return parts;
}

}  // namespace

WantedGraph wanted_of_snapshot(SQLite::Database& database, const Snapshot& snapshot) {
    WantedGraph graph;
    graph.name = snapshot.name;
    WantedReader reader(database, graph, snapshot.id);
    for (auto&& [spec_id, root, group] :
         rows<std::int64_t, std::string, std::optional<std::string>>(database, wanted_roots,
                                                                     snapshot.id)) {
        graph.roots.push_back({reader.place_of(spec_id), root, group});
    }
    reader.follow();
    return graph;
}

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
        for (const WantedRoot& root : graph->roots) {
            merged.roots.push_back({place_of[root.node], root.text, root.group});
        }
    }
    return merged;
}

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

std::vector<RootCoverage> cover_by(WantedGraph graph, const std::vector<bool>& is_there,
                                   RootsBy by) {
    std::vector<RootPart> parts = parts_of(graph, by);
    std::vector<std::vector<std::uint32_t>> builds(parts.size());
    std::vector<std::size_t> users(graph.nodes.size());  // how many parts must build each node
    for (std::size_t i = 0; i < parts.size(); ++i) {
        graph.roots = parts[i].roots;
        RootCoverage& told = parts[i].told;
        told.runtime = close_over(graph, is_there, Needs::runtime).count();
        std::set<std::string> first;
        for (const auto& [node, wave] : plan_builds(graph, is_there).steps) {
            builds[i].push_back(node);
            ++users[node];
            if (wave == 1) {
                first.insert(graph.nodes[node].spec.package);
            }
        }
        told.to_build = std::ssize(builds[i]);
        told.first.assign(first.begin(), first.end());
    }
    std::vector<RootCoverage> all;
    all.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i].told.alone =
            std::ranges::count(builds[i], 1U, [&](std::uint32_t node) { return users[node]; });
        all.push_back(std::move(parts[i].told));
    }
    std::ranges::stable_sort(all, {}, [](const RootCoverage& one) {
        return std::tuple(-one.to_build, one.name, one.hash);
    });
    return all;
}

}  // namespace cacheledger
