#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/formats/renderer.hpp"
#include "reports/render/table/result_table.hpp"

/// What render() is made of: a function for each output format; and for tables their columns, and
/// the rows as lines of cells with the names of the columns above them.
namespace cacheledger {

/// Writes CSV as in RFC 4180, except that lines end with \n. The first line has the column names.
/// NULL is an empty field and the empty text is "", so a reader can tell them apart. Texts are
/// written byte by byte; only on a terminal they are written in visible form, so that they can't
/// act on it. With options.guard_formulas, a ' is put before each text and column name that begins
/// with = + - @, a tab or a carriage return: spreadsheets then treat it as text.
void render_csv(const ResultTable& table, const RenderOptions& options, std::ostream& out);

/// Writes one array with an object for each row, each on its own line. The keys are the column
/// names, in the order of the columns. If two columns have the same name, the second has the key
/// "name:1", which is also SQLite's name for it in a view. Bytes that are not UTF-8 become U+FFFD.
/// Infinity becomes null, because JSON has no word for it. A text is written in ASCII if it has
/// characters that would not show or would act on a terminal.
void render_json(const ResultTable& table, std::ostream& out);

/// Adds the value as JSON, as render_json() writes it.
void add_json(std::string& line, const Value& value);

/// Writes only the objects, `separator` before each. Sets `separator` to ",\n" after the first.
void render_json_rows(const ResultTable& table, std::string_view& separator, std::ostream& out);

/// Writes what render_json() writes, and in each object one more member: `name`, the array of the
/// rows of the list at the place of the row.
void render_json_with_lists(const ResultTable& table, const std::string& name,
                            const std::vector<ResultTable>& lists, std::ostream& out);

/// The text as one line of Markdown that shows it unchanged.
std::string markdown_text(std::string_view shown);

/// Writes a GitHub table that shows each value unchanged, even if it looks like Markdown or HTML.
/// Numbers are aligned right; NULL is an empty cell.
void render_markdown(const ResultTable& table, std::ostream& out);

/// Writes aligned columns for people: the title, the column names, a rule, the rows, the totals.
/// Numbers are aligned right; NULL is "-", and a zero in a matrix "·". With options.width nothing
/// is cut but lists of hashes, which end with a count. If the table is wider:
///
/// - a matrix is written in groups of columns, each with the first column;
/// - a column whose cells are all alike is written in a line above the table;
/// - texts are folded to several lines, except keys (reports/render/table/result_table.hpp);
/// - if that is not enough, each row is written as a record: lines of a column name and a value.
void render_table(const ResultTable& table, const RenderOptions& options, std::ostream& out);

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
