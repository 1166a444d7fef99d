#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/formats/table_grid.hpp"
#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

using Columns = std::vector<const TableColumn*>;
using Lines = std::vector<std::string>;

constexpr std::size_t indent = 2;  // of what continues a line

void write_line(std::ostream& out, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

/// Writes the columns side by side, as wide as they are.
void write_side_by_side(std::ostream& out, const Columns& columns, bool color) {
    Grid grid{.first = {}, .is_whole = true};
    for (const TableColumn* const column : columns) {
        grid.first.emplace_back(*column);
    }
    write_grid(out, grid, color);
}

/// Writes the columns in groups that fit, one below the other. Each has the first column.
void write_groups(std::ostream& out, const Columns& columns, std::size_t width, bool color) {
    for (std::size_t next = 1; next < columns.size();) {
        Columns group = {columns.front()};
        std::size_t used = columns.front()->width;
        do {
            used += gap_width + columns[next]->width;
            group.push_back(columns[next++]);
        } while (next < columns.size() && used + gap_width + columns[next]->width <= width);
        write_side_by_side(out, group, color);
        out << (next < columns.size() ? "\n" : "");
    }
}

/// Writes each row as lines of a name and a value.
void write_records(std::ostream& out, const Columns& columns, std::size_t width) {
    constexpr std::size_t least_room = 12;
    std::size_t names = 0;
    for (const TableColumn* const column : columns) {
        names = std::max(names, display_width(column->name));
    }
    const std::size_t side = names + gap_width;
    const std::size_t rows = columns.front()->cells.size();
    for (std::size_t row = 0; row < rows; ++row) {
        out << (row > 0 ? "\n" : "");
        for (const TableColumn* const column : columns) {
            const std::string& cell = column->cells[row];
            const bool is_below = side + (column->key ? display_width(cell) : least_room) > width;
            const std::size_t margin = is_below ? std::min(indent, width - 1) : side;
            std::string line = column->name;
            if (is_below) {
                write_line(out, line);
                line.clear();
            }
            for (const std::string& piece :
                 column->key ? Lines{cell} : fold(cell, width - margin)) {
                line.append(margin - std::min(margin, display_width(line)), ' ');
                write_line(out, line + piece);
                line.clear();
            }
        }
    }
}

/// Writes "name value, name value" for some columns, in lines that fit. `text_of`: the value.
void write_list(std::ostream& out, const std::string& head, const Columns& columns,
                const auto& text_of, std::size_t width) {
    std::string line = head;
    for (const TableColumn* const column : columns) {
        const std::string item = fmt::format("{} {}{}", column->name, text_of(*column),
                                             column == columns.back() ? "" : ",");
        const std::size_t room = width - std::min(width - 1, indent);
        for (const std::string& piece : column->key ? Lines{item} : fold(item, room)) {
            if (display_width(line) + 1 + display_width(piece) > width) {
                write_line(out, line);
                line.assign(indent - 1, ' ');
            }
            line += " " + piece;
        }
    }
    write_line(out, line);
}

Columns pointers(const std::vector<TableColumn>& columns) {
    Columns all;
    all.reserve(columns.size());
    for (const TableColumn& column : columns) {
        all.push_back(&column);
    }
    return all;
}

std::size_t width_of(const Columns& columns) {
    std::size_t width = gap_width * (columns.size() - 1);
    for (const TableColumn* const column : columns) {
        width += column->width;
    }
    return width;
}

/// Whether each cell of a column stands beside the same cell of the other one in all rows.
bool follows(const TableColumn& column, const TableColumn& leading) {
    std::map<std::string_view, std::string_view> cells;
    for (std::size_t row = 0; row < column.cells.size(); ++row) {
        if (cells.try_emplace(leading.cells[row], column.cells[row]).first->second !=
            column.cells[row]) {
            return false;
        }
    }
    return true;
}

/// Takes out the columns that follow from others.
void take_implied(Columns& columns, const std::vector<std::string>& implied) {
    const Columns all = columns;
    std::erase_if(columns, [&](const TableColumn* column) {
        const auto leading =
            std::ranges::find(all, leading_column(column->name), &TableColumn::name);
        return std::ranges::find(implied, column->name) != implied.end() ||
               (leading != all.end() && follows(*column, **leading));
    });
    if (columns.empty()) {
        columns = all;
    }
}

/// Takes out the columns that are alike in all rows, and writes them. `rows`: what they are alike
/// in.
void take_constants(std::ostream& out, Columns& columns, const std::string& rows,
                    std::size_t width) {
    Columns kept;
    Columns constants;
    for (const TableColumn* const column : columns) {
        (column->is_constant() ? constants : kept).push_back(column);
    }
    if (kept.empty()) {  // the rows are all alike: one column shows how many there are
        kept.push_back(columns.front());
        constants.erase(constants.begin());
    }
    if (!constants.empty()) {
        write_list(
            out, rows + ":", constants, [](const auto& column) { return column.cells.front(); },
            width);
    }
    columns = kept;
}

/// Takes out what all lists of a column have in common, and writes it. `rows`: what they are alike
/// in.
void take_parts(std::ostream& out, TableColumn& column, const std::string& rows,
                std::size_t width) {
    const Lines shared = take_shared_parts(column.cells);
    if (shared.empty()) {
        return;
    }
    column.measure(true);
    const std::string text = fmt::format("{}: {} {}", rows, column.name, fmt::join(shared, "; "));
    std::string margin;
    for (const std::string& line : fold(text, width - std::min(width - 1, indent))) {
        write_line(out, margin + line);
        margin.assign(indent, ' ');
    }
}

void write_totals_as_text(std::ostream& out, const std::vector<TableColumn>& columns,
                          std::size_t width) {
    std::vector<const TableColumn*> summed;
    for (const TableColumn& column : columns) {
        if (!column.total.value_or("").empty()) {
            summed.push_back(&column);
        }
    }
    if (!summed.empty()) {
        write_list(
            out, "total:", summed, [](const auto& column) { return *column.total; }, width);
    }
}

/// The grid of these columns, in which lists of differences are shortened as far as needed: it has
/// at most half as many lines more than if it were wide enough.
std::optional<Grid> short_grid(const Columns& columns, std::vector<TableColumn>& all,
                               std::size_t width) {
    auto grid = fitting_grid(columns, width);
    const auto list = std::ranges::find_if(
        all, [](const TableColumn& column) { return is_difference_list(column.name); });
    const bool is_shown = list != all.end() && std::ranges::count(columns, &*list) > 0;
    if (!grid || !is_shown) {
        return grid;
    }
    constexpr std::size_t least_beside = 24;
    const std::size_t others = width_of(columns) - list->width;
    const std::size_t below = width - std::min(width, indent_below);
    const std::size_t beside = width - std::min(width, others);
    const Lines whole = list->cells;
    const std::size_t most = most_lines_of(whole.size());
    for (const std::size_t room : {2 * below, below, 2 * beside, beside}) {
        if (count_lines(*grid) <= most || (beside < least_beside && room < below)) {
            break;
        }
        std::ranges::transform(whole, list->cells.begin(),
                               [&](const std::string& cell) { return list_in_room(cell, room); });
        list->measure(true);
        grid = fitting_grid(columns, width);
    }
    return grid;
}

/// Writes a table that is wider than the terminal.
void write_folded(std::ostream& out, std::vector<TableColumn>& columns, const ResultTable& table,
                  const RenderOptions& options) {
    const std::size_t width = options.width;
    const std::string rows = table.rows_left_out > 0 || table.is_cut ? "these rows" : "all rows";
    Columns shown = pointers(columns);
    take_constants(out, shown, rows, width);
    if (width_of(shown) > width) {
        take_implied(shown, table.implied);
    }
    if (width_of(shown) > width) {
        for (TableColumn& column : columns) {
            if (std::ranges::find(shown, &column) != shown.end() && !column.key) {
                take_parts(out, column, rows, width);
            }
        }
    }
    if (width_of(shown) <= width || shown.size() == 1) {
        write_side_by_side(out, shown, options.color);
    } else if (const auto grid = short_grid(shown, columns, width)) {
        write_grid(out, *grid, options.color);
    } else {
        out << (shown.size() < columns.size() ? "\n" : "");
        write_records(out, shown, width);
        out << (shown.front()->total ? "\n" : "");
        write_totals_as_text(out, columns, width);
        return;
    }
    if (!has_place_for_totals(*shown.front())) {
        write_totals_as_text(out, columns, width);
    }
}

/// Takes out the columns without any value, but for the first one, and names them.
void take_empty(std::ostream& out, std::vector<TableColumn>& columns, const ResultTable& table,
                std::size_t width) {
    Lines names;
    if (table.rows.size() < 2 || table.is_matrix) {
        return;
    }
    for (std::size_t index = columns.size(); index-- > 1;) {
        if (std::ranges::all_of(table.rows, [&](const auto& row) { return is_null(row[index]); })) {
            names.insert(names.begin(), columns[index].name);
            columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(index));
        }
    }
    if (!names.empty()) {
        out << paragraph(fmt::format("no row has a value: {}", fmt::join(names, ", ")), width);
    }
}

}  // namespace

void render_table(const ResultTable& table, const RenderOptions& options, std::ostream& out) {
    if (!options.title.empty()) {
        out << bold_lines(paragraph(visible(options.title), options.width), options.color);
    }
    if (table.columns.empty() || (table.rows.empty() && table.rows_left_out == 0)) {
        out << "(no rows)\n";
        return;
    }
    const bool on_screen = options.width > 0;
    std::vector<TableColumn> columns = make_columns(table, on_screen);
    take_empty(out, columns, table, options.width);
    const Columns all = pointers(columns);
    if (table.rows.empty()) {
        // only the count of the rows
    } else if (!on_screen || width_of(all) <= options.width) {
        write_side_by_side(out, all, options.color);
    } else if (table.is_matrix && columns.size() > 1) {
        write_groups(out, all, options.width, options.color);
    } else {
        write_folded(out, columns, table, options);
    }
    if (table.rows_left_out > 0) {
        out << count_kept(table) << options.more << '\n';
    }
}

}  // namespace cacheledger
