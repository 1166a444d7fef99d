#include "reports/render/table/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schema/text/counted.hpp"

namespace cacheledger {

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
    return fmt::format("{} of {}", grouped(static_cast<std::int64_t>(table.rows.size())),
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

}  // namespace cacheledger
