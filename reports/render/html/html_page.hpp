#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/table/result_table.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The text as content of an element: &, < and > become entities, line ends become <br>, and
/// visible() writes out characters that would not show. Not for attributes.
std::string html_text(std::string_view text);

/// The same without line ends, for elements in which <br> is no tag (<title>, and those of SVG).
std::string html_line(std::string_view text);

/// html_text() of a description: what stands between two backticks is code.
std::string html_prose(std::string_view text);

/// reports/render/html/page.css and page.js, compiled in.
extern const std::span<const EmbeddedText> page_texts;

/// A table of a page, below its title if it has one.
struct HtmlSection {
    std::string title;
    const ResultTable& table;
};

/// A page in one file: a title, what it says in short, remarks, a chart, tables. In a browser that
/// runs scripts, a longer table has a filter. Its policy allows only its own style and script, so
/// nothing else can run or load, even if a browser misreads a text.
struct HtmlPage {
    std::string title{};
    std::string summary{};               ///< lines of text
    std::string description{};           ///< of a report (html_prose())
    std::vector<std::string> remarks{};  ///< sentences
    std::string chart{};                 ///< SVG (reports/render/charts/draw_chart.hpp), or empty
    std::vector<HtmlSection> sections{};
};

/// Writes the page. Numbers are aligned right; NULL is an empty cell.
void write_html_page(const HtmlPage& page, std::ostream& out);

}  // namespace cacheledger
