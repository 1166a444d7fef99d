#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "schema/ledger/graph/spec_graph.hpp"

namespace cacheledger {

/// The specs that two sides list, and the graph of these and of what they need. The sides are two
/// snapshots, or two specs. Throws what run_query() and SpecGraph throw.
struct ListedGraph {
    SpecSet from, to;
    SpecGraph graph;

    /// Of two snapshots, by their names.
    static ListedGraph of_snapshots(const SQLite::Database& database, const std::string& from,
                                    const std::string& to);
    /// Of two specs, by their hashes.
    static ListedGraph of_specs(const SQLite::Database& database, const std::string& from,
                                const std::string& to);
};

}  // namespace cacheledger
