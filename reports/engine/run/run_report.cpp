#include "reports/engine/run/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_steps.hpp"
#include "reports/engine/reach/reach_tables.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/engine/run/pivot.hpp"
#include "reports/engine/run/totals.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

/// The temporary views and tables that a report reads, while this lives.
struct MadeForReport {
    std::unique_ptr<PairDrift> drift;
    std::unique_ptr<SpecReasons> reasons;
    ReachTables reach;
    std::unique_ptr<TemporaryTables> neighbours{};  // a shell has the ledger's view in their place

    std::string sql() const {
        return (drift ? drift->sql() : "") + (reasons ? reasons->sql() : "") + reach.sql();
    }
};

std::unique_ptr<TemporaryTables> drift_of_neighbours(const SQLite::Database& database,
                                                     const Arguments& arguments) {
    auto tables = std::make_unique<TemporaryTables>(database, text_named(drift_texts, "neighbours"),
                                                    arguments);
    RepeatedStep add(database,
                     PairDrift::with_definition(text_named(drift_texts, "neighbour_drift")));
    for (const auto& row :
         RepeatedStep(database, "SELECT to_id FROM temp.neighbours ORDER BY to_id").run({})) {
        add.run({{"to_id", row.front()}});
    }
    return tables;
}

/// The rows of the pair are made for the program's own reports of drift/. Other reports read the
/// ledger's view.
MadeForReport made_for(const SQLite::Database& database, const Report& report,
                       const Arguments& arguments) {
    MadeForReport made{{}, {}, ReachTables(database, report, arguments)};
    if (SpecReasons::is_read_by(report) || PairDrift::is_read_by(report)) {
        made.drift = std::make_unique<PairDrift>(database, arguments);
        if (SpecReasons::is_read_by(report)) {
            made.reasons = std::make_unique<SpecReasons>(database, *made.drift, arguments);
        }
        return made;
    }
    refuse_pattern_for_view(report, arguments);
    if (PairDrift::is_read_for_neighbours(report)) {
        made.neighbours = drift_of_neighbours(database, arguments);
    }
    return made;
}

ResultTable run_complete(const SQLite::Database& database, const Report& report,
                         const Arguments& arguments) {
    return finish_rows(report, run_query(database, report.origin, report.sql, arguments));
}

}  // namespace

Arguments complete_arguments(const Report& report, Arguments arguments) {
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
    return arguments;
}

std::vector<std::string> filled_tables(const Report& report) {
    auto names = ReachTables::read_by(report);
    if (SpecReasons::is_read_by(report)) {
        names.emplace_back("spec_reasons");
    }
    return names;
}

void refuse_pattern_for_view(const Report& report, const Arguments& arguments) {
    if (PairDrift::is_read_by(report)) {
        return;
    }
    const auto stack = arguments.find("stack");
    const auto* const pattern =
        stack == arguments.end() ? nullptr : std::get_if<std::string>(&stack->second);
    if (pattern != nullptr && pattern->find_first_of("*?[") != std::string::npos &&
        report.sql.find("stack_drift") != std::string::npos) {
        throw UsageError(
            fmt::format("{}: the view stack_drift takes the name of a stack, not the pattern '{}'",
                        report.origin, *pattern));
    }
}

ResultTable finish_rows(const Report& report, ResultTable table) {
    try {
        if (report.pivot) {
            table = pivot(table, *report.pivot);
        }
        add_totals(table, report.totals);
        table.implied = report.implied;
        table.units = report.units;
        return table;
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("{}: {}", report.origin, error.what()));
    }
}

ResultTable run_report(const SQLite::Database& database, const Report& report,
                       Arguments arguments) {
    arguments = complete_arguments(report, std::move(arguments));
    const MadeForReport made = made_for(database, report, arguments);
    return run_complete(database, report, arguments);
}

ResultTable run_report_on_held_drift(const SQLite::Database& database, const Report& report,
                                     Arguments arguments) {
    arguments = complete_arguments(report, std::move(arguments));
    return run_complete(database, report, arguments);
}

std::string report_sql(const SQLite::Database& database, const Report& report,
                       Arguments arguments) {
    arguments = complete_arguments(report, std::move(arguments));
    const MadeForReport made = made_for(database, report, arguments);
    return made.sql() + query_text(database, report.origin, report.sql, arguments);
}

}  // namespace cacheledger
