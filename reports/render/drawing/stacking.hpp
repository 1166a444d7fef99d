#pragma once

#include <string>
#include <vector>

#include "reports/render/drawing/chart_rows.hpp"

namespace cacheledger {

struct StackedSpan {
    double from = 0;
    double to = 0;
};

struct StackedPart {
    std::size_t colour = 0;
    std::vector<StackedSpan> spans{};  ///< one for each moment
};

/// The parts of a panel upon one another; those below zero hang from it.
struct StackedPlot {
    std::vector<double> moments{};
    std::vector<StackedPart> parts{};
    double lowest = 0;
    double highest = 0;
};

/// Gives each name its colour. Of more than 8 names the least become one, "N other".
void merge_least(ChartPanel& panel);

/// A part without a value at a moment is 0 there.
StackedPlot stacked_plot(const ChartPanel& panel);

}  // namespace cacheledger
