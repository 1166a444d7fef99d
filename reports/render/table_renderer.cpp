#include "reports/render/renderers.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "reports/table/text_width.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view gap = "  ";
// Cells are filled with blanks up to this width, in columns of the terminal. A longer cell moves
// the rest of its row to the right: otherwise one cell of some megabytes would make every row as
// long.
constexpr std::size_t widest_padding = 1000;
constexpr std::size_t narrowest_cut = 6;  // columns; fewer leave nothing readable of a name

struct Column {
    std::string name;
    std::vector<std::string> cells;
    bool numeric = false;
    std::size_t floor = 0;  ///< the column is not cut below this width
    std::size_t width = 0;
};

std::string cell_text(const Value& value) {
    return is_null(value) ? "-" : visible(to_text(value));
}

Column make_column(const ResultTable& table, std::size_t index) {
    Column column;
    column.name = visible(table.columns[index]);
    column.numeric = is_numeric(table, index);
    column.cells.reserve(table.rows.size());
    std::size_t widest_cell = 0;
    for (const auto& row : table.rows) {
        column.cells.push_back(cell_text(row[index]));
        widest_cell = std::max(widest_cell, display_width(column.cells.back()));
    }
    column.width = std::min(std::max(display_width(column.name), widest_cell), widest_padding);
    column.floor = std::min(column.width,
                            column.numeric ? std::max(widest_cell, narrowest_cut) : narrowest_cut);
    return column;
}

/// The width of a column if texts are cut at `cap` columns.
std::size_t capped(const Column& column, std::size_t cap) {
    return std::max(column.floor, std::min(column.width, cap));
}

std::size_t total_width(const std::vector<Column>& columns, std::size_t cap) {
    std::size_t total = gap.size() * (columns.size() - 1);
    for (const Column& column : columns) {
        total += capped(column, cap);
    }
    return total;
}

/// Cuts the widest columns to one width, so that the narrow ones stay whole.
void shrink(std::vector<Column>& columns, std::size_t width) {
    std::size_t cap = std::ranges::max(columns, {}, &Column::width).width;
    while (cap > narrowest_cut && total_width(columns, cap) > width) {
        --cap;
    }
    // One more column was too much for all of them, but may fit for some.
    const std::size_t total = total_width(columns, cap);
    std::size_t spare = width > total ? width - total : 0;
    for (Column& column : columns) {
        std::size_t given = capped(column, cap);
        if (spare > 0 && given < column.width) {
            ++given;
            --spare;
        }
        column.width = given;
    }
}

void add_cell(std::string& line, const Column& column, const std::string& text, bool cut) {
    const std::string cell = cut ? fit(text, column.width) : text;
    const std::size_t width = display_width(cell);
    const std::string padding(column.width > width ? column.width - width : 0, ' ');
    line += column.numeric ? padding + cell : cell + padding;
    line += gap;
}

void write_line(std::ostream& out, std::string& line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
    line.clear();
}

}  // namespace

void render_table(const ResultTable& table, const RenderOptions& options, std::ostream& out) {
    if (!options.title.empty()) {
        const std::string title = visible(options.title);
        out << (options.color ? "\x1b[1m" + title + "\x1b[0m" : title) << '\n';
    }
    if (table.rows.empty() || table.columns.empty()) {
        out << "(no rows)\n";
        return;
    }
    std::vector<Column> columns;
    for (std::size_t index = 0; index < table.columns.size(); ++index) {
        columns.push_back(make_column(table, index));
    }
    const bool cut = options.width > 0;
    if (cut) {
        shrink(columns, options.width);
    }

    std::string line;
    for (const Column& column : columns) {
        add_cell(line, column, column.name, cut);
    }
    write_line(out, line);
    for (const Column& column : columns) {
        line.append(column.width, '-').append(gap);
    }
    write_line(out, line);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (const Column& column : columns) {
            add_cell(line, column, column.cells[row], cut);
        }
        write_line(out, line);
    }
}

}  // namespace cacheledger
