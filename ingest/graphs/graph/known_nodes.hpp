#pragma once

#include <optional>
#include <string>

#include "ingest/graphs/graph/graph.hpp"

namespace cacheledger {

/// The nodes that the ledger has, as far as reading them again would give nothing new. Only nodes
/// of form 3 and later are asked for: before, the text of a node does not say all of it.
class KnownNodes {
  public:
    KnownNodes() = default;
    virtual ~KnownNodes() = default;
    KnownNodes(const KnownNodes&) = delete;
    KnownNodes& operator=(const KnownNodes&) = delete;

    /// Whether the ledger has the node with this hash from a text with this digest. That of form 1
    /// or 2 it must not say to have. Several threads may ask at once.
    virtual bool has(const DagHash& hash, const TextDigest& digest) const = 0;

    /// The compiler of a node that the ledger has, as name@version. It is asked for only where a
    /// spliced node takes its compiler from there.
    virtual std::optional<std::string> compiler_of(const DagHash& hash) const = 0;
};

}  // namespace cacheledger
