#include "reports/run/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "reports/drift/pair_drift.hpp"
#include "reports/run/pivot.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

/// Refuses what the report doesn't declare, and adds the defaults of what is not given.
void complete(Arguments& arguments, const Report& report) {
    for (const auto& argument : arguments) {
        if (std::ranges::count(report.parameters, argument.first, &Parameter::name) == 0) {
            throw UsageError(
                fmt::format("the report '{}' has no parameter '{}'", report.name, argument.first));
        }
    }
    for (const Parameter& parameter : report.parameters) {
        const auto& value = parameter.default_value;
        if (value && (parameter.type != ParameterType::snapshot || is_null(*value))) {
            arguments.emplace(parameter.name, *value);
        }
    }
}

}  // namespace

ResultTable run_report(const SQLite::Database& database, const Report& report,
                       Arguments arguments) {
    complete(arguments, report);
    std::optional<PairDrift> drift;
    if (PairDrift::is_read_by(report)) {
        drift.emplace(database, arguments);
    }
    ResultTable table = run_query(database, report.origin, report.sql, arguments);
    if (!report.pivot) {
        return table;
    }
    try {
        return pivot(table, *report.pivot);
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("{}: {}", report.origin, error.what()));
    }
}

std::string report_sql(const SQLite::Database& database, const Report& report,
                       Arguments arguments) {
    complete(arguments, report);
    std::optional<PairDrift> drift;
    if (PairDrift::is_read_by(report)) {
        drift.emplace(database, arguments);
    }
    return (drift ? drift->sql() : "") + query_text(database, report.origin, report.sql, arguments);
}

}  // namespace cacheledger
