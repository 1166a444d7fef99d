#pragma once

#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// Sets the totals of the table: for each of the columns the sum of its numbers, without NULL. A
/// column has no total if it has no number, if it has NULL and its numbers are all 0, or if the sum
/// is too large for an integer. Throws std::invalid_argument if the table has no such column.
void add_totals(ResultTable& table, const std::vector<std::string>& columns);

}  // namespace cacheledger
