#include "reports/engine/run/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "reports/engine/drift/pair_drift.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/engine/reach/reach_tables.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "schema/errors/error.hpp"
#include "schema/specs/spelling/version_order.hpp"

namespace cacheledger {

namespace {

// `what` reads the column, for the message.
std::size_t column_index(const ResultTable& table, const std::string& name, const char* what) {
    const std::size_t column = column_of(table, name);
    if (column == table.columns.size()) {
        throw std::invalid_argument(fmt::format("{}: the query gives no column '{}'", what, name));
    }
    return column;
}

std::string heading(const Value& key) {
    return is_null(key) ? "NULL" : to_text(key);
}

/// The order of column keys. A key in parentheses, such as '(no stack)', stands for no value and
/// comes last. Versions and compilers are in natural order.
struct ColumnOrder {
    std::string name;  ///< of the column that has the keys

    static bool is_none(const Value& key) {
        const auto* const text = std::get_if<std::string>(&key);
        return text != nullptr && text->starts_with('(');
    }
    Value sort_key(const Value& key) const {
        const auto* const text = std::get_if<std::string>(&key);
        if (text == nullptr || (name != "version" && name != "compiler")) {
            return key;
        }
        if (name == "version") {
            return version_sort_key(*text);
        }
        const auto at = text->find('@');
        return compiler_sort_key(text->substr(0, at), at == std::string::npos
                                                          ? std::nullopt
                                                          : std::optional(text->substr(at + 1)));
    }
    bool operator()(const Value& a, const Value& b) const {
        return is_none(a) == is_none(b) ? std::pair(sort_key(a), a) < std::pair(sort_key(b), b)
                                        : is_none(b);
    }
};

Value sum(const ResultTable& table, std::size_t column) {
    Value total;
    bool is_partly_unknown = false;
    for (const auto& row : table.rows) {
        const Value& value = row[column];
        if (!is_number(value)) {
            is_partly_unknown = true;
            continue;
        }
        if (is_null(total)) {
            total = value;
            continue;
        }
        auto* const whole = std::get_if<std::int64_t>(&total);
        const auto* const more = std::get_if<std::int64_t>(&value);
        if (whole != nullptr && more != nullptr) {
            if (__builtin_add_overflow(*whole, *more, whole)) {
                return {};
            }
            continue;
        }
        const auto real = [](const Value& number) {
            const auto* const integer = std::get_if<std::int64_t>(&number);
            return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(number);
        };
        total = real(total) + real(value);
    }
    // Nothing known, beside rows to which the number does not apply: 0 would claim to be known.
    return is_partly_unknown && total == Value(std::int64_t{0}) ? Value() : total;
}

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

ResultTable pivot(const ResultTable& table, const Pivot& pivot) {
    const std::size_t row_key = column_index(table, pivot.rows, "pivot");
    const std::size_t column_key = column_index(table, pivot.columns, "pivot");
    const std::size_t value = column_index(table, pivot.values, "pivot");

    ResultTable matrix{{pivot.rows}, {}};
    matrix.is_matrix = true;
    std::map<Value, std::size_t, ColumnOrder> columns(ColumnOrder{pivot.columns});
    for (const auto& row : table.rows) {
        columns.emplace(row[column_key], 0);
    }
    for (auto& [key, column] : columns) {
        column = matrix.columns.size();
        matrix.columns.push_back(heading(key));
    }

    std::map<Value, std::size_t> rows;
    std::set<std::pair<std::size_t, std::size_t>> taken;  // a cell may hold NULL
    for (const auto& row : table.rows) {
        const auto [place, is_new] = rows.emplace(row[row_key], matrix.rows.size());
        if (is_new) {
            matrix.rows.emplace_back(matrix.columns.size(), pivot.absent).front() = row[row_key];
        }
        const std::size_t column = columns.at(row[column_key]);
        if (!taken.emplace(place->second, column).second) {
            throw std::invalid_argument(fmt::format("pivot: two values for {} '{}', {} '{}'",
                                                    pivot.rows, heading(row[row_key]),
                                                    pivot.columns, heading(row[column_key])));
        }
        matrix.rows[place->second][column] = row[value];
    }
    return matrix;
}

void add_totals(ResultTable& table, const std::vector<std::string>& columns) {
    if (columns.empty()) {
        return;
    }
    table.totals.assign(table.columns.size(), Value());
    for (const std::string& name : columns) {
        const std::size_t column = column_index(table, name, "total");
        table.totals[column] = sum(table, column);
    }
}

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
