#include "reports/questions/history/scope.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "reports/engine/query/run_steps.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

ScopeTables::ScopeTables(SQLite::Database& database, const HistoryScope& scope)
    : database_(database) {
    const auto value = [](const auto& one) { return one ? Value(*one) : Value(); };
    run_steps(database, text_named(history_texts, "scope"),
              {{"package_id", value(scope.package_id)},
               {"series_id", scope.series_id},
               {"specs", value(scope.specs)},
               {"stack", value(scope.stack)}});
}

ScopeTables::~ScopeTables() {
    database_.tryExec("DROP TABLE temp.history_spec; DROP TABLE temp.history_presence");
}

namespace {

std::vector<std::string>& names_of(StackMarks& marks, const std::string& kind, bool came) {
    if (kind == "package") {
        return came ? marks.packages_gained : marks.packages_lost;
    }
    if (kind == "compiler") {
        return came ? marks.compilers_gained : marks.compilers_lost;
    }
    if (kind == "target") {
        return came ? marks.targets_gained : marks.targets_lost;
    }
    return came ? marks.wishes_met : marks.wishes_lost;
}

/// The stack of which this is another name: it has the most of the builds that only changed the
/// name, at least half of `builds`.
void add_names(SQLite::Database& database, const HistoryScope& scope, std::int64_t builds,
               HistoryEvent& event) {
    for (auto&& [came, other, moved, is_other_gone] : rows<bool, std::string, std::int64_t, bool>(
             database, text_named(history_texts, "stack_names"), scope.series_id, event.moment,
             scope.stack)) {
        if (came != event.stack->is_off && is_other_gone && 2 * moved >= builds) {
            event.stack->renamed = std::move(other);
            event.stack->moved = moved;
            return;
        }
    }
}

/// Adds to the events of all builds of a stack what they mean for it: that it was born, renamed or
/// switched off; packages, compilers and targets that came and went; wishes that its builds met and
/// lost.
void add_stack_marks(SQLite::Database& database, const HistoryScope& scope,
                     std::vector<HistoryEvent>& events) {
    std::map<Moment, StackMarks> marks;
    for (auto&& [moment, kind, value, came] : rows<Moment, std::string, std::string, bool>(
             database, text_named(history_texts, "stack_marks"), scope.stack)) {
        names_of(marks[moment], kind, came).push_back(std::move(value));
    }
    std::int64_t before = 0;
    for (HistoryEvent& event : events) {
        if (event.kind != HistoryEvent::Kind::still) {
            event.stack = marks[event.moment];
            const bool begins = before == 0 && event.builds > 0;
            event.stack->is_born =
                begins && &event == events.data() && event.kind != HistoryEvent::Kind::start;
            event.stack->is_back = begins && &event != events.data();
            event.stack->is_off = event.builds == 0;
            if (begins || event.stack->is_off) {
                add_names(database, scope, std::max(event.builds, before), event);
            }
        }
        before = event.builds;
    }
}

using CountRow = std::tuple<Moment, std::string, std::int64_t, std::int64_t, std::int64_t>;

/// Adds what the rows from `row` on say of this moment, and goes behind them. They are of
/// reports/questions/history/counts.sql.
void add_counts(const std::vector<CountRow>& rows, std::size_t& row, Moment at,
                HistoryEvent& event) {
    for (; row < rows.size() && std::get<0>(rows[row]) == at; ++row) {
        const auto& [moment, package, came, went, unknown] = rows[row];
        event.added += came;
        event.removed += went;
        event.unknown += unknown;
        event.packages.push_back({package, came, went});
    }
    std::ranges::stable_sort(event.packages, std::ranges::greater(),
                             [](const PackageCounts& one) { return one.came + one.went; });
}

}  // namespace

ScopeHistory series_history(SQLite::Database& database, const HistoryScope& scope,
                            std::size_t most) {
    const ScopeTables tables(database, scope);
    const auto snapshots =
        rows<std::string, Moment>(database, text_named(history_texts, "snapshots"), scope.series_id)
            .to<std::vector<std::pair<std::string, Moment>>>();
    const auto counts =
        rows<Moment, std::string, std::int64_t, std::int64_t, std::int64_t>(
            database, text_named(history_texts, "counts"), scope.stack, scope.series_id)
            .to<std::vector<CountRow>>();
    ScopeHistory history;
    SeenBuilds seen;
    std::size_t row = 0;
    for (const auto& snapshot : snapshots) {
        const Moment moment = snapshot.second;
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
        event.snapshot = snapshot.first;
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
