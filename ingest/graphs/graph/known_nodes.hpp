#pragma once

#include <cstdint>
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

    /// The id of the package of the node with this hash, if the ledger has it from a text with this
    /// digest; 0 if not. That of form 1 or 2 it must not say to have. find() knows only what was
    /// prepared, and any thread may call it while the others ask as well; look_up() asks the
    /// ledger.
    virtual std::uint32_t find(const DagHash& hash, const TextDigest& digest) const = 0;
    virtual std::uint32_t look_up(const DagHash& hash, const TextDigest& digest) const = 0;

    /// The name of a package that these gave.
    virtual std::string package(std::uint32_t package_id) const = 0;

    /// The version of a node that the ledger has. It is asked for only where such a node is the
    /// compiler of one that is read.
    virtual std::string version_of(const DagHash& hash) const = 0;

    /// The compiler of a node that the ledger has, as name@version. It is asked for only where a
    /// spliced node takes its compiler from there.
    virtual std::optional<std::string> compiler_of(const DagHash& hash) const = 0;
};

}  // namespace cacheledger
