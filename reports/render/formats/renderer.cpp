#include "reports/render/formats/renderer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <ostream>
#include <set>
#include <stdexcept>
#include <utility>

#include "reports/render/formats/table_grid.hpp"
#include "reports/render/html/html_page.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/ledger/names/nearest.hpp"

namespace cacheledger {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool is_special(char c) {
    return c == ',' || c == '"' || c == '\r' || c == '\n';
}

bool needs_quotes(std::string_view text) {
    // Texts with blanks at the ends are quoted: some readers strip them.
    return text.empty() || is_blank(text.front()) || is_blank(text.back()) ||
           std::any_of(text.begin(), text.end(), is_special);
}

void add_quoted(std::string& line, std::string_view text) {
    if (!needs_quotes(text)) {
        line += text;
        return;
    }
    line += '"';
    for (const char c : text) {
        line.append(c == '"' ? 2 : 1, c);
    }
    line += '"';
}

bool is_formula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string::npos;
}

void add_text(std::string& line, std::string_view text, const RenderOptions& options) {
    if (!options.guard_formulas && !options.is_terminal) {
        add_quoted(line, text);
        return;
    }
    std::string safe = options.guard_formulas && is_formula(text) ? "'" : "";
    safe += options.is_terminal ? visible(text) : text;
    add_quoted(line, safe);
}

void add_value(std::string& line, const Value& value, const RenderOptions& options) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        add_text(line, *text, options);
    } else if (!is_null(value)) {
        add_quoted(line, to_text(value));
    }
}

/// Whether JSON writes every character of the text unchanged. Nearly every text is of this kind,
/// and is written without nlohmann.
bool is_plain(std::string_view text) {
    // As small as a char, and no early exit: the compiler can check many at a time.
    unsigned char special = 0;
    for (const char c : text) {
        const unsigned char is_special = c < ' ' || c > '~' || c == '"' || c == '\\' ? 1 : 0;
        special = static_cast<unsigned char>(special | is_special);
    }
    return special == 0;
}

void add_string(std::string& line, std::string_view text) {
    if (is_plain(text)) {
        line.append(1, '"').append(text).append(1, '"');
    } else {
        const nlohmann::json json(text);
        constexpr auto replace = nlohmann::json::error_handler_t::replace;
        std::string written = json.dump(-1, ' ', false, replace);
        if (!is_visible(written)) {
            written = json.dump(-1, ' ', true, replace);
        }
        line += written;
    }
}

std::string json_string(const std::string& text) {
    std::string written;
    add_string(written, text);
    return written;
}

std::vector<std::string> unique_keys(const std::vector<std::string>& columns) {
    std::set<std::string> taken(columns.begin(), columns.end());
    std::set<std::string> seen;
    std::vector<std::string> keys;
    for (const std::string& name : columns) {
        std::string key = name;
        if (!seen.insert(name).second) {
            for (int number = 1; !taken.insert(key).second; ++number) {
                key = fmt::format("{}:{}", name, number);
            }
        }
        keys.push_back(json_string(key));
    }
    return keys;
}

/// The object of a row, without its last bracket.
void add_members(std::string& line, const std::vector<std::string>& keys,
                 const std::vector<Value>& row) {
    line += '{';
    for (std::size_t column = 0; column < keys.size(); ++column) {
        line.append(column == 0 ? "" : ", ").append(keys[column]).append(": ");
        add_json(line, row[column]);
    }
}

bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_www(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c == 'w' || c == 'W'; });
}

/// Whether Markdown would act on text[i]. Emphasis needs a second mark that stands after a
/// non-blank: in "+mpi~ipo~cuda" it would strike out "ipo". So the marks in "~ipo ~cuda" and
/// "build_type" do nothing, and stay unescaped and readable.
bool is_markup(std::string_view text, std::size_t i) {
    const bool after_text = i > 0 && text[i - 1] != ' ';
    switch (text[i]) {
        case '\\':
        case '|':
        case '`':
        case '[':
        case '$':  // GitHub's formulas
            return true;
        case ':':  // GitHub makes a link of https://...
            return text.substr(i).starts_with("://");
        case '.':  // GitHub makes a link of www. ...
            return i >= 3 && is_www(text.substr(i - 3, 3));
        case '*':
        case '~':
            return after_text;
        case '_':
            return after_text && !(i + 1 < text.size() && is_word(text[i + 1]));
        default:
            return false;
    }
}

}  // namespace

