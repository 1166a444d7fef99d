#pragma once

#include <iosfwd>

#include "reports/render/renderer.hpp"
#include "reports/table/result_table.hpp"

namespace cacheledger {

/// Writes CSV as in RFC 4180, except that lines end with \n. The first line has the column names.
/// NULL is an empty field and the empty text is "", so a reader can tell them apart. Texts are
/// written byte by byte; only on a terminal they are written in visible form, so that they can't
/// act on it. With options.guard_formulas, a ' is put before each text and column name that begins
/// with = + - @, a tab or a carriage return: spreadsheets then treat it as text.
void render_csv(const ResultTable& table, const RenderOptions& options, std::ostream& out);

}  // namespace cacheledger
