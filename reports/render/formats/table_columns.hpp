#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

/// The columns of a table as render_table() shows them, and how wide each of them is.
namespace cacheledger {

inline constexpr std::size_t gap_width = 2;  // between two columns

struct TableColumn {
    std::string name;                ///< visible
    std::vector<std::string> cells;  ///< visible, one for each row
    std::optional<std::string>
        total;  ///< visible; "" for a column without one in a table with totals
    bool numeric = false;
    bool key = false;             ///< its cells are never folded
    std::size_t widest_cell = 0;  ///< the total counts as a cell
    std::size_t widest_word = 0;  ///< of the cells; on a screen only
    std::size_t width = 0;        ///< of the widest text

    bool is_constant() const;

    /// Measures the cells again, after they have changed.
    void measure(bool on_screen);
};

/// A column with the width that it gets.
struct PlacedColumn {
    const TableColumn* column;
    std::size_t width;

    explicit PlacedColumn(const TableColumn& placed) : column(&placed), width(placed.width) {}
};

using PlacedColumns = std::vector<PlacedColumn>;

/// The columns, as wide as their widest texts. `on_screen`: lists of hashes are cut to the first
/// ones and a count.
std::vector<TableColumn> make_columns(const ResultTable& table, bool on_screen);

/// The width of the columns side by side.
std::size_t total_width(const PlacedColumns& columns);

/// Where narrow() may fold a text.
enum class Fold { between_words, anywhere };

/// Narrows the widest columns, so that they take at most `width` side by side and the narrow
/// columns stay as they are. Keys and numbers stay whole, and a cell gets at most a few lines.
/// Returns false, and leaves the columns as they are, if it can't.
bool narrow(PlacedColumns& columns, std::size_t width, Fold where);

}  // namespace cacheledger
