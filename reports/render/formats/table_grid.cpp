#include "reports/render/formats/table_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t rows_judged = 100;  // how many rows tell which grid has fewer lines

struct RowStyle {
    bool is_whole;
    bool color;
    std::size_t indent = 0;
};

void write_colored(std::string& line, const std::string& cell, Tone tone) {
    static constexpr const char* green = "\x1b[32m";
    static constexpr const char* red = "\x1b[31m";
    if (tone == Tone::plain || cell.empty()) {
        line += cell;
    } else {
        line.append(tone == Tone::added ? green : red).append(cell).append("\x1b[0m");
    }
}

/// Writes one text for each column side by side, each folded to the width of its column.
void write_row(std::ostream& out, const PlacedColumns& columns, const Lines& texts,
               RowStyle style) {
    std::vector<Lines> folded;
    std::size_t height = 1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        folded.push_back(style.is_whole || columns[i].column->key
                             ? Lines{texts[i]}
                             : fold(texts[i], columns[i].width));
        height = std::max(height, folded.back().size());
    }
    for (std::size_t number = 0; number < height; ++number) {
        std::string line(style.indent, ' ');
        std::size_t gap = 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const TableColumn& column = *columns[i].column;
            std::string cell = number < folded[i].size() ? folded[i][number] : "";
            cell.erase(cell.find_last_not_of(' ') + 1);
            const Tone tone = style.color ? tone_of(column.name, texts[i]) : Tone::plain;
            const std::size_t width = display_width(cell);
            const std::size_t padding = columns[i].width - std::min(columns[i].width, width);
            if (!cell.empty()) {  // so no line ends with blanks
                line.append(gap + (column.numeric ? padding : 0), ' ');
                write_colored(line, cell, tone);
                gap = column.numeric ? 0 : padding;
            } else {
                gap += padding;
            }
            gap += gap_width;
        }
        out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    }
}

Lines texts_of(const PlacedColumns& columns, const auto& text_of) {
    Lines texts;
    for (const PlacedColumn& placed : columns) {
        texts.push_back(text_of(placed));
    }
    return texts;
}

bool says_nothing(const std::string& cell) {
    return cell.empty() || cell == "-";
}

/// The columns of the first line.
PlacedColumns first_line(const Grid& grid) {
    PlacedColumns line = grid.first;
    if (grid.beside > 0) {
        line.push_back(grid.below.front().front());
        line.back().width = grid.beside;
    }
    return line;
}

/// Writes all lines of a row. Where nothing stands below, there is no line for it.
void write_all_of_row(std::ostream& out, const Grid& grid, const PlacedColumns& line,
                      const auto& text_of, bool color) {
    Lines texts = texts_of(line, text_of);
    bool goes_on = !grid.below.empty();
    if (grid.beside > 0) {
        goes_on = display_width(texts.back()) > grid.beside;
        texts.back() = goes_on ? std::string() : texts.back();
    }
    write_row(out, line, texts, {grid.is_whole, color});
    if (!goes_on) {
        return;
    }
    for (const PlacedColumns& columns : grid.below) {
        if (const Lines more = texts_of(columns, text_of);
            !std::ranges::all_of(more, says_nothing)) {
            write_row(out, columns, more, {grid.is_whole, color, indent_below});
        }
    }
}

bool narrow_enough(PlacedColumns& columns, std::size_t width, Fold where) {
    return total_width(columns) <= width || narrow(columns, width, where);
}

/// Puts the columns into as many lines as they need. None if a key is wider than a line.
std::vector<PlacedColumns> divide_into_lines(const PlacedColumns& columns, std::size_t width,
                                             Fold where) {
    if (PlacedColumns line = columns; narrow_enough(line, width, where)) {
        return {line};
    }
    std::vector<PlacedColumns> lines;
    std::size_t used = width;
    for (PlacedColumn placed : columns) {
        if (placed.width > width && placed.column->key) {
            return {};
        }
        placed.width = std::min(placed.width, width);
        if (used + gap_width + placed.width > width) {
            lines.emplace_back();
            used = placed.width;
        } else {
            used += gap_width + placed.width;
        }
        lines.back().push_back(placed);
    }
    return lines;
}

