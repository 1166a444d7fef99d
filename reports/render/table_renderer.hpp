#pragma once

#include <iosfwd>

#include "reports/render/renderer.hpp"
#include "reports/table/result_table.hpp"

namespace cacheledger {

/// Writes aligned columns for a terminal: the title, the column names, a rule, the rows. Numbers
/// are aligned right; NULL is "-". If the table is wider than options.width, texts in the widest
/// columns are cut and end with "…". Numbers are never cut, and a column keeps at least a few
/// characters, so a table of many columns can stay too wide.
void render_table(const ResultTable& table, const RenderOptions& options, std::ostream& out);

}  // namespace cacheledger
