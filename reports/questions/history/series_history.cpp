#include "reports/questions/history/series_history.hpp"

#include <algorithm>
#include <utility>

#include "reports/engine/query/run_query.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

namespace {

using CountRows = std::vector<std::vector<Value>>;  // of reports/questions/history/counts.sql

/// Adds what the rows from `row` on say of this moment, and goes behind them.
void add_counts(const CountRows& rows, std::size_t& row, Moment moment, HistoryEvent& event) {
    for (; row < rows.size() && integer(rows[row][0]) == moment; ++row) {
        const PackageCounts counts{to_text(rows[row][1]), integer(rows[row][2]),
                                   integer(rows[row][3])};
        event.added += counts.came;
        event.removed += counts.went;
        event.unknown += integer(rows[row][4]);
        event.packages.push_back(counts);
    }
    std::ranges::stable_sort(event.packages, std::ranges::greater(),
                             [](const PackageCounts& one) { return one.came + one.went; });
}

}  // namespace

ScopeHistory series_history(SQLite::Database& database, const HistoryScope& scope,
                            std::size_t most) {
    const ScopeTables tables(database, scope);
    const auto snapshots = run_query(database, "history", text_named(history_texts, "snapshots"),
                                     {{"series_id", scope.series_id}})
                               .rows;
    const CountRows counts =
        run_query(database, "history", text_named(history_texts, "counts"),
                  {{"series_id", scope.series_id}, {"stack", scope.stack_value()}})
            .rows;
    ScopeHistory history;
    SeenBuilds seen;
    std::size_t row = 0;
    for (const auto& snapshot : snapshots) {
        const Moment moment = integer(snapshot[1]);
        HistoryEvent event;
        add_counts(counts, row, moment, event);
        seen.newest += event.added - event.removed;
        event.builds = seen.newest;
        if (event.builds > 0) {
            seen.first = history.seen ? seen.first : moment;
            seen.last = moment;
            history.seen = seen;
        }
        if (event.packages.empty() && (event.builds == 0 || &snapshot != &snapshots.back())) {
            continue;
        }
        event.kind = event.packages.empty()            ? HistoryEvent::Kind::still
                     : &snapshot == &snapshots.front() ? HistoryEvent::Kind::start
                                                       : HistoryEvent::Kind::change;
        event.snapshot = to_text(snapshot[0]);
        event.taken_at = format_moment(moment);
        event.moment = moment;
        event.series = scope.series;
        history.events.push_back(std::move(event));
    }
    if (history.seen) {
        history.seen = seen;
    }
    if (scope.stack && !scope.specs) {
        add_stack_marks(database, scope, history.events);
    }
    history.left_out = history.events.size() - std::min(most, history.events.size());
    history.events.erase(history.events.begin(),
                         history.events.begin() + static_cast<std::ptrdiff_t>(history.left_out));
    return history;
}

}  // namespace cacheledger
