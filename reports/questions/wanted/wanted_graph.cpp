#include "reports/questions/wanted/wanted_graph.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/sqlite/statements/rows.hpp"

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

}  // namespace cacheledger
