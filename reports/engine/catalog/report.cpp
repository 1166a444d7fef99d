#include "reports/engine/catalog/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/text/prefix.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view name_characters = "abcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::array<std::string_view, 4> type_names = {"snapshot", "glob", "text", "integer"};

/// A line in a file, for error messages.
struct Place {
    const std::string& origin;
    std::size_t line = 0;

    [[noreturn]] void expected(std::string_view what) const {
        throw UsageError(fmt::format("{}:{}: expected {}", origin, line, what));
    }
};

std::string_view trim(std::string_view text) {
    const auto begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Removes the first word, which ends at one of `ends`, and the blanks after it from the front of
/// `text`. Returns the word.
std::string_view take_word(std::string_view& text, std::string_view ends = blanks) {
    const std::string_view word = text.substr(0, text.find_first_of(ends));
    text = trim(text.substr(word.size()));
    return word;
}

std::string_view take_line(std::string_view& text) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

/// As take_prefix(); what is left is trimmed.
bool take_opening(std::string_view& text, std::string_view word) {
    const bool is_there = take_prefix(text, word);
    text = is_there ? trim(text) : text;
    return is_there;
}

/// Removes a text in SQL's single quotes from the front of `text`. Returns it without the quotes.
std::string take_quoted(std::string_view& text, const Place& place) {
    std::string value;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\'' && text.substr(i + 1, 1) != "'") {
            text = trim(text.substr(i + 1));
            return value;
        }
        i += text[i] == '\'';
        value += text[i];
    }
    place.expected("a closing quote");
}

Value parse_default(const Parameter& parameter, std::string_view& text, const Place& place) {
    if (text.empty()) {
        place.expected("a default after '='; an empty one is ''");
    }
    const bool quoted = text.front() == '\'';
    const std::string value = quoted ? take_quoted(text, place) : std::string(take_word(text));
    if (!quoted && value == "null") {
        return {};
    }
    try {
        return to_value(parameter, value);
    } catch (const UsageError&) {
        place.expected(fmt::format("an integer as the default, not '{}'", value));
    }
}

void take_type(std::string_view& text, Parameter& parameter, const Place& place) {
    const std::string_view word = take_word(text, " \t\r=");
    const auto type = std::ranges::find(type_names, word);
    if (type != type_names.end()) {
        parameter.type = static_cast<ParameterType>(type - type_names.begin());
    } else {
        parameter.type = ParameterType::glob;
        parameter.names = find_name_kind(word);
        if (!parameter.names) {
            place.expected(
                "snapshot, glob, text, integer, package, stack, series, cause or kind after the "
                "parameter's name");
        }
    }
    if (parameter.type == ParameterType::glob || parameter.type == ParameterType::text) {
        parameter.names = parameter.names ? parameter.names : find_name_kind(parameter.name);
    }
}

Parameter parse_parameter(std::string_view text, const Place& place) {
    Parameter parameter;
    parameter.name = take_word(text, " \t\r=");
    if (parameter.name.empty() ||
        parameter.name.find_first_not_of(name_characters) != std::string::npos) {
        place.expected(
            "'NAME TYPE [= DEFAULT] [HELP]', the name in lower-case letters, digits and _");
    }
    take_type(text, parameter, place);
    if (take_opening(text, "=")) {
        parameter.default_value = parse_default(parameter, text, place);
    }
    parameter.help = text;
    return parameter;
}

Pivot parse_pivot(std::string_view text, const Place& place) {
    Pivot pivot;
    pivot.rows = take_word(text);
    pivot.columns = take_word(text);
    pivot.values = take_word(text);
    if (take_opening(text, "= 0")) {
        pivot.absent = std::int64_t{0};
    }
    if (pivot.values.empty() || !text.empty()) {
        place.expected("three columns: row key, column key, value; then '= 0' or nothing");
    }
    return pivot;
}

void take_columns(std::string_view text, std::vector<std::string>& columns, const Place& place) {
    if (text.empty()) {
        place.expected("the names of columns");
    }
    while (!text.empty()) {
        columns.emplace_back(take_word(text));
    }
}

