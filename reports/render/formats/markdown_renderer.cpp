#include "reports/render/formats/renderers.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>

#include "reports/render/html/html_text.hpp"

namespace cacheledger {

namespace {

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

}  // namespace cacheledger
