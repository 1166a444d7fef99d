#include "reports/questions/timeline/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/ledger/wishes/wanted_builds.hpp"
#include "schema/text/counted.hpp"

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

std::set<std::string> matching_series(const SQLite::Database& database,
                                      const std::string& pattern) {
    const auto names = all_values<std::string>(
        database, "SELECT name FROM series WHERE name = ?1 OR name GLOB ?1", pattern);
    if (names.empty()) {
        throw UsageError(fmt::format(
            "--series '{}': no series matches; 'cacheledger snapshots' lists them", pattern));
    }
    return {names.begin(), names.end()};
}

ResultTable rows_of(const WhereUsed& used) {
    ResultTable table{{"series", "kind", "newest", "builds", "all", "last_seen", "where"}, {}};
    for (const WhereUsed::One& one : used.series) {
        table.rows.push_back({one.series, one.kind, one.newest, one.builds, one.all,
                              format_moment(one.last.taken_at), one.last.name});
    }
    return table;
}

ResultTable shown_rows(const WhereUsed& used) {
    ResultTable table{{"series", "kind", "builds", "seen"}, {}};
    for (const WhereUsed::One& one : used.series) {
        table.rows.push_back(
            {one.series, one.kind, one.builds,
             one.builds > 0 ? "now" : fmt::format("until {}", format_day(one.last.taken_at))});
    }
    return table;
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

std::vector<std::string> hashes_of(const WantedNode& node) {
    std::vector<std::string> hashes = {node.spec.hash};
    if (node.spec.spliced && *node.spec.spliced != "no") {
        hashes.push_back(*node.spec.spliced);
    }
    return hashes;
}

std::vector<Stretch> stretches_of(const Timeline& timeline, const WantedNode& node) {
    return timeline.of_hashes(hashes_of(node));
}

MatchingSpecs BuildsOfLines::find(const WantedSpec& line) {
    const SpecQuery& query = line.query;
    return query.package && query.hash.empty()
               ? wanted_among(database_, line, memory_.of_package(*query.package), memory_)
               : matching_specs(database_, query);
}

WhereUsed where_used(SQLite::Database& database, const SpecQuery& query,
                     const std::string& pattern) {
    if (query.package) {
        refuse_unknown_name(database, NameKind::package, *query.package);
    }
    const std::set<std::string> names = matching_series(database, pattern);
    WhereUsed used;
    used.asked = query.text();
    used.looked_at = std::ssize(names);
    used.remarks = about_build_hash(database, query);
    const MatchingSpecs matching = matching_specs(database, query);
    if (const auto unknown = words_of_unknown(database, query, matching.unknown)) {
        used.remarks.push_back(*unknown + ". They are left out.");
    }
    const Timeline timeline(database, Timeline::Kinds::all);
    const Select<bool> is_external(
        database,
        "SELECT EXISTS (SELECT 1 FROM node n JOIN recipe r USING (recipe_id) "
        "WHERE n.spec_id = ? AND r.external = 1)");
    std::map<std::size_t, WhereUsed::One> found;  // by place of the series
    for (const std::int64_t spec_id : matching.specs) {
        if (is_external(spec_id).only()) {
            continue;
        }
        std::set<std::size_t> counted_in;
        for (const Stretch& stretch : timeline.of_specs(std::span(&spec_id, 1))) {
            const TimelineSeries& series = timeline.series()[stretch.series];
            if (!names.contains(series.name)) {
                continue;
            }
            WhereUsed::One& one = found[stretch.series];
            one.all += counted_in.insert(stretch.series).second ? 1 : 0;
            one.builds += stretch.end == series.states.size() ? 1 : 0;
            const TimelineSeries::State& last = series.states[stretch.end - 1];
            if (one.last.name.empty() || last.taken_at > one.last.taken_at) {
                one.last = last;
            }
        }
    }
    for (auto& [place, one] : found) {
        const TimelineSeries& series = timeline.series()[place];
        one.series = series.name;
        one.newest = series.states.back().name;
        one.kind = series.states.back().kind;
        used.series.push_back(std::move(one));
    }
    std::ranges::sort(used.series, {}, [](const WhereUsed::One& one) {
        return std::tuple(-one.builds, -one.last.taken_at, one.series);
    });
    return used;
}

Document document_of(const WhereUsed& used) {
    const auto now = std::ranges::count_if(
        used.series, [](const WhereUsed::One& one) { return one.builds > 0; });
    Document document;
    document.title =
        fmt::format("{}: {} of {} now", used.asked, grouped(now),
                    counted(used.looked_at, "series has builds", "series have builds"));
    if (const auto before = std::ssize(used.series) - now; before > 0) {
        document.title += fmt::format(", {} more had some", grouped(before));
    }
    document.lines = lines_of(document.title, used.remarks);
    document.notes = used.remarks;
    document.parts = [&used] { return std::vector<DocumentPart>{{"", shown_rows(used)}}; };
    document.all_parts = document.parts;
    document.has_page = false;
    document.rows = [&used] { return rows_of(used); };
    return document;
}

}  // namespace cacheledger
