#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// The end of an interval that is still open.
inline constexpr Moment forever = std::numeric_limits<Moment>::max();

/// `to` as tables hold it: NULL while the interval is open.
inline std::optional<Moment> null_if_open(Moment to) {
    return to == forever ? std::nullopt : std::optional(to);
}

/// A value that holds from `from` until `to`, half-open.
template <typename Value>
struct Interval {
    Moment from;
    Moment to;
    Value value;

    bool operator==(const Interval&) const = default;
};

/// The values of one thing over time: sorted intervals that do not overlap. Two neighbours with the
/// same value are one interval. A time without a value is in no interval.
template <typename Value>
using Timeline = std::vector<Interval<Value>>;

/// The value at `moment`; nullopt if there is none.
template <typename Value>
std::optional<Value> value_at(const Timeline<Value>& timeline, Moment moment) {
    for (const Interval<Value>& interval : timeline) {
        if (interval.from <= moment && moment < interval.to) {
            return interval.value;
        }
    }
    return std::nullopt;
}

/// A copy of `before` in which `value` (nullopt: no value) holds from `from` until `to`.
template <typename Value>
Timeline<Value> assign(const Timeline<Value>& before, Moment from, Moment to,
                       const std::optional<Value>& value) {
    Timeline<Value> pieces;
    for (const Interval<Value>& interval : before) {
        if (interval.from < from) {
            pieces.push_back({interval.from, std::min(interval.to, from), interval.value});
        }
        if (interval.to > to) {
            pieces.push_back({std::max(interval.from, to), interval.to, interval.value});
        }
    }
    if (value) {
        pieces.push_back({from, to, *value});
    }
    std::sort(pieces.begin(), pieces.end(),
              [](const auto& a, const auto& b) { return a.from < b.from; });
    Timeline<Value> merged;
    for (const Interval<Value>& piece : pieces) {
        if (!merged.empty() && merged.back().to == piece.from &&
            merged.back().value == piece.value) {
            merged.back().to = piece.to;
        } else {
            merged.push_back(piece);
        }
    }
    return merged;
}

/// Calls `remove` and `insert` for the intervals in which the two timelines differ.
template <typename Value, typename Remove, typename Insert>
void for_each_difference(const Timeline<Value>& before, const Timeline<Value>& after, Remove remove,
                         Insert insert) {
    const auto missing_in = [](const Timeline<Value>& timeline, const Interval<Value>& interval) {
        return std::find(timeline.begin(), timeline.end(), interval) == timeline.end();
    };
    for (const auto& interval : before) {
        if (missing_in(after, interval)) {
            remove(interval);
        }
    }
    for (const auto& interval : after) {
        if (missing_in(before, interval)) {
            insert(interval);
        }
    }
}

}  // namespace cacheledger
