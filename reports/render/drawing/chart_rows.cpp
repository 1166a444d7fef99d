#include "reports/render/drawing/chart_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

namespace {

using Row = std::vector<Value>;

double moment_of(const Value& value) {
    const auto moment = parse_moment(to_text(value));
    if (!moment) {
        throw std::invalid_argument(
            fmt::format("the chart needs moments, not '{}'", to_text(value)));
    }
    return static_cast<double>(*moment);
}

/// The columns that name the lines, without those that are alike in all rows. At least one stays.
std::vector<std::size_t> naming(const ResultTable& table, const std::vector<std::string>& columns) {
    std::vector<std::size_t> places(columns.size());
    std::ranges::transform(columns, places.begin(),
                           [&](const std::string& column) { return chart_place(table, column); });
    const std::size_t last = places.empty() ? 0 : places.back();
    std::erase_if(places, [&](std::size_t place) {
        return place != last && std::ranges::all_of(table.rows, [&](const auto& row) {
                   return row[place] == table.rows.front()[place];
               });
    });
    return places;
}

std::string name_of(const Row& row, const std::vector<std::size_t>& names,
                    const std::string& otherwise) {
    std::string name;
    for (const std::size_t column : names) {
        const std::string text = is_null(row[column]) ? "(none)" : to_text(row[column]);
        name += (name.empty() ? "" : ", ") + text;
    }
    return names.empty() ? otherwise : name;
}

double last_value(const ChartSeries& series) {
    return series.points.back().y;
}

}  // namespace

std::size_t chart_place(const ResultTable& table, const std::string& column) {
    const std::size_t place = column_of(table, column);
    if (place == table.columns.size()) {
        throw std::invalid_argument(fmt::format("the chart needs a column '{}'", column));
    }
    return place;
}

double chart_number(const Value& value) {
    if (const auto* const integer = std::get_if<std::int64_t>(&value)) {
        return static_cast<double>(*integer);
    }
    const auto* const real = std::get_if<double>(&value);
    if (real == nullptr || !std::isfinite(*real)) {
        throw std::invalid_argument(
            fmt::format("the chart needs numbers, not '{}'", to_text(value)));
    }
    return *real;
}

std::string chart_label(const ResultTable& table, const Row& row,
                        const std::vector<ChartLabel>& labels) {
    std::string text;
    for (const ChartLabel& label : labels) {
        const Value& value = row[chart_place(table, label.column)];
        const std::string one = is_null(value) ? label.none : to_text(value);
        text += (text.empty() || one.empty() ? "" : ", ") + one;
    }
    return text.empty() ? "–" : text;
}

std::vector<std::pair<std::string, std::vector<const Row*>>> chart_groups(const ResultTable& table,
                                                                          const Chart& chart) {
    std::vector<std::pair<std::string, std::vector<const Row*>>> groups;
    const bool has_groups = !chart.each.empty() && chart.kind != ChartKind::graph;
    const std::size_t place = has_groups ? chart_place(table, chart.each) : 0;
    for (const Row& row : table.rows) {
        const std::string name = has_groups ? to_text(row[place]) : "";
        auto group = std::ranges::find(groups, name, [](const auto& one) { return one.first; });
        if (group == groups.end()) {
            groups.push_back({name, {}});
            group = groups.end() - 1;
        }
        group->second.push_back(&row);
    }
    std::ranges::stable_sort(groups, std::ranges::greater(),
                             [](const auto& group) { return group.second.size(); });
    if (groups.size() == 1) {
        groups.front().first.clear();
    }
    return groups;
}

std::vector<ChartPanel> chart_panels(const ResultTable& table, const Chart& chart) {
    const std::size_t across = chart_place(table, chart.across.at(0).column);
    const auto names = naming(table, chart.parts);
    std::vector<std::size_t> numbers;
    for (const ChartNumber& number : chart.numbers) {
        numbers.push_back(chart_place(table, number.column));
    }
    std::vector<ChartPanel> panels;
    for (const auto& [panel, rows] : chart_groups(table, chart)) {
        // A part that is above and below zero is two series of one name.
        std::map<std::pair<std::string, std::size_t>, ChartSeries> by_name;
        for (const Row* const row : rows) {
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const ChartNumber& number = chart.numbers[i];
                const std::string name = name_of(*row, names, number.column);
                const Value& value = (*row)[numbers[i]];
                if (!is_null(value)) {
                    const double x = chart.kind == ChartKind::curve ? chart_number((*row)[across])
                                                                    : moment_of((*row)[across]);
                    ChartSeries& series = by_name[{name, i}];
                    series.name = name;
                    series.points.push_back({x, (number.is_below ? -1 : 1) * chart_number(value)});
                }
            }
        }
        ChartPanel made{panel};
        for (auto& [key, series] : by_name) {
            std::ranges::stable_sort(series.points, {}, &ChartPoint::x);
            made.series.push_back(std::move(series));
        }
        std::ranges::stable_sort(made.series, std::ranges::greater(), last_value);
        panels.push_back(std::move(made));
    }
    return panels;
}

}  // namespace cacheledger
