#include "reports/render/html/html_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>

#include "reports/render/table/text_width.hpp"
#include "schema/libraries/libcrypto.hpp"

namespace cacheledger {

namespace {

/// The name of a text for a Content-Security-Policy.
std::string policy_hash(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
    std::array<unsigned char, std::size_t{2} * EVP_MAX_MD_SIZE> base64{};
    const int length = EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(size));
    return fmt::format("'sha256-{}'", std::string(base64.begin(), base64.begin() + length));
}

void write_head(std::string_view title, std::ostream& out) {
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        << fmt::format(
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
               "style-src {}; script-src {}; base-uri 'none'; form-action 'none'\">\n",
               policy_hash(text_named(page_texts, "page.css")),
               policy_hash(text_named(page_texts, "page.js")))
        << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        << html_line(title.empty() ? "cacheledger" : title) << "</title>\n<style>"
        << text_named(page_texts, "page.css") << "</style>\n</head>\n<body>\n";
}

// How a column stands: numbers on the right, lists of hashes in a field of some lines.
enum class CellPlace : std::uint8_t { text, number, list };

CellPlace place_of(const ResultTable& table, std::size_t column) {
    return is_hash_list(table.columns[column]) ? CellPlace::list
           : is_numeric(table, column)         ? CellPlace::number
                                               : CellPlace::text;
}

void write_cell(std::ostream& out, std::string_view element, CellPlace place,
                std::string_view text) {
    const bool is_list = place == CellPlace::list && element == "td";
    out << '<' << element << (place == CellPlace::number ? " class=\"number\">" : ">")
        << (is_list ? "<div class=\"list\">" : "") << html_text(text)
        << (is_list ? "</div></" : "</") << element << '>';
}

void write_table(const ResultTable& table, std::ostream& out) {
    std::vector<CellPlace> places;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        places.push_back(place_of(table, column));
    }
    out << "<div class=\"wide\"><table>\n<thead>\n<tr>";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        write_cell(out, "th", places[column], heading_of(table, column));
    }
    out << "</tr>\n</thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        out << "<tr>";
        for (std::size_t column = 0; column < row.size(); ++column) {
            write_cell(out, "td", places[column], to_text(row[column]));
        }
        out << "</tr>\n";
    }
    out << "</tbody>\n</table></div>\n";
}

void write_section(const HtmlSection& section, std::ostream& out) {
    out << "<section>\n";
    if (!section.title.empty()) {
        out << "<h2>" << html_text(section.title) << "</h2>\n";
    }
    write_table(section.table, out);
    out << "</section>\n";
}

}  // namespace

std::string html_line(std::string_view text) {
    std::string html;
    for (const char c : visible(text)) {
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

std::string html_text(std::string_view text) {
    std::string html;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        html += html_line(line) + "<br>";
        text.remove_prefix(end + 1);
    }
    return html + html_line(text);
}

std::string html_prose(std::string_view text) {
    std::string html;
    for (auto begin = text.find('`'); begin != std::string_view::npos; begin = text.find('`')) {
        const auto end = text.find('`', begin + 1);
        if (end == std::string_view::npos) {
            break;
        }
        html += html_text(text.substr(0, begin)) + "<code>" +
                html_text(text.substr(begin + 1, end - begin - 1)) + "</code>";
        text.remove_prefix(end + 1);
    }
    return html + html_text(text);
}

void write_html_page(const HtmlPage& page, std::ostream& out) {
    write_head(page.title, out);
    if (!page.title.empty()) {
        out << "<h1>" << html_text(page.title) << "</h1>\n";
    }
    if (!page.summary.empty()) {
        out << "<p>" << html_text(page.summary) << "</p>\n";
    }
    if (!page.description.empty()) {
        out << "<p>" << html_prose(page.description) << "</p>\n";
    }
    if (!page.remarks.empty()) {
        out << "<ul>\n";
        for (const std::string& remark : page.remarks) {
            out << "<li>" << html_text(remark) << "</li>\n";
        }
        out << "</ul>\n";
    }
    if (!page.chart.empty()) {
        out << "<figure>\n" << page.chart << "</figure>\n";
    }
    for (const HtmlSection& section : page.sections) {
        write_section(section, out);
    }
    out << "<script>" << text_named(page_texts, "page.js") << "</script>\n</body>\n</html>\n";
}

}  // namespace cacheledger
