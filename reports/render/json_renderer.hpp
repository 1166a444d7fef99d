#pragma once

#include <iosfwd>
#include <string_view>

#include "reports/table/result_table.hpp"

namespace cacheledger {

/// Writes one array with an object for each row, each on its own line. The keys are the column
/// names, in the order of the columns. If two columns have the same name, the second has the key
/// "name:1", which is also SQLite's name for it in a view. Bytes that are not UTF-8 become U+FFFD.
/// Infinity becomes null, because JSON has no word for it. A text is written in ASCII if it has
/// characters that would not show or would act on a terminal.
void render_json(const ResultTable& table, std::ostream& out);

/// Writes only the objects, `separator` before each. Sets `separator` to ",\n" after the first.
void render_json_rows(const ResultTable& table, std::string_view& separator, std::ostream& out);

}  // namespace cacheledger
