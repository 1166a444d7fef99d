#include "reports/engine/drift/listed_graph.hpp"

#include <SQLiteCpp/Statement.h>

#include <utility>

#include "reports/engine/drift/pair_drift.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

ListedGraph graph_of(const SQLite::Database& database, SQLite::Statement& listed) {
    SpecSet from(number_of_places(database));
    SpecSet to = from;
    SpecSet both = from;
    while (listed.executeStep()) {
        const std::int64_t id = listed.getColumn(0).getInt64();
        if (id > 0 && static_cast<std::uint64_t>(id) < both.size()) {
            const auto spec = static_cast<std::size_t>(id);
            from[spec] = from[spec] || listed.getColumn(1).getInt() != 0;
            to[spec] = to[spec] || listed.getColumn(2).getInt() != 0;
            both[spec] = true;
        }
    }
    return {std::move(from), std::move(to), SpecGraph(database, both)};
}

}  // namespace

ListedGraph ListedGraph::of_snapshots(const SQLite::Database& database, const std::string& from,
                                      const std::string& to) {
    SQLite::Statement listed(database, drift_text("listed"));
    rebind(listed, from, to);
    return graph_of(database, listed);
}

ListedGraph ListedGraph::of_specs(const SQLite::Database& database, const std::string& from,
                                  const std::string& to) {
    SQLite::Statement listed(
        database, "SELECT spec_id, hash = ?1, hash = ?2 FROM spec WHERE hash IN (?1, ?2)");
    rebind(listed, from, to);
    return graph_of(database, listed);
}

}  // namespace cacheledger
