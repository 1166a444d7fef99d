#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/questions/wanted/wanted_graph.hpp"

namespace cacheledger {

/// Which dependencies count.
enum class Needs : std::uint8_t {
    runtime,  ///< to link and to run
    all,      ///< also to build and to test
};

/// How many of the wanted specs a cache has.
struct CoverageCount {
    std::int64_t specs = 0;
    std::int64_t covered = 0;

    /// 100 where nothing is wanted.
    double percent() const;
};

/// "96.6 %". Cut, not rounded: only what is complete is 100.0 %.
std::string percent_text(double percent);

/// "2 external specs are left out."; nothing where there are none.
std::optional<std::string> remark_on_external(std::int64_t external);

/// What the roots of a graph need, and what of it is missing. Each vector has one value for each
/// node.
struct WantedClosure {
    std::vector<bool> wanted;    ///< a root, or one needs it, directly or not; not external
    std::vector<bool> missing;   ///< wanted, and not there
    std::vector<bool> frontier;  ///< missing, and needs nothing that is missing, directly or not
    std::vector<std::int64_t> dependents;  ///< of missing ones: how many wanted others need it

    std::int64_t num_external = 0;  ///< reached, and external

    std::int64_t num_wanted() const;
    std::int64_t num_missing() const;
    CoverageCount count() const { return {num_wanted(), num_wanted() - num_missing()}; }
};

/// `is_there`: whether the cache has each node. What an external spec needs is wanted, too.
WantedClosure close_over(const WantedGraph& graph, const std::vector<bool>& is_there, Needs needs);

}  // namespace cacheledger
