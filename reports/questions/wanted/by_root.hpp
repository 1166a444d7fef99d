#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/questions/wanted/closure.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"

namespace cacheledger {

/// What is told apart: each root, or each group of roots.
enum class RootsBy : std::uint8_t { root, group };

/// How much of a root, or of a group of roots, is there.
struct RootCoverage {
    std::string name;  ///< the root as the user wrote it, else its package and version; the group,
                       ///< empty for roots that are in none
    std::string hash;  ///< of the root; empty for a group
    std::int64_t roots = 1;
    CoverageCount runtime;           ///< what it needs to link and to run
    std::int64_t to_build = 0;       ///< what must be built for it
    std::int64_t alone = 0;          ///< of these, what no other one needs
    std::vector<std::string> first;  ///< packages of these that can be built at once, by name
};

/// Those that lack most come first. `is_there`: whether the cache has each node. Time follows from
/// the edges of the graph for each root.
std::vector<RootCoverage> cover_by(WantedGraph graph, const std::vector<bool>& is_there,
                                   RootsBy by);

}  // namespace cacheledger
