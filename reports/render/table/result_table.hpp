#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/table/value.hpp"

namespace cacheledger {

/// The units of columns: {"churn", "%"}.
using Units = std::map<std::string, std::string>;

/// The unit of a column; `otherwise` if it has none.
std::string unit_of(const Units& units, const std::string& column,
                    const std::string& otherwise = {});

/// The result of a query. Every row has one value for each column.
struct ResultTable {
    std::vector<std::string> columns;
    std::vector<std::vector<Value>> rows;
    bool is_cut = false;            ///< there were more rows than asked for
    std::size_t rows_left_out = 0;  ///< by keep_first()
    bool is_matrix = false;         ///< made by pivot(): the first column is the key of the row
    /// For each column the sum of all its rows, NULL if it has none; empty for a table without
    /// totals. Only people are shown it.
    std::vector<Value> totals{};
    /// Columns that follow from the others, such as the tag from the name of a snapshot. A terminal
    /// that is too narrow does not show them.
    std::vector<std::string> implied{};
    Units units{};
};

/// The name of the column for people: with its unit, if that is a sign, "churn %". Other units are
/// part of the names, or what is counted.
std::string heading_of(const ResultTable& table, std::size_t column);

/// The place of the column with this name; the number of columns if there is none.
std::size_t column_of(const ResultTable& table, std::string_view name);

/// Leaves out all rows but the first ones.
void keep_first(ResultTable& table, std::size_t most_rows);

/// Leaves out these columns, as far as the table has them, if no row has a value in any of them.
void leave_out_empty(ResultTable& table, const std::vector<std::string>& columns);

/// "20 of 1,957 rows": how many rows keep_first() kept.
std::string count_kept(const ResultTable& table);

/// Whether all values of the column are numbers or NULL.
bool is_numeric(const ResultTable& table, std::size_t column);

}  // namespace cacheledger
