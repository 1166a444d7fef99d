#pragma once

#include <iosfwd>
#include <string_view>

#include "reports/table/result_table.hpp"

namespace cacheledger {

/// One array with an object a row, each on its own line, its keys the column names in their order.
/// Of columns with the same name the second gets the key "name:1", as SQLite calls it in a view.
/// Bytes that are not UTF-8 become U+FFFD, and infinities null, which JSON has no word for. A text
/// with characters that would not show, or act on a terminal, is written in ASCII.
void render_json(const ResultTable& table, std::ostream& out);

/// The objects alone, `separator` before each; after the first it is ",\n".
void render_json_rows(const ResultTable& table, std::string_view& separator, std::ostream& out);

}  // namespace cacheledger
