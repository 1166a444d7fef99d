#include "reports/render/charts/draw_chart.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "reports/render/charts/bar_chart.hpp"
#include "reports/render/charts/graph_chart.hpp"
#include "reports/render/charts/plot.hpp"
#include "reports/render/drawing/svg.hpp"

namespace cacheledger {

namespace {

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
