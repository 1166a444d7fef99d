#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "reports/table/result_table.hpp"

namespace cacheledger {

/// A complete document with one table; numbers to the right, NULL as an empty cell.
void render_html(const ResultTable& table, std::string_view title, std::ostream& out);

/// The text as the content of an element: &, < and > as entities, line ends as <br>, what would not
/// show written out by visible(). Not for attributes.
std::string html_text(std::string_view text);

}  // namespace cacheledger
