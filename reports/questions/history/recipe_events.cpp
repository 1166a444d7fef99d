#include "reports/questions/history/recipe_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "reports/engine/query/run_query.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

namespace {

constexpr std::ptrdiff_t most_commits_apart = 3;

using Commits = std::vector<RecipeCommit>;

std::vector<Moment> moments_of_series(const SQLite::Database& database, std::int64_t series_id) {
    std::vector<Moment> moments;
    for (const auto& row : run_query(database, "history", text_named(history_texts, "snapshots"),
                                     {{"series_id", series_id}})
                               .rows) {
        moments.push_back(integer(row[1]));
    }
    return moments;
}

HistoryEvent event_of(const HistoryScope& scope, Commits commits) {
    HistoryEvent event;
    event.kind = HistoryEvent::Kind::recipe;
    event.taken_at = format_moment(commits.back().committed_at);
    event.series = scope.series;
    event.package = scope.package;
    event.commits = std::move(commits);
    return event;
}

/// The events of the commits, which are sorted by time.
std::vector<HistoryEvent> events_between(const HistoryScope& scope, const Commits& commits,
                                         const std::vector<Moment>& moments) {
    std::vector<HistoryEvent> events;
    for (auto first = commits.begin(); first != commits.end();) {
        // A snapshot may have what was committed up to its moment.
        const Moment next = *std::ranges::lower_bound(moments, first->committed_at);
        const auto last = std::find_if(first, commits.end(), [&](const RecipeCommit& commit) {
            return commit.committed_at > next;
        });
        if (last - first > most_commits_apart) {
            events.push_back(event_of(scope, Commits(first, last)));
        } else {
            std::transform(first, last, std::back_inserter(events),
                           [&](const RecipeCommit& commit) { return event_of(scope, {commit}); });
        }
        first = last;
    }
    return events;
}

void keep_newest(std::size_t most, ScopeHistory& history) {
    const std::size_t cut = history.events.size() - std::min(most, history.events.size());
    history.events.erase(history.events.begin(),
                         history.events.begin() + static_cast<std::ptrdiff_t>(cut));
    history.left_out += cut;
}

}  // namespace

CommitsLeftOut add_recipe_events(SQLite::Database& database, const HistoryScope& scope,
                                 std::size_t most, ScopeHistory& history) {
    const auto moments = moments_of_series(database, scope.series_id);
    const auto commits_in = [&](Moment first, Moment last) {
        return recipe_in(database, scope.package, std::nullopt, {first, last}).commits;
    };
    std::vector<HistoryEvent> events =
        events_between(scope, commits_in(moments.front(), moments.back()), moments);
    if (history.left_out > 0 && !history.events.empty()) {
        // What lies between events that are left out is left out, too.
        history.left_out += std::erase_if(events, [&](const HistoryEvent& event) {
            return event.taken_at < history.events.front().taken_at;
        });
    }
    std::vector<HistoryEvent> merged;
    std::ranges::merge(std::move(events), std::move(history.events), std::back_inserter(merged), {},
                       &HistoryEvent::taken_at, &HistoryEvent::taken_at);
    history.events = std::move(merged);
    keep_newest(most, history);
    return {static_cast<std::int64_t>(commits_in(first_moment, moments.front()).size()),
            static_cast<std::int64_t>(commits_in(moments.back(), last_moment).size())};
}

std::vector<std::string> remarks_on(const CommitsLeftOut& commits) {
    std::vector<std::string> parts;
    if (commits.before > 0) {
        parts.push_back(fmt::format("{} before the first snapshot", grouped(commits.before)));
    }
    if (commits.after > 0) {
        parts.push_back(fmt::format("{} after the newest one", grouped(commits.after)));
    }
    if (parts.empty()) {
        return {};
    }
    return {fmt::format("Commits of recipes are left out: {}.", listed(parts, parts.size()))};
}

}  // namespace cacheledger
