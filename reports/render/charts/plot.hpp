#pragma once

#include <string>
#include <vector>

#include "reports/render/drawing/chart.hpp"
#include "reports/render/drawing/chart_rows.hpp"
#include "reports/render/drawing/svg.hpp"

namespace cacheledger {

/// The panel with its axes and its legend. The axis of values has its zero. Of more than 8 series a
/// chart draws the greatest; of stacked ones the rest is one part, "other". The panel is changed:
/// it then has the series that are drawn.
std::vector<PictureBlock> plot_blocks(ChartPanel& panel, ChartKind kind, const std::string& unit,
                                      const std::string& across_unit);

/// What the panel shows, in words: the ends of each line, the median of a curve.
std::string plot_words(const ChartPanel& panel, ChartKind kind, const std::string& unit,
                       const std::string& across_unit);

}  // namespace cacheledger
