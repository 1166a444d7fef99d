#pragma once

#include <SQLiteCpp/Database.h>

#include <map>
#include <optional>
#include <string>

#include "reports/engine/present/spec_facts.hpp"
#include "schema/ledger/graph/spec_graph.hpp"

namespace cacheledger {

/// The specs that two sides list, and a graph that has these and what they need. The sides are two
/// snapshots, or two specs.
struct ListedGraph {
    SpecSet from, to;
    const SpecGraph& graph;  ///< of a PairReading: it may have what other pairs need, too
};

/// Reads what pairs of sides list and need. A spec that several pairs have is read once: a site of
/// 120 daily states reads 4 million edges, and 23 million where each pair reads its own. The ledger
/// must not change meanwhile; the database must outlive this. All throw what run_query() and
/// SpecGraph throw.
class PairReading {
  public:
    explicit PairReading(const SQLite::Database& database)
        : database_(database), specs_(database) {}

    /// Of two snapshots, by their names. Good until the next call.
    ListedGraph between_snapshots(const std::string& from, const std::string& to);
    /// Of two specs, by their hashes. Good until the next call.
    ListedGraph between_specs(const std::string& from, const std::string& to);

    /// What the ledger says of specs.
    SpecReading& specs() { return specs_; }

  private:
    ListedGraph with_graph(SpecSet from, SpecSet to);
    const SpecSet& listed_by(const std::string& snapshot);

    const SQLite::Database& database_;
    SpecReading specs_;
    std::optional<SpecGraph> graph_;
    std::map<std::string, SpecSet> listed_;  // by snapshot
};

}  // namespace cacheledger
