#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "reports/render/formats/renderers.hpp"
#include "reports/render/formats/table_columns.hpp"
#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

using Columns = std::span<const TableColumn* const>;
using Lines = std::vector<std::string>;

constexpr std::size_t indent = 2;  // of what continues a line

void write_line(std::ostream& out, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

/// Writes one text for each column side by side, each folded to the width of its column.
void write_row(std::ostream& out, Columns columns, const Lines& texts, bool whole) {
    std::vector<Lines> folded;
    std::size_t height = 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        folded.push_back(whole || columns[i]->key ? Lines{texts[i]}
                                                  : fold(texts[i], columns[i]->width));
        height = std::max(height, folded.back().size());
    }
    std::string line;
    for (std::size_t number = 0; number < height; ++number) {
        line.clear();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            std::string cell = number < folded[i].size() ? folded[i][number] : "";
            if (!whole) {
                cell.erase(cell.find_last_not_of(' ') + 1);
            }
            const std::size_t width = display_width(cell);
            const std::string padding(columns[i]->width > width ? columns[i]->width - width : 0,
                                      ' ');
            line += columns[i]->numeric ? padding + cell : cell + padding;
            line.append(gap_width, ' ');
        }
        write_line(out, line);
    }
}

Lines texts_of(Columns columns, const auto& text_of) {
    Lines texts;
    for (const TableColumn* const column : columns) {
        texts.push_back(text_of(*column));
    }
    return texts;
}

/// Whether the totals fit below the columns: a column without a total has the word for them.
bool has_place_for_totals(Columns columns) {
    return columns.front()->total.has_value() && columns.front()->total->empty();
}

/// `whole`: no cell is folded.
void write_grid(std::ostream& out, Columns columns, bool whole) {
    const Lines rule =
        texts_of(columns, [](const TableColumn& column) { return std::string(column.width, '-'); });
    write_row(out, columns, texts_of(columns, [](const auto& column) { return column.name; }),
              whole);
    write_row(out, columns, rule, whole);
    const std::size_t rows = columns.front()->cells.size();
    for (std::size_t row = 0; row < rows; ++row) {
        write_row(out, columns,
                  texts_of(columns, [&](const auto& column) { return column.cells[row]; }), whole);
    }
    if (has_place_for_totals(columns)) {
        Lines totals = texts_of(columns, [](const auto& column) { return *column.total; });
        totals.front() = fmt::format("{:.{}}", "total", columns.front()->width);
        write_row(out, columns, rule, whole);
        write_row(out, columns, totals, whole);
    }
}

/// Writes the columns in groups that fit, one below the other. Each has the first column.
void write_groups(std::ostream& out, Columns columns, std::size_t width) {
    for (std::size_t next = 1; next < columns.size();) {
        std::vector<const TableColumn*> group = {columns.front()};
        std::size_t used = columns.front()->width;
        do {
            used += gap_width + columns[next]->width;
            group.push_back(columns[next++]);
        } while (next < columns.size() && used + gap_width + columns[next]->width <= width);
        write_grid(out, group, true);
        out << (next < columns.size() ? "\n" : "");
    }
}

/// Writes each row as lines of a name and a value.
void write_records(std::ostream& out, Columns columns, std::size_t width) {
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
void write_list(std::ostream& out, const std::string& head, Columns columns, const auto& text_of,
                std::size_t width) {
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

/// The columns without those that are alike in all rows, which are written above. `rows`: what they
/// are alike in.
std::vector<const TableColumn*> take_constants(std::ostream& out,
                                               const std::vector<TableColumn>& columns,
                                               const char* rows, std::size_t width) {
    std::vector<const TableColumn*> kept;
    std::vector<const TableColumn*> constants;
    for (const TableColumn& column : columns) {
        (column.is_constant() ? constants : kept).push_back(&column);
    }
    if (kept.empty()) {  // the rows are all alike: one column shows how many there are
        kept.push_back(columns.data());
        constants.erase(constants.begin());
    }
    if (!constants.empty()) {
        write_list(
            out, rows, constants, [](const auto& column) { return column.cells.front(); }, width);
    }
    return kept;
}

std::vector<const TableColumn*> pointers(const std::vector<TableColumn>& columns) {
    std::vector<const TableColumn*> all;
    all.reserve(columns.size());
    for (const TableColumn& column : columns) {
        all.push_back(&column);
    }
    return all;
}

std::vector<TableColumn> copies(Columns columns, const std::vector<std::string>& without) {
    std::vector<TableColumn> kept;
    for (const TableColumn* const column : columns) {
        if (std::ranges::find(without, column->name) == without.end()) {
            kept.push_back(*column);
        }
    }
    return kept;
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

/// Writes a table that is wider than the terminal.
void write_folded(std::ostream& out, const std::vector<TableColumn>& columns,
                  const ResultTable& table, std::size_t width) {
    const char* const rows = table.rows_left_out > 0 ? "these rows:" : "all rows:";
    const auto kept = take_constants(out, columns, rows, width);
    std::vector<TableColumn> shown = copies(kept, {});
    bool fits = total_width(shown) <= width || shown.size() == 1;
    if (!fits) {
        shown = copies(kept, table.implied);
        fits = !shown.empty() && (total_width(shown) <= width || narrow(shown, width));
    }
    if (fits) {
        const auto all = pointers(shown);
        write_grid(out, all, total_width(shown) > width);
        if (has_place_for_totals(all)) {
            return;
        }
    } else {
        out << (kept.size() < columns.size() ? "\n" : "");
        write_records(out, kept, width);
        out << (kept.front()->total ? "\n" : "");
    }
    write_totals_as_text(out, columns, width);
}

}  // namespace

void render_table(const ResultTable& table, const RenderOptions& options, std::ostream& out) {
    if (!options.title.empty()) {
        out << (options.color ? "\x1b[1m" : "");
        const std::string title = paragraph(visible(options.title), options.width);
        out << title.substr(0, title.size() - 1) << (options.color ? "\x1b[0m\n" : "\n");
    }
    if (table.columns.empty() || (table.rows.empty() && table.rows_left_out == 0)) {
        out << "(no rows)\n";
        return;
    }
    const bool on_screen = options.width > 0;
    const std::vector<TableColumn> columns = make_columns(table, on_screen);
    if (table.rows.empty()) {
        // only the count of the rows
    } else if (!on_screen || total_width(columns) <= options.width) {
        write_grid(out, pointers(columns), true);
    } else if (table.is_matrix && columns.size() > 1) {
        write_groups(out, pointers(columns), options.width);
    } else {
        write_folded(out, columns, table, options.width);
    }
    if (table.rows_left_out > 0) {
        out << count_kept(table) << options.more << '\n';
    }
}

}  // namespace cacheledger
