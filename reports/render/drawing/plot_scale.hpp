#pragma once

#include <string>

#include "reports/render/drawing/chart.hpp"
#include "reports/render/drawing/chart_rows.hpp"
#include "reports/render/drawing/stacking.hpp"

namespace cacheledger {

constexpr double plot_top = 40;
constexpr double plot_bottom = 280;
constexpr double plot_height = 316;  // with the labels of the axis

/// The date, and if `has_hour` the hour, too.
std::string moment_text(double moment, bool has_hour);

/// Where moments (or other numbers) and values are in a plot.
class PlotScale {
  public:
    /// `stacked`: what is drawn in place of the series; nullptr: the series.
    PlotScale(const ChartPanel& panel, const StackedPlot* stacked, ChartKind kind);

    double x(double at) const;
    double y(double value) const;

    /// How wide a bar is that stands at a moment.
    double column_width() const;

    std::string axes(const std::string& unit, const std::string& across_unit) const;

    double first = 0;
    double last = 0;  ///< of areas a twentieth behind the newest moment, which has no next one

  private:
    std::string across_axis(const std::string& across_unit) const;

    ChartKind kind_;
    double lowest_ = 0;
    double highest_ = 1;
    double step_ = 1;
    double newest_ = 0;
    double least_gap_ = 0;  ///< between two moments
};

}  // namespace cacheledger
