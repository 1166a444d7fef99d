#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "reports/table/result_table.hpp"

namespace cacheledger {

/// Writes a complete document with one table. Numbers are aligned right; NULL is an empty cell.
void render_html(const ResultTable& table, std::string_view title, std::ostream& out);

/// The text as content of an element: &, < and > become entities, line ends become <br>, and
/// visible() writes out characters that would not show. Not for attributes.
std::string html_text(std::string_view text);

}  // namespace cacheledger