/// Places the columns, those with `is_moved` below. Returns false if they don't fit.
bool place_columns(Grid& grid, const std::vector<const TableColumn*>& columns,
                   const std::vector<bool>& is_moved, std::size_t width, Fold where) {
    grid = Grid{};
    PlacedColumns below;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        (is_moved[i] ? below : grid.first).emplace_back(*columns[i]);
    }
    if (!narrow_enough(grid.first, width, where)) {
        return false;
    }
    if (below.empty()) {
        return true;
    }
    if (width <= indent_below) {
        return false;
    }
    grid.below = divide_into_lines(below, width - indent_below, where);
    const std::size_t used = total_width(grid.first) + gap_width;
    if (below.size() == 1 && used + display_width(below.front().column->name) <= width) {
        grid.beside = width - used;
    }
    return !grid.below.empty();
}

/// In which order columns move below; the first one never does.
std::vector<std::size_t> movable_columns(const std::vector<const TableColumn*>& columns) {
    std::vector<std::size_t> order;
    for (const bool is_text : {true, false}) {
        for (std::size_t i = columns.size(); i-- > 1;) {
            if ((!columns[i]->key && !columns[i]->numeric) == is_text) {
                order.push_back(i);
            }
        }
    }
    return order;
}

}  // namespace

std::size_t count_lines(Grid grid) {
    grid.most_rows = rows_judged;
    std::ostringstream out;
    write_grid(out, grid, false);
    const std::string text = std::move(out).str();
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::size_t most_lines_of(std::size_t rows) {
    constexpr std::size_t head = 3;  // half as many again as for the names and the rule
    return head + (std::min(rows, rows_judged) * 3 + 1) / 2;
}

std::optional<Grid> fitting_grid(const std::vector<const TableColumn*>& columns,
                                 std::size_t width) {
    const std::vector<std::size_t> order = movable_columns(columns);
    std::optional<Grid> best;
    std::size_t fewest = 0;
    for (const Fold where : {Fold::between_words, Fold::anywhere}) {
        if (where == Fold::anywhere) {
            fewest -= fewest / 5;  // words are broken only where that saves a fifth of the lines
        }
        std::vector<bool> is_moved(columns.size(), false);
        for (std::size_t moved = 0; moved <= order.size(); ++moved) {
            if (moved > 0) {
                is_moved[order[moved - 1]] = true;
            }
            Grid grid;
            if (place_columns(grid, columns, is_moved, width, where)) {
                const std::size_t lines = count_lines(grid);
                if (!best || lines < fewest) {
                    best = grid;
                    fewest = lines;
                }
            }
        }
    }
    return best;
}

void write_grid(std::ostream& out, const Grid& grid, bool color) {
    const PlacedColumns line = first_line(grid);
    const auto name_of = [](const PlacedColumn& placed) { return placed.column->name; };
    const Lines rule =
        texts_of(line, [](const PlacedColumn& placed) { return std::string(placed.width, '-'); });
    write_row(out, line, texts_of(line, name_of), {grid.is_whole, false});
    if (grid.beside == 0 && !grid.below.empty()) {
        for (const PlacedColumns& columns : grid.below) {
            write_row(out, columns, texts_of(columns, name_of),
                      {grid.is_whole, false, indent_below});
        }
    }
    write_row(out, line, rule, {true, false});
    const std::size_t all = line.front().column->cells.size();
    const std::size_t rows = grid.most_rows == 0 ? all : std::min(all, grid.most_rows);
    for (std::size_t row = 0; row < rows; ++row) {
        write_all_of_row(
            out, grid, line, [&](const auto& placed) { return placed.column->cells[row]; }, color);
    }
    if (has_place_for_totals(*line.front().column)) {
        write_row(out, line, rule, {true, false});
        write_all_of_row(
            out, grid, line,
            [&](const PlacedColumn& placed) {
                return placed.column == line.front().column
                           ? fmt::format("{:.{}}", "total", placed.width)
                           : *placed.column->total;
            },
            color);
    }
}

bool has_place_for_totals(const TableColumn& first) {
    return first.total.has_value() && first.total->empty();
}

}  // namespace cacheledger
