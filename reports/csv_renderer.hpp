#pragma once

#include <iosfwd>

#include "reports/result_table.hpp"

namespace cacheledger {

/// RFC 4180 with a line of column names; lines end in \n. NULL is an empty field and the empty text
/// is "", so that a reader can tell them apart.
void render_csv(const ResultTable& table, std::ostream& out);

}  // namespace cacheledger
