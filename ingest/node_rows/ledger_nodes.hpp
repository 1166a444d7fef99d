#pragma once

#include <SQLiteCpp/Database.h>

#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include "ingest/graph/graph.hpp"
#include "ingest/graph_merge/known_nodes.hpp"
#include "schema/spelling/dag_hash.hpp"

namespace cacheledger {

/// The nodes of the ledger, as far as reading them again would give nothing new: a node that is
/// only named stands for a record of the same hash and text.
class LedgerNodes : public KnownNodes {
  public:
    explicit LedgerNodes(SQLite::Database& database);

    /// Whether the ledger has this node from a text with this digest. Nodes of forms 1 and 2 are
    /// left out: their text does not say all of them. Several threads may call this at once.
    bool has(const DagHash& hash, const TextDigest& digest) const override {
        const auto found = digests_.find(hash);
        return found != digests_.end() && found->second == digest;
    }

    /// The compiler of a node that the ledger has, as name@version.
    std::optional<std::string> compiler_of(const DagHash& hash) const override;

    bool empty() const { return digests_.empty(); }

    /// Adds a node that was written since.
    void add(const Node& node) {
        if (node.form >= first_known_form) {
            digests_.emplace(node.hash, node.digest);
        }
    }

  private:
    static constexpr int first_known_form = 3;

    // A DAG hash is random enough: its first characters serve as a hash.
    struct Hash {
        std::size_t operator()(const DagHash& hash) const {
            std::size_t value = 0;
            std::memcpy(&value, hash.data(), sizeof value);
            return value * 0x9e3779b97f4a7c15U;
        }
    };
    SQLite::Database& database_;
    std::unordered_map<DagHash, TextDigest, Hash> digests_;
};

}  // namespace cacheledger
