#include "reports/questions/history/scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/engine/query/run_steps.hpp"

namespace cacheledger {

Value HistoryScope::stack_value() const {
    if (!stack) {
        return {};
    }
    return *stack;
}

ScopeTables::ScopeTables(SQLite::Database& database, const HistoryScope& scope)
    : database_(database) {
    Arguments arguments = {{"package_id", Value()},
                           {"series_id", scope.series_id},
                           {"specs", Value()},
                           {"stack", scope.stack_value()}};
    if (scope.package_id) {
        arguments["package_id"] = *scope.package_id;
    }
    if (scope.specs) {
        arguments["specs"] = fmt::format("[{}]", fmt::join(*scope.specs, ","));
    }
    run_steps(database, text_named(history_texts, "scope"), arguments);
}

ScopeTables::~ScopeTables() {
    database_.tryExec("DROP TABLE temp.history_spec; DROP TABLE temp.history_presence");
}

}  // namespace cacheledger
