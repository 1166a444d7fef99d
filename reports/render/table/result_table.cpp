#include "reports/render/table/result_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "reports/render/table/text_width.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr auto keys = std::to_array<std::string_view>({
    "build_hash", "cause",   "compiler", "dependency", "dependency_hash",
    "from",       "hash",    "kind",     "name",       "nearest",
    "newest",     "package", "report",   "root",       "series",
    "snapshot",   "spec",    "stack",    "tag",        "target",
    "to",         "version",
});

constexpr auto columns_of_changes = std::to_array<std::string_view>({"change", "event", "kind"});

constexpr auto words_for_added =
    std::to_array<std::string_view>({"added", "appeared", "came", "gained", "joined", "new"});

constexpr auto words_for_removed = std::to_array<std::string_view>(
    {"disappeared", "gone", "left", "lost", "removed", "vanished", "went"});

bool is_one_of(const auto& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

Tone tone_of_word(std::string_view word) {
    return is_one_of(words_for_added, word)     ? Tone::added
           : is_one_of(words_for_removed, word) ? Tone::removed
                                                : Tone::plain;
}

bool is_alike(const ResultTable& table, std::size_t column) {
    return std::ranges::all_of(
        table.rows, [&](const auto& row) { return row[column] == table.rows.front()[column]; });
}

using Parts = std::vector<std::string>;

constexpr std::string_view between_parts = "; ";

Parts parts_of_list(std::string_view cell) {
    Parts parts;
    for (auto end = cell.find(between_parts); end != std::string_view::npos;
         end = cell.find(between_parts)) {
        parts.emplace_back(cell.substr(0, end));
        cell.remove_prefix(end + between_parts.size());
    }
    parts.emplace_back(cell);
    return parts;
}

bool has_mark(const std::string& cell) {
    return cell.find(": ") != std::string::npos || cell.find(between_parts) != std::string::npos;
}

/// Whether each cell has a mark of a list, or is a part of one that has.
bool are_all_lists(const std::vector<std::string>& cells) {
    std::set<std::string> parts;
    for (const std::string& cell : cells) {
        if (has_mark(cell)) {
            std::ranges::move(parts_of_list(cell), std::inserter(parts, parts.end()));
        }
    }
    return std::ranges::all_of(
        cells, [&](const auto& cell) { return has_mark(cell) || parts.contains(cell); });
}

bool has_part(const Parts& parts, const std::string& part) {
    return std::ranges::find(parts, part) != parts.end();
}

}  // namespace

bool is_null(const Value& value) {
    return std::holds_alternative<std::monostate>(value);
}

bool is_number(const Value& value) {
    return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

std::string to_text(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        return *text;
    }
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return fmt::format("{}", *integer);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return fmt::format("{}", *real);
    }
    return "";
}

std::int64_t integer(const Value& value) {
    return std::get<std::int64_t>(value);
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
    std::string text;
    const std::size_t shown = words.size() <= most + 1 ? words.size() : most;
    for (std::size_t i = 0; i < shown; ++i) {
        text += i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
        text += words[i];
    }
    return shown == words.size() ? text
                                 : fmt::format("{} and {} others", text, words.size() - shown);
}

std::string heading_of(const ResultTable& table, std::size_t column) {
    const std::string& name = table.columns[column];
    return unit_of(table.units, name) == "%" ? name + " %" : name;
}

std::string unit_of(const Units& units, const std::string& column, const std::string& otherwise) {
    const auto unit = units.find(column);
    return unit == units.end() ? otherwise : unit->second;
}

std::size_t column_of(const ResultTable& table, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin());
}

void keep_first(ResultTable& table, std::size_t most_rows) {
    if (table.rows.size() > most_rows) {
        table.rows_left_out += table.rows.size() - most_rows;
        table.rows.resize(most_rows);
    }
}

void leave_out_empty(ResultTable& table, const std::vector<std::string>& columns) {
    std::vector<std::size_t> places;
    for (const std::string& name : columns) {
        if (const std::size_t place = column_of(table, name); place < table.columns.size()) {
            places.push_back(place);
        }
    }
    for (const auto& row : table.rows) {
        if (std::ranges::any_of(places, [&](std::size_t place) { return !is_null(row[place]); })) {
            return;
        }
    }
    std::ranges::sort(places, std::ranges::greater());
    for (const std::size_t place : places) {
        const auto offset = static_cast<std::ptrdiff_t>(place);
        table.columns.erase(table.columns.begin() + offset);
        for (auto& row : table.rows) {
            row.erase(row.begin() + offset);
        }
    }
}

