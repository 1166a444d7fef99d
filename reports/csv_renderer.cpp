#include "reports/csv_renderer.hpp"

#include <ostream>
#include <string_view>

namespace cacheledger {

namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool needs_quotes(std::string_view text) {
    // Some readers strip blanks at the ends.
    return text.empty() || is_blank(text.front()) || is_blank(text.back()) ||
           text.find_first_of(",\"\r\n") != std::string_view::npos;
}

void write_text(std::ostream& out, std::string_view text) {
    if (!needs_quotes(text)) {
        out << text;
        return;
    }
    out << '"';
    for (const char c : text) {
        out << (c == '"' ? "\"" : "") << c;
    }
    out << '"';
}

}  // namespace

void render_csv(const ResultTable& table, std::ostream& out) {
    const char* separator = "";
    for (const auto& name : table.columns) {
        out << separator;
        write_text(out, name);
        separator = ",";
    }
    out << '\n';
    for (const auto& row : table.rows) {
        separator = "";
        for (const Value& value : row) {
            out << separator;
            if (!is_null(value)) {
                write_text(out, to_text(value));
            }
            separator = ",";
        }
        out << '\n';
    }
}

}  // namespace cacheledger
