#pragma once

#include <iosfwd>

#include "reports/result_table.hpp"

namespace cacheledger {

/// A GitHub table that shows each value as it is, whatever Markdown or HTML it may look like;
/// numbers to the right, NULL as an empty cell.
void render_markdown(const ResultTable& table, std::ostream& out);

}  // namespace cacheledger
