#include "reports/engine/catalog/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
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
    std::string_view choices = word;
    if (take_prefix(choices, "one-of:")) {
        while (!choices.empty()) {
            parameter.choices.emplace_back(take_word(choices, ","));
            choices.remove_prefix(choices.empty() ? 0 : 1);
        }
        return;
    }
    if (take_prefix(choices, "name-of:")) {
        parameter.type = ParameterType::glob;
        parameter.names_by = choices;
        return;
    }
    const auto type = std::ranges::find(type_names, word);
    if (type != type_names.end()) {
        parameter.type = static_cast<ParameterType>(type - type_names.begin());
    } else {
        parameter.type = ParameterType::glob;
        parameter.names = find_name_kind(word);
        if (!parameter.names) {
            place.expected(
                "snapshot, glob, text, integer, one-of:, name-of:, package, stack, series, cause, "
                "kind, target, system, compiler or version after the parameter's name");
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

constexpr std::array<std::string_view, 6> chart_kinds = {
    "lines:", "areas:", "columns:", "bars:", "curve:", "graph:"};

/// "series,stack=all": the columns, and a word for NULL.
std::vector<ChartLabel> labels_of(std::string_view word) {
    std::vector<ChartLabel> labels;
    while (!word.empty()) {
        std::string_view one = take_word(word, ",");
        word.remove_prefix(word.empty() ? 0 : 1);
        const std::string_view column = take_word(one, "=");
        labels.push_back({std::string(column), std::string(one.substr(one.empty() ? 0 : 1))});
    }
    return labels;
}

Chart parse_lines(std::string_view text, const Place& place) {
    Chart chart;
    chart.across = {{std::string(take_word(text))}};
    chart.numbers = {{std::string(take_word(text))}};
    if (chart.numbers.front().column.empty() || text.empty()) {
        place.expected("columns: moment, number, and one or more that name the line");
    }
    take_columns(text, chart.parts, place);
    return chart;
}

Chart parse_chart(std::string_view text, const Place& place) {
    const auto* const kind =
        std::ranges::find(chart_kinds, text.substr(0, text.find_first_of(blanks)));
    if (kind == chart_kinds.end()) {
        return parse_lines(text, place);
    }
    take_word(text);
    Chart chart;
    chart.kind = static_cast<ChartKind>(kind - chart_kinds.begin());
    chart.across = labels_of(take_word(text));
    std::vector<std::string>* names = nullptr;  // where the next words go; nullptr: numbers
    std::vector<std::string> each;
    while (!text.empty()) {
        std::string_view word = take_word(text);
        if (word == "by" || word == "each") {
            names = word == "by" ? &chart.parts : &each;
        } else if (names != nullptr) {
            names->emplace_back(word);
        } else {
            const bool is_below = word.starts_with('-');
            word.remove_prefix(is_below || word.starts_with('+') ? 1 : 0);
            chart.numbers.push_back({std::string(word), is_below});
        }
    }
    const bool is_graph = chart.kind == ChartKind::graph;
    if (chart.across.empty() || chart.numbers.empty() || each.size() > 1 ||
        (is_graph && (chart.parts.empty() || each.empty()))) {
        place.expected("'KIND: COLUMN NUMBER... [by COLUMN...] [each COLUMN]'; a graph has both");
    }
    chart.each = each.empty() ? "" : each.front();
    return chart;
}

void add_caption(Report& report, std::string_view text, const Place& place) {
    if (text.empty()) {
        place.expected("what one sees in the chart");
    }
    report.caption = text;
}

void add_unit(Report& report, std::string_view text, const Place& place) {
    const std::string unit(take_word(text));
    std::vector<std::string> columns;
    take_columns(text, columns, place);
    for (const std::string& column : columns) {
        report.units[column] = unit;
    }
}

void add_parameter(Report& report, std::string_view text, const Place& place) {
    Parameter parameter = parse_parameter(text, place);
    if (std::ranges::count(report.parameters, parameter.name, &Parameter::name) != 0) {
        place.expected(fmt::format("the parameter '{}' only once", parameter.name));
    }
    if (!parameter.names_by.empty()) {
        const auto by = std::ranges::find(report.parameters, parameter.names_by, &Parameter::name);
        if (by == report.parameters.end() || by->choices.empty() ||
            !std::ranges::all_of(by->choices, [](const std::string& word) {
                return find_name_kind(word).has_value();
            })) {
            place.expected(
                fmt::format("a parameter '{}' above, one-of: kinds of names", parameter.names_by));
        }
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
    HeaderLine{"caption:", add_caption},
    HeaderLine{"unit:", add_unit},
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
    if (!parameter.choices.empty() && std::ranges::count(parameter.choices, text) == 0) {
        refuse_unknown("word for --" + parameter.name, text, parameter.choices,
                       fmt::format("there are: {}", fmt::join(parameter.choices, ", ")));
    }
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

std::string_view word_of(ChartKind kind) {
    const std::string_view word = chart_kinds[static_cast<std::size_t>(kind)];
    return word.substr(0, word.size() - 1);
}

std::string_view type_name(ParameterType type) {
    return type_names[static_cast<std::size_t>(type)];
}

}  // namespace cacheledger
