#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <vector>

#include "reports/render/formats/table_columns.hpp"

/// The rows of a table as lines of cells, the names of the columns above them.
namespace cacheledger {

inline constexpr std::size_t indent_below = 4;  // of what stands below the first line of a row

struct Grid {
    PlacedColumns first;                 ///< side by side, in the first line of a row
    std::vector<PlacedColumns> below{};  ///< in the lines below it
    std::size_t beside = 0;     ///< room for the only column of `below` in the first line; 0: none
    bool is_whole = false;      ///< no cell is folded
    std::size_t most_rows = 0;  ///< the first rows only; 0: all rows
};

/// The grid of these columns, at most `width` wide, that has the fewest lines. Either texts are
/// folded in their columns, or the last columns stand below the others: texts first, then numbers
/// and keys. One column that stands below has its cells beside the others where they fit. None if
/// not even that fits. At least one column.
std::optional<Grid> fitting_grid(const std::vector<const TableColumn*>& columns, std::size_t width);

/// How many lines the grid has, with the names above them, judged by its first rows.
std::size_t count_lines(Grid grid);

/// How many lines of a grid with so many rows are few enough, judged by the first of them.
std::size_t most_lines_of(std::size_t rows);

/// Writes the names, a rule, the rows, the totals. `color`: what was added or removed has a colour.
void write_grid(std::ostream& out, const Grid& grid, bool color);

/// Whether the totals fit below the columns: the first one, without a total, has the word for them.
bool has_place_for_totals(const TableColumn& first);

}  // namespace cacheledger
