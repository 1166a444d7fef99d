#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/formats/renderer.hpp"
#include "reports/render/table/result_table.hpp"

/// One function for each output format; render() calls them.
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
/// - texts are folded to several lines, except keys (reports/render/table/column_kind.hpp);
/// - if that is not enough, each row is written as a record: lines of a column name and a value.
void render_table(const ResultTable& table, const RenderOptions& options, std::ostream& out);

}  // namespace cacheledger
