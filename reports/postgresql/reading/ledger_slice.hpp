#pragma once

#include <SQLiteCpp/Database.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "reports/engine/server/connection.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// A part of a published ledger, copied into a ledger in memory. Commands that look for specs or
/// compare them answer from it, by the same code and with the same words as from a file. Canned
/// reports run in PostgreSQL, and only find names here.
///
/// What is copied at first: snapshots, series, and the words of packages, versions, targets,
/// compilers and stacks. The functions add what a command needs. They throw what
/// PostgresConnection throws, and SQLite::Exception.
class LedgerSlice {
  public:
    /// `connection` must outlive the slice, and stay in one transaction.
    explicit LedgerSlice(PostgresConnection& connection);

    SQLite::Database& database() { return database_; }

    /// What is needed to find the looks that a filter asks for.
    void add_looks();

    /// What is needed to find the specs of a query in any snapshot, and the nearest ones.
    void add_specs(const SpecQuery& query);

    /// What is needed to find the specs of a query in one snapshot.
    void add_specs(const SpecQuery& query, const Snapshot& snapshot);

    /// What is needed to compare two snapshots, and to explain what was rebuilt.
    void add_pair(const SnapshotPair& pair);

    /// All dependencies, and the nodes that have them.
    void add_graph();

  private:
    void add(std::string_view table, const std::string& condition = "");
    void add_sets();
    void add_commits(const std::string& packages);

    PostgresConnection& connection_;
    SQLite::Database database_;
    std::set<std::string, std::less<>> whole_;  ///< the tables of which all rows were added
};

}  // namespace cacheledger
