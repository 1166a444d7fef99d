#pragma once

#include "reports/catalog/report.hpp"
#include "reports/table/result_table.hpp"

namespace cacheledger {

/// Turns rows of (row key, column key, value) into a matrix: a row for each row key, in order of
/// first appearance, and a column for each column key, in order of the keys (numbers by size, then
/// text, then what is in parentheses, as '(no stack)'). A cell that no row gives is pivot.absent;
/// columns that the pivot doesn't name are left out. Throws std::invalid_argument where a column of
/// the pivot is missing or a cell has two values.
ResultTable pivot(const ResultTable& table, const Pivot& pivot);

}  // namespace cacheledger
