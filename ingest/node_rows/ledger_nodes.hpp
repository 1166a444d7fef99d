#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/graph/graph.hpp"
#include "ingest/graph/hash_table.hpp"
#include "ingest/graph/known_nodes.hpp"
#include "schema/spelling/dag_hash.hpp"

namespace cacheledger {

/// The nodes of the ledger, as far as reading them again would give nothing new: a node that is
/// only named stands for a record of the same hash and text.
class LedgerNodes : public KnownNodes {
  public:
    explicit LedgerNodes(SQLite::Database& database);

    /// Nodes of forms 1 and 2 are left out: their text does not say all of them.
    bool has(const DagHash& hash, const TextDigest& digest) const override {
        const auto found = by_hash_.find(hash);
        return found && digests_[*found] == digest;
    }

    /// The compiler of a node that the ledger has, as name@version.
    std::optional<std::string> compiler_of(const DagHash& hash) const override;

    bool empty() const { return digests_.empty(); }

    /// Adds a node that was written since.
    void add(const Node& node) {
        const auto number = static_cast<std::uint32_t>(digests_.size());
        if (node.form >= first_known_form && !node.read_again &&
            by_hash_.emplace(node.hash, number).second) {
            digests_.push_back(node.digest);
        }
    }

  private:
    static constexpr int first_known_form = 3;

    SQLite::Database& database_;
    HashTable by_hash_;  // index into digests_
    std::vector<TextDigest> digests_;
};

}  // namespace cacheledger
