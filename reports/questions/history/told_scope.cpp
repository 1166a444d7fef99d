#include "reports/questions/history/told_scope.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "reports/engine/commits/recipe_commits.hpp"
#include "reports/engine/query/run_query.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

std::vector<std::vector<Value>> history_answer(const SQLite::Database& database,
                                               std::string_view name, const Arguments& arguments) {
    return run_query(database, "history", text_named(history_texts, name), arguments).rows;
}

namespace {

constexpr std::ptrdiff_t most_commits_apart = 3;

void keep_newest(std::size_t most, ToldScope& told) {
    const std::size_t cut = told.events.size() - std::min(most, told.events.size());
    told.events.erase(told.events.begin(), told.events.begin() + static_cast<std::ptrdiff_t>(cut));
    told.left_out += cut;
}

/// Puts the commits of the recipe among the events, by time.
void add_recipes(const SQLite::Database& database, const HistoryScope& scope, std::size_t most,
                 ToldScope& told) {
    std::vector<Moment> moments;
    for (const auto& row :
         history_answer(database, "snapshots", {{"series_id", scope.series_id}})) {
        moments.push_back(integer(row[1]));
    }
    const auto commits_in = [&](Moment first, Moment last) {
        return recipe_in(database, scope.package, std::nullopt, {first, last}).commits;
    };
    const auto number = [](const auto& commits) { return std::ssize(commits); };
    told.commits_before = number(commits_in(first_moment, moments.front()));
    told.commits_after = number(commits_in(moments.back(), last_moment));
    const auto commits = commits_in(moments.front(), moments.back());
    std::vector<HistoryEvent> recipes;
    for (auto first = commits.begin(); first != commits.end();) {
        // A snapshot may have what was committed up to its moment.
        const Moment next = *std::ranges::lower_bound(moments, first->committed_at);
        const auto last = std::find_if(first, commits.end(), [&](const RecipeCommit& commit) {
            return commit.committed_at > next;
        });
        const auto step = last - first > most_commits_apart ? last - first : 1;
        for (; first != last; first += step) {
            HistoryEvent event;
            event.kind = HistoryEvent::recipe;
            event.commits.assign(first, first + step);
            event.taken_at = format_moment(event.commits.back().committed_at);
            event.series = scope.series;
            event.package = scope.package;
            recipes.push_back(std::move(event));
        }
    }
    if (told.left_out > 0 && !told.events.empty()) {
        // What lies between events that are left out is left out, too.
        told.left_out += std::erase_if(recipes, [&](const HistoryEvent& event) {
            return event.taken_at < told.events.front().taken_at;
        });
    }
    std::vector<HistoryEvent> both;
    std::ranges::merge(std::move(recipes), std::move(told.events), std::back_inserter(both), {},
                       &HistoryEvent::taken_at, &HistoryEvent::taken_at);
    told.events = std::move(both);
    keep_newest(most, told);
}

/// The stack of which this is another name: it has the most of the builds that only changed the
/// name, at least half of `builds`.
void find_other_name(const SQLite::Database& database, const HistoryScope& scope,
                     std::int64_t builds, HistoryEvent& event) {
    for (const auto& row : history_answer(
             database, "stack_names",
             {{"series_id", scope.series_id}, {"stack", scope.stack}, {"moment", event.moment}})) {
        const bool came = integer(row[0]) == 1;
        if (came == event.stack->is_off || integer(row[3]) == 0 || 2 * integer(row[2]) < builds) {
            continue;
        }
        event.stack->renamed = to_text(row[1]);
        event.stack->moved = integer(row[2]);
        return;
    }
}

/// Adds to the events of all builds of a stack what they mean for it: that it was born, renamed or
/// switched off; packages, compilers and targets that came and went; wishes that its builds met and
/// lost.
void add_stack_marks(const SQLite::Database& database, const HistoryScope& scope,
                     std::vector<HistoryEvent>& events) {
    std::map<Moment, StackMarks> marks;
    for (const auto& row : history_answer(database, "stack_marks", {{"stack", scope.stack}})) {
        StackMarks& at = marks[integer(row[0])];
        const std::string kind = to_text(row[1]);
        const auto [gained, lost] =
            kind == "package"    ? std::tie(at.packages_gained, at.packages_lost)
            : kind == "compiler" ? std::tie(at.compilers_gained, at.compilers_lost)
            : kind == "target"   ? std::tie(at.targets_gained, at.targets_lost)
                                 : std::tie(at.wishes_met, at.wishes_lost);
        (integer(row[3]) == 1 ? gained : lost).push_back(to_text(row[2]));
    }
    std::int64_t before = 0;
    for (HistoryEvent& event : events) {
        if (event.kind != HistoryEvent::still) {
            const bool begins = before == 0 && event.builds > 0;
            const bool is_first = &event == events.data();
            event.stack = marks[event.moment];
            event.stack->is_born = begins && is_first && event.kind != HistoryEvent::start;
            event.stack->is_back = begins && !is_first;
            event.stack->is_off = event.builds == 0;
            if (begins || event.stack->is_off) {
                find_other_name(database, scope, std::max(event.builds, before), event);
            }
        }
        before = event.builds;
    }
}

/// Builds of any packages: how many came and went, by snapshot and package.
void tell_series(const SQLite::Database& database, const HistoryScope& scope, std::size_t most,
                 ToldScope& told) {
    const auto snapshots = history_answer(database, "snapshots", {{"series_id", scope.series_id}});
    const auto counts = history_answer(database, "counts",
                                       {{"series_id", scope.series_id}, {"stack", scope.stack}});
    auto row = counts.begin();  // moment, package, came, went, unknown
    SeenBuilds seen;
    for (const auto& snapshot : snapshots) {
        HistoryEvent event;
        event.snapshot = to_text(snapshot[0]);
        event.moment = integer(snapshot[1]);
        event.taken_at = format_moment(event.moment);
        event.series = scope.series;
        for (; row != counts.end() && (*row)[0] == snapshot[1]; ++row) {
            event.packages.push_back({to_text((*row)[1]), integer((*row)[2]), integer((*row)[3])});
            event.added += event.packages.back().came;
            event.removed += event.packages.back().went;
            event.unknown += integer((*row)[4]);
        }
        std::ranges::stable_sort(event.packages, std::ranges::greater(),
                                 [](const PackageCounts& one) { return one.came + one.went; });
        event.builds = seen.newest += event.added - event.removed;
        if (event.builds > 0) {
            seen.first = told.seen ? seen.first : event.moment;
            seen.last = event.moment;
            told.seen = seen;
        }
        const bool is_newest = &snapshot == &snapshots.back();
        if (!event.packages.empty() || (event.builds > 0 && is_newest)) {
            event.kind = event.packages.empty()            ? HistoryEvent::still
                         : &snapshot == &snapshots.front() ? HistoryEvent::start
                                                           : HistoryEvent::change;
            told.events.push_back(std::move(event));
        }
    }
    if (told.seen) {
        told.seen = seen;
    }
    if (!is_null(scope.stack) && is_null(scope.specs)) {
        add_stack_marks(database, scope, told.events);
    }
    keep_newest(most, told);
}

}  // namespace

ToldScope tell_scope(SQLite::Database& database, const Catalog& catalog, const HistoryScope& scope,
                     std::size_t most) {
    const TemporaryTables tables(database, text_named(history_texts, "scope"),
                                 {{"package_id", scope.package_id},
                                  {"series_id", scope.series_id},
                                  {"specs", scope.specs},
                                  {"stack", scope.stack}});
    ToldScope told;
    if (is_null(scope.package_id)) {
        tell_series(database, scope, most, told);
    } else {
        tell_package(database, catalog, scope, most, told);
    }
    if (scope.has_commits && (!told.events.empty() || told.left_out > 0)) {
        add_recipes(database, scope, most, told);
    }
    return told;
}

}  // namespace cacheledger
