#pragma once

#include <cstdint>
#include <vector>

#include "reports/questions/wanted/wanted_graph.hpp"

namespace cacheledger {

/// What must be built so that all roots of a graph are there, and in which order. What is there
/// needs what it links and runs; what is missing needs what it is built with, too. External specs
/// need nothing.
struct BuildPlan {
    struct Step {
        std::uint32_t node = 0;
        std::uint32_t wave = 0;  ///< from 1 on; it needs only what is there or in earlier waves
    };
    std::vector<Step> steps;  ///< by wave, package and hash
};

/// `is_there`: whether the cache has each node.
BuildPlan plan_builds(const WantedGraph& graph, const std::vector<bool>& is_there);

/// Builds of which each needs the one before it, directly or through what is there.
struct BuildChain {
    std::vector<std::uint32_t> nodes;  ///< in building order
    std::int64_t milliseconds = 0;     ///< of all together
};

/// The chain of builds of a plan that takes longest: with any number of machines, all takes at
/// least so long. `milliseconds`: of each node; 0 where it is not known. No chain where all are 0.
BuildChain longest_chain(const WantedGraph& graph, const std::vector<bool>& is_there,
                         const std::vector<std::int64_t>& milliseconds);

}  // namespace cacheledger
