#include "reports/render/drawing/stacking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "reports/render/drawing/svg.hpp"

namespace cacheledger {

namespace {

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
