#include "reports/render/renderers.hpp"

#include <ostream>
#include <vector>

#include "reports/table/text_width.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view style = R"(
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; }
table { border-collapse: collapse; }
th, td { border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: left; vertical-align: top; }
th { background: #f4f4f4; position: sticky; top: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
)";

// Nothing in the document may run or load anything, even if a browser misreads a text.
constexpr std::string_view policy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n";

std::string line_text(std::string_view line) {
    std::string html;
    for (const char c : visible(line)) {
        switch (c) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            default:
                html += c;
        }
    }
    return html;
}

void write_cell(std::ostream& out, std::string_view element, bool numeric, std::string_view text) {
    out << '<' << element << (numeric ? " class=\"number\">" : ">") << html_text(text) << "</"
        << element << '>';
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string html;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        html += line_text(line) + "<br>";
        text.remove_prefix(end + 1);
    }
    return html + line_text(text);
}

void render_html(const ResultTable& table, std::string_view title, std::ostream& out) {
    std::vector<bool> numeric;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        numeric.push_back(is_numeric(table, column));
    }
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        << policy << "<title>" << line_text(title.empty() ? "cacheledger" : title)
        << "</title>\n<style>" << style << "</style>\n</head>\n<body>\n";
    if (!title.empty()) {
        out << "<h1>" << html_text(title) << "</h1>\n";
    }
    out << "<table>\n<thead>\n<tr>";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        write_cell(out, "th", numeric[column], table.columns[column]);
    }
    out << "</tr>\n</thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        out << "<tr>";
        for (std::size_t column = 0; column < row.size(); ++column) {
            write_cell(out, "td", numeric[column], to_text(row[column]));
        }
        out << "</tr>\n";
    }
    out << "</tbody>\n</table>\n</body>\n</html>\n";
}

}  // namespace cacheledger