// Each line is built in a string: writing each value to a stream takes far longer.
void render_csv(const ResultTable& table, const RenderOptions& options, std::ostream& out) {
    std::string line;
    for (const auto& name : table.columns) {
        line.append(line.empty() ? "" : ",");
        add_text(line, name, options);
    }
    out << line << '\n';
    for (const auto& row : table.rows) {
        line.clear();
        std::string_view separator;
        for (const Value& value : row) {
            line += separator;
            add_value(line, value, options);
            separator = ",";
        }
        // A row of one NULL is written as "": readers skip empty lines.
        line += line.empty() ? "\"\"\n" : "\n";
        out << line;
    }
}

// Numbers are not written by nlohmann, which writes 1.0 where the other formats write 1.
void add_json(std::string& line, const Value& value) {
    const auto* real = std::get_if<double>(&value);
    if (const auto* text = std::get_if<std::string>(&value)) {
        add_string(line, *text);
    } else if (is_null(value) || (real != nullptr && !std::isfinite(*real))) {
        line += "null";
    } else {
        line += to_text(value);
    }
}

void render_json_rows(const ResultTable& table, std::string_view& separator, std::ostream& out) {
    const std::vector<std::string> keys = unique_keys(table.columns);
    std::string line;
    for (const auto& row : table.rows) {
        line.assign(separator);
        add_members(line, keys, row);
        out << line << '}';
        separator = ",\n";
    }
}

void render_json_with_lists(const ResultTable& table, const std::string& name,
                            const std::vector<ResultTable>& lists, std::ostream& out) {
    const std::vector<std::string> keys = unique_keys(table.columns);
    std::string line = "[";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        line += row == 0 ? "\n" : ",\n";
        add_members(line, keys, table.rows[row]);
        line += fmt::format(", {}: [", json_string(name));
        const std::vector<std::string> keys_of_list = unique_keys(lists.at(row).columns);
        std::string_view separator;
        for (const auto& one : lists[row].rows) {
            add_members(line.append(separator), keys_of_list, one);
            line += '}';
            separator = ", ";
        }
        out << line << "]}";
        line.clear();
    }
    out << line << (table.rows.empty() ? "]\n" : "\n]\n");
}

void render_json(const ResultTable& table, std::ostream& out) {
    std::string_view separator = "\n";
    out << '[';
    render_json_rows(table, separator, out);
    out << (table.rows.empty() ? "]\n" : "\n]\n");
}

std::string markdown_text(std::string_view shown) {
    const std::string text = html_text(shown);
    std::string markdown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_markup(text, i)) {
            markdown += '\\';
        }
        markdown += text[i];
    }
    return markdown;
}

void render_markdown(const ResultTable& table, std::ostream& out) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        out << "| " << markdown_text(heading_of(table, column)) << ' ';
    }
    out << "|\n";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        out << (is_numeric(table, column) ? "| ---: " : "| --- ");
    }
    out << "|\n";
    for (const auto& row : table.rows) {
        for (const Value& value : row) {
            out << "| " << markdown_text(to_text(value)) << ' ';
        }
        out << "|\n";
    }
}

std::vector<Format> formats_of_command(std::span<const Format> more) {
    std::vector<Format> formats = {Format::table, Format::csv, Format::json, Format::markdown,
                                   Format::html};
    formats.insert(formats.end(), more.begin(), more.end());
    return formats;
}

std::vector<std::string> names_of_formats(std::span<const Format> more) {
    std::vector<std::string> names;
    std::ranges::transform(formats_of_command(more), std::back_inserter(names),
                           [](Format one) { return std::string(name_of(one).name); });
    return names;
}

Format parse_format(std::string_view name, std::span<const Format> more) {
    const std::vector<Format> formats = formats_of_command(more);
    const auto found =
        std::ranges::find(formats, name, [](Format one) { return name_of(one).name; });
    if (found == formats.end()) {
        const auto names = names_of_formats(more);
        refuse_unknown("format", name, names, fmt::format("there are: {}", fmt::join(names, ", ")));
    }
    return *found;
}

void render(const ResultTable& table, Format format, const RenderOptions& options,
            std::ostream& out) {
    switch (format) {
        case Format::table:
            return render_table(table, options, out);
        case Format::csv:
            return render_csv(table, options, out);
        case Format::json:
            return render_json(table, out);
        case Format::markdown:
            return render_markdown(table, out);
        case Format::html:
            return write_html_page({.title = options.title,
                                    .description = options.description,
                                    .remarks = options.remarks,
                                    .chart = options.chart,
                                    .sections = {{"", table}}},
                                   out);
        default:
            throw std::logic_error("not a format for any table");
    }
}

}  // namespace cacheledger
