#include "reports/render/formats/table_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

// Cells are filled with blanks up to this width, in columns of the terminal. A longer cell moves
// the rest of its row to the right: otherwise one cell of some megabytes would make every row as
// long.
constexpr std::size_t widest_padding = 1000;
constexpr std::size_t widest_whole_word = 24;  // a longer word may be broken
constexpr std::size_t narrowest_fold = 8;      // fewer columns leave nothing readable of a name
constexpr std::size_t most_lines = 6;          // of a cell; a record is easier to read than more
constexpr std::size_t hashes_shown = 2;
constexpr std::size_t digits_shown = 7;  // of a hash in a list

/// "a1b2c3d e4f5a6b ... 48 more" of a list of hashes.
std::string shortened_list(std::string_view hashes) {
    std::string shown;
    for (std::size_t number = 0; number < hashes_shown; ++number) {
        const auto end = hashes.find(',');
        if (end == std::string_view::npos) {
            break;
        }
        shown.append(hashes.substr(0, std::min(end, digits_shown))).append(1, ' ');
        hashes.remove_prefix(end + 1);
    }
    return fmt::format("{}... {} more", shown, std::ranges::count(hashes, ',') + 1);
}

/// "cache@b0b6086ba5" of REPOSITORY@COMMIT; any other source is shown as it is.
std::string short_source(std::string source) {
    constexpr std::size_t digits_of_commit = 40;
    constexpr std::size_t commit_digits_shown = 10;
    const auto begin = source.rfind('@') + 1;  // 0 if there is none
    const bool is_commit = begin > 0 && source.size() - begin == digits_of_commit &&
                           source.find_first_not_of("0123456789abcdef", begin) == std::string::npos;
    if (is_commit) {
        source.resize(begin + commit_digits_shown);
    }
    return source;
}

std::string cell_text(const Value& value, const ResultTable& table, std::size_t column,
                      bool on_screen) {
    if (is_null(value)) {
        return "-";
    }
    if (table.is_matrix && column > 0 && value == Value(std::int64_t{0})) {
        return "·";
    }
    const std::string text = to_text(value);
    if (on_screen && is_source(table.columns[column])) {
        return visible(short_source(text));
    }
    const bool is_long_list = on_screen && is_hash_list(table.columns[column]) &&
                              std::ranges::count(text, ',') >= std::ptrdiff_t{hashes_shown};
    return visible(is_long_list ? shortened_list(text) : text);
}

/// The width of the widest part of a name such as specs_in_no_stack, which can be folded there.
std::size_t widest_part(std::string_view name) {
    std::size_t widest = 0;
    while (!name.empty()) {
        const auto end = std::min(name.find('_'), name.size() - 1) + 1;
        widest = std::max(widest, display_width(name.substr(0, end)));
        name.remove_prefix(end);
    }
    return widest;
}

/// The least width of a column that is folded there.
std::size_t least_width(const TableColumn& column, Fold where) {
    if (column.key) {
        return column.width;
    }
    const std::size_t of_name =
        where == Fold::between_words ? widest_part(column.name) : narrowest_fold;
    const std::size_t of_cells = column.numeric                 ? column.widest_cell
                                 : where == Fold::between_words ? column.widest_word
                                                                : narrowest_fold;
    const std::size_t for_lines = (column.widest_cell + most_lines - 1) / most_lines;
    return std::min(column.width, std::max({of_name, of_cells, for_lines}));
}

TableColumn make_column(const ResultTable& table, std::size_t index, bool on_screen) {
    TableColumn column;
    column.name = visible(heading_of(table, index));
    column.numeric = is_numeric(table, index);
    column.key = is_key(table.columns[index]) || (table.is_matrix && index == 0);
    column.cells.reserve(table.rows.size());
    for (const auto& row : table.rows) {
        column.cells.push_back(cell_text(row[index], table, index, on_screen));
    }
    if (table.rows.size() > 1 && table.totals.size() == table.columns.size()) {
        column.total = visible(to_text(table.totals[index]));
    }
    column.measure(on_screen);
    return column;
}

}  // namespace

bool TableColumn::is_constant() const {
    return cells.size() > 1 && total.value_or("").empty() &&
           std::ranges::all_of(cells, [&](const std::string& cell) { return cell == cells[0]; });
}

void TableColumn::measure(bool on_screen) {
    widest_cell = display_width(total.value_or(""));
    widest_word = 0;
    for (const std::string& cell : cells) {
        widest_cell = std::max(widest_cell, display_width(cell));
        if (on_screen && !key && !numeric) {
            widest_word =
                std::max(widest_word, std::min(cacheledger::widest_word(cell), widest_whole_word));
        }
    }
    width = std::min(std::max(display_width(name), widest_cell), widest_padding);
}

std::vector<TableColumn> make_columns(const ResultTable& table, bool on_screen) {
    std::vector<TableColumn> columns;
    for (std::size_t index = 0; index < table.columns.size(); ++index) {
        columns.push_back(make_column(table, index, on_screen));
    }
    return columns;
}

std::size_t total_width(const PlacedColumns& columns) {
    std::size_t total = gap_width * (columns.size() - 1);
    for (const PlacedColumn& placed : columns) {
        total += placed.width;
    }
    return total;
}

bool narrow(PlacedColumns& columns, std::size_t width, Fold where) {
    std::vector<std::size_t> floors;
    std::size_t total = gap_width * (columns.size() - 1);
    std::size_t cap = 0;  // all columns are at most this wide, except where the floor is higher
    for (const PlacedColumn& placed : columns) {
        floors.push_back(least_width(*placed.column, where));
        total += floors.back();
        cap = std::max(cap, placed.width);
    }
    if (total > width) {
        return false;
    }
    const auto capped = [&](std::size_t i) {
        return std::max(floors[i], std::min(columns[i].width, cap));
    };
    const auto used = [&] {
        std::size_t sum = gap_width * (columns.size() - 1);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            sum += capped(i);
        }
        return sum;
    };
    while (used() > width) {
        --cap;
    }
    // One more for all columns was too much, but may fit for some.
    std::size_t spare = width - used();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::size_t given = capped(i);
        if (spare > 0 && given < columns[i].width) {
            ++given;
            --spare;
        }
        columns[i].width = given;
    }
    return true;
}

}  // namespace cacheledger
