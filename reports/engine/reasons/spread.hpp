#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cacheledger {

/// A new node, with what is needed to count.
struct ReasonNode {
    std::uint32_t package = 0;
    bool is_explained = false;            ///< it is a spec to explain
    bool goes_on = false;                 ///< what is below it can be its reason
    std::optional<std::size_t> reason{};  ///< the reason that it is, from 0 on
    std::vector<std::uint32_t> below{};   ///< places of the new nodes that it depends on
};

/// What a reason explains: the explained specs that reach a node of it over nodes that go on.
struct ReasonCount {
    std::int64_t specs = 0, packages = 0;
    std::int64_t reach = 0;   ///< explained specs that reach a node of it over any new nodes
    std::size_t same_as = 0;  ///< the first reason that explains the same specs
};

/// The counts of all reasons. Takes time in proportion to the edges, for each 512 reasons: 0.1 s
/// for 65,000 nodes and 300 reasons.
std::vector<ReasonCount> count_reasons(const std::vector<ReasonNode>& nodes);

}  // namespace cacheledger
