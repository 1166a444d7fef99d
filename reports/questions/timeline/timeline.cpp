#include "reports/questions/timeline/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>

#include "reports/render/table/value.hpp"

namespace cacheledger {

namespace {

std::string presence_where(std::string_view condition) {
    return fmt::format(
        "SELECT p.series_id, p.valid_from, p.valid_to FROM spec x CROSS JOIN look l USING "
        "(look_id) CROSS JOIN series r CROSS JOIN presence p ON p.series_id = r.series_id "
        "AND p.package_id = l.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id "
        "WHERE {}",
        condition);
}

/// Joins stretches that overlap or stand beside each other.
std::vector<Stretch> joined(std::vector<Stretch> stretches) {
    std::ranges::sort(stretches, {}, [](const Stretch& one) {
        return std::tuple(one.series, one.first, one.end);
    });
    std::vector<Stretch> all;
    for (const Stretch& one : stretches) {
        if (!all.empty() && all.back().series == one.series && one.first <= all.back().end) {
            all.back().end = std::max(all.back().end, one.end);
        } else {
            all.push_back(one);
        }
    }
    return all;
}

}  // namespace

std::string LastSeen::words() const {
    constexpr std::size_t most_series = 3;
    if (!now_in.empty()) {
        return "now in " + listed(now_in, most_series);
    }
    return fmt::format("in {} until {}", series, format_day(taken_at));
}

Timeline::Timeline(const SQLite::Database& database, Kinds kinds, const std::string& wanted,
                   const std::string& asked)
    : of_hash_(database, presence_where("x.hash = ?")),
      of_spec_(database, presence_where("x.spec_id = ?")) {
    for (auto&& [id, series, name, taken_at, kind] :
         rows<std::int64_t, std::string, std::string, Moment, std::string>(
             database,
             "SELECT r.series_id, r.name, s.name, s.taken_at, s.kind FROM snapshot s "
             "JOIN series r USING (series_id) WHERE (?1 OR s.kind <> 'lock') AND s.series_id IS "
             "NOT (SELECT series_id FROM snapshot WHERE name = ?2 AND kind <> 'lock' AND "
             "series_id NOT IN (SELECT series_id FROM snapshot WHERE name = ?3)) "
             "ORDER BY r.name, s.taken_at",
             kinds == Kinds::all, wanted, asked)) {
        if (places_.emplace(id, series_.size()).second) {
            series_.push_back({series, {}});
        }
        series_.back().states.push_back({name, taken_at, kind});
    }
}

bool Timeline::has_several_states() const {
    return series_.size() > 1 || (series_.size() == 1 && series_.front().states.size() > 1);
}

void Timeline::add(Rows<std::int64_t, Moment, std::optional<Moment>> presence,
                   std::vector<Stretch>& stretches) const {
    for (const auto& [series_id, from, to] : presence) {
        const auto place = places_.find(series_id);
        if (place == places_.end()) {
            continue;
        }
        const auto& states = series_[place->second].states;
        const auto place_at = [&](Moment moment) {
            return static_cast<std::size_t>(
                std::ranges::lower_bound(states, moment, {}, &TimelineSeries::State::taken_at) -
                states.begin());
        };
        const Stretch one{place->second, place_at(from), to ? place_at(*to) : states.size()};
        if (one.first < one.end) {
            stretches.push_back(one);
        }
    }
}

std::vector<Stretch> Timeline::of_hashes(std::span<const std::string> hashes) const {
    std::vector<Stretch> stretches;
    for (const std::string& hash : hashes) {
        add(of_hash_(hash), stretches);
    }
    return joined(std::move(stretches));
}

std::vector<Stretch> Timeline::of_specs(std::span<const std::int64_t> spec_ids) const {
    std::vector<Stretch> stretches;
    for (const std::int64_t spec_id : spec_ids) {
        add(of_spec_(spec_id), stretches);
    }
    return joined(std::move(stretches));
}

std::optional<LastSeen> Timeline::last_seen(const std::vector<Stretch>& stretches) const {
    std::optional<LastSeen> last;
    std::vector<std::string> now_in;
    for (const Stretch& one : stretches) {
        const TimelineSeries& series = series_[one.series];
        const TimelineSeries::State& state = series.states[one.end - 1];
        if (one.end == series.states.size()) {
            now_in.push_back(series.name);
        }
        if (!last || state.taken_at > last->taken_at) {
            last = LastSeen{state.name, series.name, state.taken_at, {}};
        }
    }
    if (last) {
        last->now_in = std::move(now_in);
    }
    return last;
}

std::vector<std::vector<std::int64_t>> Timeline::counts(
    const std::vector<std::vector<Stretch>>& of_builds) const {
    std::vector<std::vector<std::int64_t>> counts;
    counts.reserve(series_.size());
    for (const TimelineSeries& series : series_) {
        counts.emplace_back(series.states.size() + 1);
    }
    for (const auto& stretches : of_builds) {
        for (const Stretch& one : stretches) {
            ++counts[one.series][one.first];
            --counts[one.series][one.end];
        }
    }
    for (auto& states : counts) {
        std::partial_sum(states.begin(), states.end(), states.begin());
        states.pop_back();
    }
    return counts;
}

}  // namespace cacheledger
