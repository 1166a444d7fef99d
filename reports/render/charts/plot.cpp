#include "reports/render/charts/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "reports/render/drawing/plot_scale.hpp"
#include "reports/render/drawing/stacking.hpp"

namespace cacheledger {

namespace {

/// A step to each point, and from the last one to the end of the picture.
std::string steps_of(const ChartSeries& series, const PlotScale& scale) {
    std::string path;
    for (const ChartPoint& point : series.points) {
        path += path.empty() ? fmt::format("M{:.1f} {:.1f}", scale.x(point.x), scale.y(point.y))
                             : fmt::format("H{:.1f}V{:.1f}", scale.x(point.x), scale.y(point.y));
    }
    return path;
}

std::string drawn_line(const ChartSeries& series, const PlotScale& scale, bool goes_on) {
    const ChartPoint& end = series.points.back();
    const std::string_view colour = chart_colours.at(series.colour);
    const double last = goes_on ? scale.last : end.x;
    return fmt::format(
               "<path d=\"{}H{:.1f}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" "
               "stroke-linejoin=\"round\"/>\n",
               steps_of(series, scale), scale.x(last), colour) +
           (goes_on ? svg_dot(scale.x(end.x), scale.y(end.y), 3.5, colour) : "");
}

/// From each moment to the next one the area between two heights.
std::string drawn_areas(const StackedPlot& stacked, const PlotScale& scale) {
    std::string svg;
    for (std::size_t part = 0; part < stacked.parts.size(); ++part) {
        const StackedPart& one = stacked.parts[part];
        std::string upper;
        std::string lower;
        for (std::size_t i = 0; i < stacked.moments.size(); ++i) {
            const double begin = scale.x(stacked.moments[i]);
            const double end = i + 1 < stacked.moments.size() ? scale.x(stacked.moments[i + 1])
                                                              : scale.x(scale.last);
            upper +=
                fmt::format("{}{:.1f}H{:.1f}", upper.empty() ? fmt::format("M{:.1f} ", begin) : "V",
                            scale.y(one.spans[i].to), end);
            lower.insert(0, fmt::format("V{:.1f}H{:.1f}", scale.y(one.spans[i].from), begin));
        }
        svg += fmt::format("<path d=\"{}{}\" fill=\"{}\"/>\n", upper, lower,
                           chart_colours.at(one.colour));
    }
    return svg;
}

std::string drawn_columns(const StackedPlot& stacked, const PlotScale& scale) {
    std::string svg;
    const double half = scale.column_width() / 2;
    for (const StackedPart& part : stacked.parts) {
        for (std::size_t i = 0; i < stacked.moments.size(); ++i) {
            const auto [from, to] = part.spans[i];
            if (from != to) {
                const double top = scale.y(std::max(from, to));
                svg += svg_rect(scale.x(stacked.moments[i]) - half, top, 2 * half,
                                scale.y(std::min(from, to)) - top, chart_colours.at(part.colour));
            }
        }
    }
    return svg;
}

/// The first age that at most half outlive.
std::optional<ChartPoint> median_of(const ChartSeries& series) {
    const auto found =
        std::ranges::find_if(series.points, [](const ChartPoint& point) { return point.y <= 50; });
    return found == series.points.end() ? std::nullopt : std::optional(*found);
}

std::string median_text(const ChartSeries& series, const std::string& across_unit) {
    const auto median = median_of(series);
    return median ? fmt::format("half are gone after {} {}", chart_text(median->x, ""), across_unit)
                  : "more than half outlive the greatest age seen";
}

std::string drawn_curve(const ChartSeries& series, const PlotScale& scale) {
    std::string svg = drawn_line(series, scale, false);
    if (const auto median = median_of(series)) {
        const double x = scale.x(median->x);
        svg += svg_line(x, scale.y(50), x, scale.y(0), 0.6) +
               svg_dot(x, scale.y(50), 4.5, chart_colours.at(series.colour));
    }
    return svg;
}

std::string legend_text(const ChartSeries& series, ChartKind kind, const std::string& unit,
                        const std::string& across_unit) {
    return kind == ChartKind::lines
               ? fmt::format("{} {}", series.name, chart_text(series.points.back().y, unit))
           : kind == ChartKind::curve
               ? fmt::format("{}: {}", series.name, median_text(series, across_unit))
               : series.name;
}

bool is_stacked(ChartKind kind) {
    return kind == ChartKind::areas || kind == ChartKind::columns;
}

/// Keeps the greatest series. Those that are left out are counted, or become one of the parts.
std::size_t keep_greatest(ChartPanel& panel, ChartKind kind) {
    if (is_stacked(kind)) {
        merge_least(panel);
        return 0;
    }
    const std::size_t all = panel.series.size();
    panel.series.resize(std::min(all, most_series_drawn));
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
        panel.series[i].colour = i;
    }
    return all - panel.series.size();
}

}  // namespace

std::vector<PictureBlock> plot_blocks(ChartPanel& panel, ChartKind kind, const std::string& unit,
                                      const std::string& across_unit) {
    const std::size_t left_out = keep_greatest(panel, kind);
    const std::string heading =
        fmt::format("{}{}{}", panel.name, panel.name.empty() || unit.empty() ? "" : ": ", unit);
    std::vector<PictureBlock> blocks;
    if (panel.series.empty()) {
        return {text_block(heading.empty() ? "no points" : heading + ": no points", 13)};
    }
    const std::optional<StackedPlot> stacked =
        is_stacked(kind) ? std::optional(stacked_plot(panel)) : std::nullopt;
    const PlotScale scale(panel, stacked ? &*stacked : nullptr, kind);
    std::string svg = "<g fill=\"currentColor\" font-size=\"13\">\n" +
                      svg_text(16, 22, "start", heading) + "</g>\n" + scale.axes(unit, across_unit);
    if (stacked) {
        svg += kind == ChartKind::areas ? drawn_areas(*stacked, scale)
                                        : drawn_columns(*stacked, scale);
    } else {
        std::for_each(panel.series.rbegin(), panel.series.rend(), [&](const ChartSeries& series) {
            svg += kind == ChartKind::curve ? drawn_curve(series, scale)
                                            : drawn_line(series, scale, true);
        });
    }
    blocks.push_back({std::move(svg), plot_height});
    std::vector<LegendEntry> entries;
    std::set<std::string> named;
    for (const ChartSeries& series : panel.series) {
        if (named.insert(series.name).second) {
            entries.push_back(
                {legend_text(series, kind, unit, across_unit), chart_colours.at(series.colour)});
        }
    }
    blocks.push_back(legend_block(entries));
    if (left_out > 0) {
        blocks.push_back(text_block(fmt::format("{} more are not drawn", left_out), 12));
    }
    return blocks;
}

std::string plot_words(const ChartPanel& panel, ChartKind kind, const std::string& unit,
                       const std::string& across_unit) {
    std::string text = panel.name.empty() ? "" : panel.name + ": ";
    const auto moment = [&](double x) {
        return kind == ChartKind::curve ? fmt::format("{} {}", chart_text(x, ""), across_unit)
                                        : moment_text(x, false);
    };
    for (const ChartSeries& series : panel.series) {
        if (kind == ChartKind::curve) {
            text += fmt::format("{}: {}. ", series.name, median_text(series, across_unit));
            continue;
        }
        const ChartPoint& first = series.points.front();
        const ChartPoint& last = series.points.back();
        text += fmt::format("{}: {} at {}, {} at {}. ", series.name, chart_text(first.y, unit),
                            moment(first.x), chart_text(last.y, unit), moment(last.x));
    }
    return text;
}

}  // namespace cacheledger
