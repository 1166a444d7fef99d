#include "reports/engine/drift/listed_graph.hpp"

#include <utility>

#include "reports/engine/present/snapshot_specs.hpp"

namespace cacheledger {

namespace {

ListedGraph graph_of(const SQLite::Database& database, SpecSet from, SpecSet to) {
    SpecSet both = from;
    for (const std::uint32_t spec : members(to)) {
        both[spec] = true;
    }
    return {std::move(from), std::move(to), SpecGraph(database, both)};
}

}  // namespace

ListedGraph ListedGraph::of_snapshots(const SQLite::Database& database, const std::string& from,
                                      const std::string& to) {
    return graph_of(database, specs_of_snapshot(database, from).specs,
                    specs_of_snapshot(database, to).specs);
}

ListedGraph ListedGraph::of_specs(const SQLite::Database& database, const std::string& from,
                                  const std::string& to) {
    const auto with_hash = [&](const std::string& hash) {
        return specs_of_query(database, "why", "SELECT spec_id FROM spec WHERE hash = :hash",
                              {{"hash", hash}});
    };
    return graph_of(database, with_hash(from), with_hash(to));
}

}  // namespace cacheledger
