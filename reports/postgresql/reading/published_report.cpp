#include "reports/postgresql/reading/published_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/run/run_report.hpp"
#include "reports/postgresql/translation/composition.hpp"
#include "reports/postgresql/translation/translation.hpp"

namespace cacheledger {

namespace {

/// Whether the statement is at fault, by the class of the SQLSTATE: its syntax or names, its
/// values, a function that it may not call, or what it takes.
bool is_fault_of_statement(const std::string& state) {
    constexpr std::array<std::string_view, 8> classes = {"21", "22", "25", "42",
                                                         "54", "0A", "53", "34"};
    return std::ranges::any_of(classes,
                               [&](std::string_view begin) { return state.starts_with(begin); });
}

/// "origin:2:8", the place of a character of the text; "origin" of a text that is not known.
std::string place(const std::string& origin, std::string_view text, int offset) {
    if (offset < 0) {
        return origin;
    }
    if (text.empty()) {
        return origin;
    }
    int line = 1;
    int column = 1;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >> 6 == 2) {
            continue;  // inside of a character
        }
        if (offset-- == 0) {
            break;
        }
        column = c == '\n' ? 1 : column + 1;
        line += c == '\n' ? 1 : 0;
    }
    return fmt::format("{}:{}:{}", origin, line, column);
}

template <typename Work>
auto explain(const std::string& origin, const std::string& sql, Work work) {
    try {
        return work();
    } catch (const PostgresError& error) {
        if (!is_fault_of_statement(error.state())) {
            throw;
        }
        throw UsageError(fmt::format("{}: {}", place(origin, sql, error.offset()), error.what()));
    }
}

}  // namespace

ResultTable run_published_report(PublishedLedger& ledger, const Report& report, Arguments arguments,
                                 const AskedLookIds& looks) {
    arguments = complete_arguments(report, std::move(arguments));
    refuse_pattern_for_view(report, arguments);
    if (!is_of_program(report)) {  // it may ask for anything
        ledger.refuse_powerful_role(report.origin);
    }
    const PortableStatement statement = compose_report(report, arguments, looks);
    // The text is not that of the file, so a place in it means nothing to a user.
    return finish_rows(report, explain(report.origin, "", [&] {
                           return ledger.connection().query(statement.sql, statement.values);
                       }));
}

std::string published_report_sql(const Report& report, Arguments arguments,
                                 const AskedLookIds& looks) {
    arguments = complete_arguments(report, std::move(arguments));
    return with_values(compose_report(report, arguments, looks));
}

ResultTable run_published_query(PublishedLedger& ledger, const std::string& origin,
                                const std::string& sql, const Arguments& arguments,
                                std::size_t most_rows) {
    ledger.refuse_powerful_role(origin);
    const PortableStatement statement = number_parameters(origin, sql, arguments);
    return explain(origin, sql, [&] {
        if (ledger.connection().columns(statement.sql).empty()) {
            throw UsageError(
                fmt::format("{}: this statement gives no rows; only queries are allowed", origin));
        }
        return ledger.connection().query(statement.sql, statement.values, most_rows);
    });
}

}  // namespace cacheledger
