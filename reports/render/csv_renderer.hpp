#pragma once

#include <iosfwd>

#include "reports/render/renderer.hpp"
#include "reports/table/result_table.hpp"

namespace cacheledger {

/// RFC 4180 with a line of column names, but for the ends of lines, which are \n. NULL is an empty
/// field and the empty text is "", so that a reader can tell them apart. Texts are there byte by
/// byte, whatever they hold; but on a terminal in their visible form, so that they don't act on it.
/// With options.guard_formulas a text, or column name, that begins with = + - @, a tab or a
/// carriage return gets a ' before it, and spreadsheets take it for a text.
void render_csv(const ResultTable& table, const RenderOptions& options, std::ostream& out);

}  // namespace cacheledger
