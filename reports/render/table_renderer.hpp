#pragma once

#include <iosfwd>

#include "reports/render/renderer.hpp"
#include "reports/table/result_table.hpp"

namespace cacheledger {

/// Aligned columns for a terminal: the title, the column names, a rule, the rows; numbers to the
/// right, NULL as "-". A table wider than options.width has its widest columns cut with "…", but
/// never a number, and no column to less than a few characters: beyond that it stays too wide.
void render_table(const ResultTable& table, const RenderOptions& options, std::ostream& out);

}  // namespace cacheledger
