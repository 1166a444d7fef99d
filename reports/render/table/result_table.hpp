#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/text/counted.hpp"  // counted(), grouped()

namespace cacheledger {

/// A value of SQLite. NULL is monostate; a BLOB is a text of its hex digits.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// NULL for no value.
template <typename Type>
Value or_null(const std::optional<Type>& value) {
    return value ? Value(*value) : Value();
}

bool is_null(const Value& value);
bool is_number(const Value& value);

/// The value as every format prints it. NULL is "", and a double has the fewest digits that read
/// back as the same number.
std::string to_text(const Value& value);

/// The integer that the value must be. Throws std::bad_variant_access for another value.
std::int64_t integer(const Value& value);

/// The parts of the text between the separators; none of an empty text.
std::vector<std::string> split(std::string_view text, char separator);

/// "a", "a and b", "a, b and c"; after `most` of them "and 2 others".
std::string listed(const std::vector<std::string>& words, std::size_t most);

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

/// Whether the column has names that users type or copy, such as those of snapshots, packages and
/// hashes. A terminal shows them whole.
bool is_key(std::string_view column);

/// Whether the column has lists of hashes, separated by commas. A terminal shows their first ones.
bool is_hash_list(std::string_view column);

/// Whether the column has lists of what differs. A narrow terminal shows of some differences the
/// names only.
bool is_difference_list(std::string_view column);

/// Whether the column says where a snapshot was read from: a path, or REPOSITORY@COMMIT. A terminal
/// shows the beginning of the commit, as git does.
bool is_source(std::string_view column);

/// The column from which this one follows: the platform from the operating system. Empty for most.
std::string_view leading_column(std::string_view column);

/// What a cell says of a change.
enum class Tone : std::uint8_t { plain, added, removed };

/// The tone of a cell: of a count of what was added or removed, or of the word for a change.
Tone tone_of(std::string_view column, std::string_view cell);

/// A column with the same value in every row: it is said once, in a line above the table.
struct AlikeColumn {
    std::string name;
    Value value;
};

/// Takes the columns that are alike in all rows out of the table, in their order. Those named in
/// `kept` stay. Takes nothing out of a table of fewer than two rows.
std::vector<AlikeColumn> take_alike_columns(ResultTable& table,
                                            const std::vector<std::string>& kept);

/// The line above the table: the label, and then the words, with a blank between them. If it is
/// wider than `width` columns, it goes on in the next line, below the first word. `width` 0: no
/// limit. The words must come from visible(). Ends with a line end.
std::string alike_line(const std::string& label, const std::vector<std::string>& words,
                       std::size_t width);

/// Takes the parts that are in every cell out of the cells, and returns them in the order of the
/// first cell. A cell is a list of parts such as "os: a -> b" or "recipe", with "; " between them,
/// or one part of another such list. If any cell is no list, or there are fewer than two, nothing
/// is taken. A cell of which nothing is left is empty.
std::vector<std::string> take_shared_parts(std::vector<std::string>& cells);

/// The list in `room` columns of a terminal, if its names fit: its first parts, and of the others
/// only the names, as in "os: a -> b; target, recipe". Any other text stays as it is. The cell must
/// come from visible().
std::string list_in_room(const std::string& cell, std::size_t room);

}  // namespace cacheledger