std::string count_kept(const ResultTable& table) {
    const std::size_t all = table.rows.size() + table.rows_left_out;
    return fmt::format("{} of {}", grouped(std::ssize(table.rows)),
                       counted(static_cast<std::int64_t>(all), "row"));
}

bool is_numeric(const ResultTable& table, std::size_t column) {
    bool any = false;
    for (const auto& row : table.rows) {
        if (is_number(row[column])) {
            any = true;
        } else if (!is_null(row[column])) {
            return false;
        }
    }
    return any;
}

bool is_key(std::string_view column) {
    return std::ranges::find(keys, column) != keys.end();
}

bool is_hash_list(std::string_view column) {
    return column.starts_with("hashes");
}

bool is_difference_list(std::string_view column) {
    return column == "differs";
}

bool is_source(std::string_view column) {
    return column == "source";
}

std::string_view leading_column(std::string_view column) {
    return column == "platform" ? "os" : "";
}

Tone tone_of(std::string_view column, std::string_view cell) {
    if (is_one_of(columns_of_changes, column)) {  // "package-added"
        return tone_of_word(cell.substr(cell.rfind('-') + 1));
    }
    return cell == "0" || cell == "-" || cell == "·" ? Tone::plain : tone_of_word(column);
}

std::vector<AlikeColumn> take_alike_columns(ResultTable& table,
                                            const std::vector<std::string>& kept) {
    if (table.rows.size() < 2) {
        return {};
    }
    std::vector<AlikeColumn> alike;
    ResultTable rest;
    rest.rows.resize(table.rows.size());
    rest.is_cut = table.is_cut;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const std::string& name = table.columns[column];
        if (std::ranges::count(kept, name) == 0 && is_alike(table, column)) {
            alike.push_back({name, table.rows.front()[column]});
            continue;
        }
        rest.columns.push_back(name);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            rest.rows[row].push_back(std::move(table.rows[row][column]));
        }
    }
    table = std::move(rest);
    return alike;
}

std::string alike_line(const std::string& label, const std::vector<std::string>& words,
                       std::size_t width) {
    const std::size_t indent = display_width(label);
    std::string text = label;
    std::size_t used = indent;
    for (const std::string& word : words) {
        const std::size_t needed = 1 + display_width(word);
        if (width > 0 && used > indent && used + needed > width) {
            text.append(1, '\n').append(indent, ' ');
            used = indent;
        }
        text.append(1, ' ').append(word);
        used += needed;
    }
    return text.append(1, '\n');
}

std::vector<std::string> take_shared_parts(std::vector<std::string>& cells) {
    if (cells.size() < 2 || !are_all_lists(cells)) {
        return {};
    }
    Parts shared = parts_of_list(cells.front());
    for (std::size_t i = 1; i < cells.size() && !shared.empty(); ++i) {
        const Parts parts = parts_of_list(cells[i]);
        std::erase_if(shared, [&](const auto& part) { return !has_part(parts, part); });
    }
    for (std::size_t i = 0; i < cells.size() && !shared.empty(); ++i) {
        Parts left = parts_of_list(cells[i]);
        std::erase_if(left, [&](const auto& part) { return has_part(shared, part); });
        cells[i] = fmt::format("{}", fmt::join(left, between_parts));
    }
    return shared;
}

std::string list_in_room(const std::string& cell, std::size_t room) {
    if (display_width(cell) <= room || !has_mark(cell)) {
        return cell;
    }
    const Parts parts = parts_of_list(cell);
    Parts names;
    for (const std::string& part : parts) {
        names.push_back(part.substr(0, part.find(": ")));
    }
    std::string text;
    for (std::size_t whole = parts.size(); whole-- > 0;) {
        const auto at = static_cast<std::ptrdiff_t>(whole);
        text = fmt::format("{}{}{}", fmt::join(parts.begin(), parts.begin() + at, between_parts),
                           whole > 0 ? between_parts : "",
                           fmt::join(names.begin() + at, names.end(), ", "));
        if (display_width(text) <= room) {
            break;
        }
    }
    return text;
}

}  // namespace cacheledger
