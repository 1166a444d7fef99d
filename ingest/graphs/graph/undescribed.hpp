#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/findings.hpp"

namespace cacheledger {

/// The dependencies of nodes in some files that none of the files describes.
class Undescribed {
  public:
    /// Adds those of the nodes that were read. A child that the ledger has with the text of a file
    /// is described by that.
    explicit Undescribed(const Graph& graph);

    /// Adds one: `node` needs the package with this hash.
    void add(const Node& node, const std::string& package, const std::string& hash);

    /// A "dependency-missing", which names the first in the order of packages and hashes. nullopt
    /// if there is none. `files`: how many files there are.
    std::optional<PageFinding> finding(std::size_t files) const;

  private:
    std::size_t count_ = 0;
    std::string first_;
};

}  // namespace cacheledger
