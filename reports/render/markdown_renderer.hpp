#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "reports/table/result_table.hpp"

namespace cacheledger {

/// The text as a line of Markdown that shows it as it is.
std::string markdown_text(std::string_view shown);

/// A GitHub table that shows each value as it is, whatever Markdown or HTML it may look like;
/// numbers to the right, NULL as an empty cell.
void render_markdown(const ResultTable& table, std::ostream& out);

}  // namespace cacheledger
