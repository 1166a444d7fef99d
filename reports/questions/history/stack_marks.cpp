#include <algorithm>
#include <map>
#include <string>

#include "reports/engine/query/run_query.hpp"
#include "reports/questions/history/series_history.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

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
    const auto rows = run_query(database, "history", text_named(history_texts, "stack_names"),
                                {{"series_id", scope.series_id},
                                 {"stack", scope.stack_value()},
                                 {"moment", event.moment}})
                          .rows;
    for (const auto& row : rows) {
        const bool came = integer(row[0]) == 1;
        if (came == event.stack->is_off || integer(row[3]) == 0 || 2 * integer(row[2]) < builds) {
            continue;
        }
        event.stack->renamed = to_text(row[1]);
        event.stack->moved = integer(row[2]);
        return;
    }
}

}  // namespace

void add_stack_marks(SQLite::Database& database, const HistoryScope& scope,
                     std::vector<HistoryEvent>& events) {
    std::map<Moment, StackMarks> marks;
    for (const auto& row : run_query(database, "history", text_named(history_texts, "stack_marks"),
                                     {{"stack", scope.stack_value()}})
                               .rows) {
        names_of(marks[integer(row[0])], to_text(row[1]), integer(row[3]) == 1)
            .push_back(to_text(row[2]));
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

}  // namespace cacheledger
