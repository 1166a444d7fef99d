#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>
#include <string>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/graph/hash_table.hpp"
#include "ingest/graphs/graph/known_nodes.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

/// The nodes of the ledger, as far as reading them again would give nothing new. A record with the
/// hash and the text of one of them is not read: its node is only named.
class LedgerNodes : public KnownNodes {
  public:
    explicit LedgerNodes(SQLite::Database& database);

    /// Nodes of forms 1 and 2 are left out: their text does not say all of them.
    bool has(const DagHash& hash, const TextDigest& digest) const override {
        const TextDigest* const found = digests_.find(hash);
        return found != nullptr && *found == digest;
    }

    /// The compiler of a node that the ledger has, as name@version.
    std::optional<std::string> compiler_of(const DagHash& hash) const override;

    bool empty() const { return digests_.size() == 0; }

    /// Adds a node that was written since.
    void add(const Node& node) {
        if (node.form >= first_known_form && !node.read_again) {
            digests_.emplace(node.hash, node.digest);
        }
    }

  private:
    static constexpr int first_known_form = 3;

    SQLite::Database& database_;
    HashTable<TextDigest> digests_;
};

}  // namespace cacheledger
