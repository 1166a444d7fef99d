#include "reports/engine/catalog/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "schema/errors/error.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

std::string quoted(const std::string& text) {
    std::string all = "'";
    for (const char c : text) {
        all += c == '\'' ? "''" : std::string(1, c);
    }
    return all + "'";
}

// The comment block that says the same.
std::string header_of(const Report& report) {
    std::string text = fmt::format("-- title: {}\n", report.title);
    for (const Parameter& parameter : report.parameters) {
        text += fmt::format("-- param: {} {}", parameter.name, type_name(parameter.type));
        if (parameter.default_value) {
            const Value& value = *parameter.default_value;
            text += fmt::format(" = {}", is_null(value) ? "null" : quoted(to_text(value)));
        }
        text += fmt::format(" {}\n", parameter.help);
    }
    if (const auto& pivot = report.pivot) {
        text += fmt::format("-- pivot: {} {} {}{}\n", pivot->rows, pivot->columns, pivot->values,
                            is_null(pivot->absent) ? "" : " = 0");
    }
    for (const auto& [word, columns] :
         {std::pair("total", report.totals), std::pair("implied", report.implied)}) {
        if (!columns.empty()) {
            text += fmt::format("-- {}: {}\n", word, fmt::join(columns, " "));
        }
    }
    return text;
}

}  // namespace

void report(std::string_view text) {
    Report parsed;
    try {
        parsed = parse_report("a/b", "a/b.sql", std::string(text));
    } catch (const UsageError& error) {
        require(std::string_view(error.what()).starts_with("a/b.sql:"),
                "a problem opens with the file");
        return;
    }
    require(parsed.sql == text, "the SQL is the whole file");
    require(!parsed.title.empty(), "a report has a title");
    const std::string header = header_of(parsed);
    const Report again = parse_report("a/b", "a/b.sql", header + "SELECT 1");
    require(header_of(again) == header, "a header that is printed reads as itself");
    require(std::equal(parsed.parameters.begin(), parsed.parameters.end(), again.parameters.begin(),
                       again.parameters.end(),
                       [](const Parameter& a, const Parameter& b) {
                           return a.name == b.name && a.type == b.type &&
                                  a.default_value == b.default_value;
                       }),
            "parameters are the same");
}

}  // namespace cacheledger::fuzz