ChartColumns parse_chart(std::string_view text, const Place& place) {
    ChartColumns chart;
    chart.time = take_word(text);
    chart.value = take_word(text);
    if (chart.value.empty() || text.empty()) {
        place.expected("columns: moment, number, and one or more that name the line");
    }
    take_columns(text, chart.lines, place);
    return chart;
}

void add_parameter(Report& report, std::string_view text, const Place& place) {
    Parameter parameter = parse_parameter(text, place);
    if (std::ranges::count(report.parameters, parameter.name, &Parameter::name) != 0) {
        place.expected(fmt::format("the parameter '{}' only once", parameter.name));
    }
    report.parameters.push_back(std::move(parameter));
}

void add_pivot(Report& report, std::string_view text, const Place& place) {
    if (report.pivot) {
        place.expected("one pivot only");
    }
    report.pivot = parse_pivot(text, place);
}

void add_filters(Report& report, std::string_view text, const Place& place) {
    if (text != "looks") {
        place.expected("looks");
    }
    report.filters_looks = true;
}

void add_form(Report& report, std::string_view text, const Place& place) {
    Form form;
    form.report = take_word(text);
    const bool has_by = take_word(text) == "by";
    form.by = take_word(text);
    if (!has_by || form.by.empty() || !text.empty()) {
        place.expected("'REPORT by WORD'");
    }
    report.form = std::move(form);
}

void add_command(Report& report, std::string_view text, const Place& place) {
    report.command = take_word(text);
    if (report.command.empty() || !text.empty()) {
        place.expected("the name of one command");
    }
}

/// The lines of a header behind its description, by the word that each begins with.
struct HeaderLine {
    std::string_view opening;
    void (*add)(Report& report, std::string_view text, const Place& place);
};

constexpr std::array header_lines = {
    HeaderLine{"param:", add_parameter},
    HeaderLine{"pivot:", add_pivot},
    HeaderLine{"total:", [](Report& report, std::string_view text,
                            const Place& place) { take_columns(text, report.totals, place); }},
    HeaderLine{"implied:", [](Report& report, std::string_view text,
                              const Place& place) { take_columns(text, report.implied, place); }},
    HeaderLine{"chart:", [](Report& report, std::string_view text,
                            const Place& place) { report.chart = parse_chart(text, place); }},
    HeaderLine{"filters:", add_filters},
    HeaderLine{"form:", add_form},
    HeaderLine{"command:", add_command},
};

}  // namespace

Report parse_report(std::string name, std::string origin, std::string text) {
    Report report;
    report.name = std::move(name);
    report.origin = std::move(origin);
    report.sql = std::move(text);

    std::string_view rest = report.sql;
    Place place{report.origin, 1};
    std::string_view line = take_line(rest);
    if (!take_opening(line, "--") || !take_opening(line, "title:") || line.empty()) {
        place.expected("'-- title: ...' as the first line");
    }
    report.title = line;

    bool in_description = true;
    while (rest.starts_with("--")) {
        ++place.line;
        line = take_line(rest);
        take_opening(line, "--");
        const auto* const known = std::ranges::find_if(
            header_lines, [&](const HeaderLine& one) { return take_opening(line, one.opening); });
        if (known != header_lines.end()) {
            in_description = false;
            known->add(report, line, place);
        } else if (in_description) {
            report.description.append(line).append("\n");
        }
    }
    report.description.erase(report.description.find_last_not_of('\n') + 1);

    if (rest.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        ++place.line;
        place.expected("a SELECT after the comment block");
    }
    if (report.filters_looks && report.sql.find("asked_looks") == std::string::npos) {
        place.expected("SQL that joins asked_looks, because the header has '-- filters: looks'");
    }
    return report;
}

Value to_value(const Parameter& parameter, std::string_view text) {
    if (parameter.type != ParameterType::integer) {
        return std::string(text);
    }
    std::int64_t integer = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, integer);
    if (error != std::errc{} || stop != end) {
        throw UsageError(fmt::format("{}: expected an integer, not '{}'", parameter.name, text));
    }
    return integer;
}

std::string_view type_name(ParameterType type) {
    return type_names[static_cast<std::size_t>(type)];
}

}  // namespace cacheledger
