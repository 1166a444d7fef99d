#include "reports/questions/history/scope.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/engine/query/run_steps.hpp"

namespace cacheledger {

std::string history_text(std::string_view name) {
    return std::string(std::ranges::find(history_texts, name, &EmbeddedText::name)->text);
}

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
    run_steps(database, history_text("scope"), arguments);
}

ScopeTables::~ScopeTables() {
    database_.tryExec("DROP TABLE temp.history_spec; DROP TABLE temp.history_presence");
}

}  // namespace cacheledger
