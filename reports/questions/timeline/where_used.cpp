#include "reports/questions/timeline/where_used.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/engine/catalog/known_names.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

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
