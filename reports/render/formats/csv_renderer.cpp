#include "reports/render/formats/renderers.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>

#include "reports/render/table/text_width.hpp"

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

}  // namespace cacheledger
