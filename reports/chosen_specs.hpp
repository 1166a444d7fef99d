#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "reports/diff_rows.hpp"

/// What the makers of diff's rows have in common.
namespace cacheledger {

/// A row of the drift, with its look.
struct ChosenSpec {
    DriftRow row;
    Look look;
};

/// Those of one cause that the filter has.
std::vector<ChosenSpec> choose(const DiffSource& source, Cause cause);

/// How many are of this side.
std::int64_t count_of(std::span<const ChosenSpec> specs, Side side);

/// package, version, system: in the order in which the reports sort them.
inline auto place_of(const DiffSource& source, const Look& look) {
    return std::tuple(source.names.packages.rank(look.package_id),
                      source.names.versions.rank(look.version_id),
                      source.names.systems.rank(look.arch_id));
}

/// Sorts by a key, and calls `act` with the elements of each, one key after the other.
template <typename Element, typename Key, typename Act>
void for_each_group(std::vector<Element>& elements, Key key, Act act) {
    std::vector<std::pair<decltype(key(elements.front())), std::size_t>> order;
    order.reserve(elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
        order.emplace_back(key(elements[i]), i);
    }
    if (!std::is_sorted(order.begin(), order.end())) {
        std::sort(order.begin(), order.end());
    }
    std::vector<Element> group;
    for (std::size_t i = 0; i < order.size(); ++i) {
        group.push_back(std::move(elements[order[i].second]));
        if (i + 1 == order.size() || order[i + 1].first != order[i].first) {
            act(std::span<const Element>(group));
            group.clear();
        }
    }
}

/// Joins texts; NULL where there are none, as group_concat() does.
Value joined(const std::vector<std::string>& texts);

}  // namespace cacheledger
