#pragma once

#include "reports/engine/catalog/report.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// Turns rows of (row key, column key, value) into a matrix. It has a row for each row key, in
/// order of first appearance, and a column for each column key: first numbers by size, then texts
/// (versions and compilers in natural order), then texts in parentheses, such as '(no stack)'. A
/// cell without a row is pivot.absent. Columns that the pivot does not name are left out. Throws
/// std::invalid_argument if a column of the pivot is missing or a cell has two values.
ResultTable pivot(const ResultTable& table, const Pivot& pivot);

}  // namespace cacheledger
