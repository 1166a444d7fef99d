#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "reports/table/result_table.hpp"

namespace cacheledger {

/// The text as one line of Markdown that shows it unchanged.
std::string markdown_text(std::string_view shown);

/// Writes a GitHub table that shows each value unchanged, even if it looks like Markdown or HTML.
/// Numbers are aligned right; NULL is an empty cell.
void render_markdown(const ResultTable& table, std::ostream& out);

}  // namespace cacheledger
