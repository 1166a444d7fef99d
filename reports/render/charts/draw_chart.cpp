#include "reports/render/charts/draw_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/render/drawing/chart.hpp"
#include "reports/render/drawing/svg.hpp"

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

/// The panel with its axes and its legend. The axis of values has its zero. Of more than 8 series a
/// chart draws the greatest; of stacked ones the rest is one part, "other". The panel is changed:
/// it then has the series that are drawn.
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

/// What the panel shows, in words: the ends of each line, the median of a curve.
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

constexpr std::size_t most_nodes = 12;  // of a layer
constexpr double line_height = 15;
constexpr double node_gap = 9;
constexpr double layer_gap = 60;

struct Node {
    std::string name;
    double size = 0;
    std::set<std::string> remarks{};  ///< what the further columns of Chart::across say
    std::set<std::string> needs{};    ///< names of nodes of the layer before
    double y = 0;
    double end = 0;         ///< of its name
    bool has_line = false;  ///< from there to the lines to what needs it
};

using Layers = std::map<double, std::vector<Node>>;

Layers layers_of(const ResultTable& table, const Chart& chart) {
    Layers layers;
    const std::size_t layer = chart_place(table, chart.each);
    const std::size_t size = chart_place(table, chart.numbers.at(0).column);
    const std::size_t need = chart_place(table, chart.parts.at(0));
    const std::vector<ChartLabel> name(chart.across.begin(), chart.across.begin() + 1);
    const std::vector<ChartLabel> remark(chart.across.begin() + 1, chart.across.end());
    for (const auto& row : table.rows) {
        const std::string label = chart_label(table, row, name);
        std::vector<Node>& nodes = layers[chart_number(row[layer])];
        auto found = std::ranges::find(nodes, label, &Node::name);
        if (found == nodes.end()) {
            nodes.push_back({label, chart_number(row[size])});
            found = nodes.end() - 1;
        }
        Node& node = *found;
        if (!is_null(row[need])) {
            node.needs.insert(to_text(row[need]));
        }
        if (!remark.empty()) {
            if (std::string said = chart_label(table, row, remark); said != "–") {
                node.remarks.insert(std::move(said));
            }
        }
    }
    return layers;
}

/// A graph in layers: a node for each value of Chart::across, in the column that Chart::each says,
/// and a line to each node that the rows say it depends on. Of a layer with more than 12 nodes the
/// first are drawn, and a text counts the others.
BarChart graph_chart(const ResultTable& table, const Chart& chart, const Units& units) {
    const std::string unit = unit_of(units, chart.numbers.at(0).column);
    BarChart made;
    PictureBlock block;
    std::map<std::string, Node> before;
    std::string edges;
    std::string texts;
    double x = 16;
    for (const auto& [number, nodes] : layers_of(table, chart)) {
        std::vector<Node> drawn = nodes;
        const std::size_t left_out = drawn.size() - std::min(drawn.size(), most_nodes);
        drawn.resize(drawn.size() - left_out);
        double y = 0;
        double widest = 0;
        std::map<std::string, Node> here;
        for (Node& node : drawn) {
            node.y = y + line_height - 5;
            std::vector<std::string> lines = {
                fmt::format("{} {}", node.name, chart_text(node.size, ""))};
            lines.insert(lines.end(), node.remarks.begin(), node.remarks.end());
            for (const std::string& line : lines) {
                y += line_height;
                texts += svg_text(x + 8, y - 1, "start", line);
                widest = std::max(widest, svg_width(line) + 14);
            }
            node.end = x + svg_width(lines.front()) + 14;
            texts += svg_dot(x, node.y, 4, chart_colours.at(number == 0 ? 2 : 0));
            for (const std::string& need : node.needs) {
                if (const auto other = before.find(need); other != before.end()) {
                    if (!std::exchange(other->second.has_line, true)) {
                        edges += svg_line(other->second.end, other->second.y, x - layer_gap + 4,
                                          other->second.y, 0.25);
                    }
                    edges += svg_line(x - layer_gap + 4, other->second.y, x - 5, node.y, 0.25);
                }
            }
            made.words += fmt::format("{}: {}. ", node.name, chart_text(node.size, ""));
            y += node_gap;
            here.emplace(node.name, node);
        }
        if (left_out > 0) {
            const std::string more = fmt::format("{} more packages", left_out);
            y += line_height;
            texts += svg_text(x + 8, y - 1, "start", more);
            widest = std::max(widest, svg_width(more) + 14);
        }
        block.height = std::max(block.height, y + 8);
        x += widest + layer_gap;
        before = std::move(here);
    }
    if (before.empty()) {
        made.blocks.push_back(text_block("no rows", 13));
        made.words = "no rows";
        return made;
    }
    if (!unit.empty()) {
        made.blocks.push_back(text_block(fmt::format("with how many {}", unit), 12));
    }
    block.width = std::max(picture_width, x - layer_gap + 16);
    block.svg = fmt::format("<g fill=\"currentColor\" font-size=\"12\">\n{}{}</g>\n", edges, texts);
    made.blocks.push_back(std::move(block));
    return made;
}

std::string plotted(const ResultTable& table, const Chart& chart, const Units& units,
                    std::vector<PictureBlock>& blocks) {
    std::string said;
    std::vector<ChartPanel> panels = chart_panels(table, chart);
    if (panels.empty()) {
        panels.emplace_back();
    }
    const auto named = [&](const std::string& column) { return unit_of(units, column, column); };
    const std::string unit = named(chart.numbers.at(0).column);
    const std::string across = named(chart.across.at(0).column);
    for (std::size_t i = 0; i < std::min(panels.size(), most_panels_drawn); ++i) {
        for (PictureBlock& block : plot_blocks(panels[i], chart.kind, unit, across)) {
            blocks.push_back(std::move(block));
        }
        said += panels[i].series.empty() ? "no points"
                                         : plot_words(panels[i], chart.kind, unit, across);
    }
    add_left_out(blocks, panels.size(), chart.each);
    return said;
}

}  // namespace

std::string draw_chart(const ResultTable& table, const Chart& chart, const ChartWords& words,
                       bool is_alone) {
    std::vector<PictureBlock> blocks = {
        text_block(words.caption.empty() ? words.title : words.caption, 15)};
    if (!words.sentence.empty()) {
        blocks.push_back(text_block(words.sentence, 13));
    }
    std::string said;
    if (chart.kind == ChartKind::bars || chart.kind == ChartKind::graph) {
        BarChart made = chart.kind == ChartKind::bars ? bar_chart(table, chart, words.units)
                                                      : graph_chart(table, chart, words.units);
        said = std::move(made.words);
        for (PictureBlock& block : made.blocks) {
            blocks.push_back(std::move(block));
        }
    } else {
        said = plotted(table, chart, words.units, blocks);
    }
    const std::string description =
        words.sentence.empty() ? said : fmt::format("{} {}", words.sentence, said);
    return picture_of(blocks, words.title, description, is_alone);
}

}  // namespace cacheledger
