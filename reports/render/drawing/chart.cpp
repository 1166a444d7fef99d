#include "reports/render/drawing/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "reports/render/drawing/svg.hpp"
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

/// A cause has one colour in all pictures.
constexpr std::array<std::string_view, 7> causes = {"package",  "version", "target", "compiler",
                                                    "variants", "rebuilt", "copies"};

std::map<double, double> by_moment(const ChartSeries& series) {
    std::map<double, double> values;
    for (const ChartPoint& point : series.points) {
        values[point.x] += point.y;
    }
    return values;
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
        std::ranges::stable_sort(made.series, std::ranges::greater(),
                                 [](const ChartSeries& one) { return one.points.back().y; });
        panels.push_back(std::move(made));
    }
    return panels;
}

void merge_least(ChartPanel& panel) {
    std::map<std::string, double> sums;
    for (const ChartSeries& series : panel.series) {
        for (const ChartPoint& point : series.points) {
            sums[series.name] += std::abs(point.y);
        }
    }
    std::vector<std::pair<std::string, double>> names(sums.begin(), sums.end());
    std::ranges::stable_sort(names, std::ranges::greater(),
                             &std::pair<std::string, double>::second);
    const bool is_merged = names.size() > most_series_drawn;
    const std::size_t kept = is_merged ? most_series_drawn - 1 : names.size();
    std::map<std::string, std::size_t> colours;
    const bool are_causes = std::ranges::all_of(names, [](const auto& name) {
        return std::ranges::find(causes, name.first) != causes.end();
    });
    for (std::size_t i = 0; i < kept; ++i) {
        const std::string& name = names[i].first;
        const auto cause = std::ranges::find(causes, name) - causes.begin();
        colours[name] = are_causes ? static_cast<std::size_t>(cause) : i;
    }
    std::vector<ChartSeries> series;
    std::map<double, double> up;
    std::map<double, double> down;
    for (ChartSeries& one : panel.series) {
        if (const auto colour = colours.find(one.name); colour != colours.end()) {
            one.colour = colour->second;
            series.push_back(std::move(one));
            continue;
        }
        for (const ChartPoint& point : one.points) {
            (point.y < 0 ? down : up)[point.x] += point.y;
        }
    }
    std::ranges::stable_sort(series, {}, &ChartSeries::colour);
    for (const auto& rest : {up, down}) {
        if (!rest.empty()) {
            ChartSeries other{fmt::format("{} other", names.size() - kept), {}, kept};
            for (const auto& [x, y] : rest) {
                other.points.push_back({x, y});
            }
            series.push_back(std::move(other));
        }
    }
    panel.series = std::move(series);
}

StackedPlot stacked_plot(const ChartPanel& panel) {
    std::set<double> moments;
    for (const ChartSeries& series : panel.series) {
        for (const ChartPoint& point : series.points) {
            moments.insert(point.x);
        }
    }
    StackedPlot plot;
    plot.moments.assign(moments.begin(), moments.end());
    std::vector<double> above(plot.moments.size());
    std::vector<double> below(plot.moments.size());
    for (const ChartSeries& series : panel.series) {
        StackedPart part{series.colour};
        const auto values = by_moment(series);
        for (std::size_t i = 0; i < plot.moments.size(); ++i) {
            const auto found = values.find(plot.moments[i]);
            const double value = found == values.end() ? 0 : found->second;
            double& edge = value < 0 ? below[i] : above[i];
            part.spans.push_back({edge, edge + value});
            edge += value;
            plot.lowest = std::min(plot.lowest, edge);
            plot.highest = std::max(plot.highest, edge);
        }
        plot.parts.push_back(std::move(part));
    }
    return plot;
}

}  // namespace cacheledger
