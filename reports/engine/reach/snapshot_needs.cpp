// What the specs of a snapshot need, and the snapshot does not list.

#include <cstdint>
#include <vector>

#include "reports/engine/present/snapshot_specs.hpp"
#include "reports/engine/reach/fill_tables.hpp"
#include "schema/ledger/graph/needed_by.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

void fill_absent_specs(const SQLite::Database& database, const Arguments& arguments) {
    const SnapshotSpecs listed = specs_of_snapshot(database, arguments.at("at"));
    const SpecGraph graph(database, listed.specs);
    const SpecSet needed = with_dependencies(graph, listed.specs, graph.runtime());
    std::vector<std::vector<std::uint32_t>> absent;
    const Write unknown(database, "INSERT INTO temp.unknown_specs VALUES (?)");
    for (const std::uint32_t spec : members(needed)) {
        if (!listed.specs[spec]) {
            absent.push_back({spec});
        } else if (graph.form(spec) == 0) {
            unknown(spec);
        }
    }
    if (absent.empty()) {
        return;
    }
    const auto counted =
        count_needed_by(NeedOrder(graph, needed, graph.runtime()), absent, listed.by_package);
    const Write insert(database, "INSERT INTO temp.absent_specs VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < absent.size(); ++i) {
        insert(absent[i][0], counted[i].users, counted[i].classes);
    }
}

void fill_beyond_specs(const SQLite::Database& database, const Arguments& arguments) {
    const SpecSet listed = specs_of_snapshot(database, arguments.at("at")).specs;
    const SpecGraph graph(database, listed);
    const SpecSet reached = with_dependencies(graph, listed, SpecGraph::all_edges());
    const Write insert(database, "INSERT INTO temp.beyond_specs VALUES (?)");
    for (const std::uint32_t spec : members(reached)) {
        if (!listed[spec]) {
            insert(spec);
        }
    }
}

}  // namespace cacheledger
