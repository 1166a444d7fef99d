#include "reports/wanted/wanted_graph.hpp"

#include <SQLiteCpp/Statement.h>

#include <unordered_map>

#include "schema/nearest/nearest_specs.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

constexpr auto wanted_roots = R"(
    SELECT r.spec_id
    FROM snapshot s
    CROSS JOIN root_presence r
      ON r.series_id = s.series_id
     AND r.valid_from <= s.taken_at
     AND (r.valid_to IS NULL OR r.valid_to > s.taken_at)
    WHERE s.snapshot_id = ?1 AND s.kind = 'lock'
    UNION
    SELECT p.spec_id
    FROM snapshot s
    CROSS JOIN present_specs p ON p.snapshot_id = s.snapshot_id
    WHERE s.snapshot_id = ?1 AND s.kind <> 'lock')";

/// Follows dependencies, and gives each spec that it meets a place in a graph.
class WantedReader {
  public:
    WantedReader(SQLite::Database& database, WantedGraph& graph)
        : graph_(graph),
          words_(database),
          form_(database, "SELECT form FROM node WHERE spec_id = ?"),
          needs_(database,
                 "SELECT d.dependency_id, e.is_link OR e.is_run FROM dependency d "
                 "CROSS JOIN edge_kind e USING (edge_kind_id) WHERE d.spec_id = ?") {}

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
            rebind(form_, specs_[place]);
            if (form_.executeStep()) {
                graph_.nodes[place].form = form_.getColumn(0).getInt();
            }
            rebind(needs_, specs_[place]);
            while (needs_.executeStep()) {
                const WantedEdge edge{place_of(needs_.getColumn(0).getInt64()),
                                      needs_.getColumn(1).getInt() != 0};
                graph_.nodes[place].needs.push_back(edge);
            }
        }
    }

  private:
    WantedGraph& graph_;
    SpecReader words_;
    SQLite::Statement form_, needs_;
    std::unordered_map<std::int64_t, std::uint32_t> places_;
    std::vector<std::int64_t> specs_;  // by place
};

}  // namespace

WantedGraph wanted_of_snapshot(SQLite::Database& database, const Snapshot& snapshot) {
    WantedGraph graph;
    graph.name = snapshot.name;
    WantedReader reader(database, graph);
    SQLite::Statement roots(database, wanted_roots);
    rebind(roots, snapshot.id);
    while (roots.executeStep()) {
        graph.roots.push_back(reader.place_of(roots.getColumn(0).getInt64()));
    }
    reader.follow();
    return graph;
}

}  // namespace cacheledger
