#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/graph/hash_table.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// The nodes of the ledger, as far as reading them again would give nothing new. A record with the
/// hash and the text of one of them is not read: its node is only named. Nodes of forms 1 and 2 are
/// left out: their text does not say all of them.
class LedgerNodes : public KnownNodes {
  public:
    /// `specs` must outlive this.
    LedgerNodes(SQLite::Database& database, SpecRows& specs);

    /// Prepares for a state of the series: nearly all of it is in the newest one that there is,
    /// which is read at once, with its specs. The rest is looked up one by one.
    void expect(const std::string& series);

    std::uint32_t find(const DagHash& hash, const TextDigest& digest) const override {
        const KnownText* const found = texts_.find(hash);
        return found != nullptr && found->digest == digest ? found->package_id : 0;
    }
    std::uint32_t look_up(const DagHash& hash, const TextDigest& digest) const override;
    std::string package(std::uint32_t package_id) const override;
    std::string version_of(const DagHash& hash) const override;

    /// The compiler of a node that the ledger has, as name@version.
    std::optional<std::string> compiler_of(const DagHash& hash) const override;

    /// Adds nodes that were written since. `specs`: of all nodes of the graph.
    void add(const Graph& graph, const std::vector<std::uint32_t>& nodes,
             const std::vector<KnownSpec>& specs);

  private:
    struct KnownText {
        TextDigest digest{};
        std::uint32_t package_id = 0;
    };

    SQLite::Database& database_;
    SpecRows& specs_;
    Select<std::int64_t, TextDigest, bool> select_texts_;
    Select<std::string> select_package_;
    std::set<std::int64_t> looks_to_place_;
    std::set<std::string> series_;  // that were read
    HashTable<KnownText> texts_;
};

/// A "dependency-missing": how many dependencies of the nodes that the files describe are described
/// by none of them, whether the ledger has them or not. nullopt if all are. Call this after the
/// nodes were written: the ledger has the dependencies of those that were not read. `specs`: by
/// index into Graph::nodes; 0 for nodes that were left out. `files`: how many files the graph is
/// from.
std::optional<PageFinding> missing_dependencies(SQLite::Database& database, const Graph& graph,
                                                const std::vector<KnownSpec>& specs,
                                                std::size_t files);

}  // namespace cacheledger
