#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/drawing/chart.hpp"

namespace cacheledger {

/// The shapes of pictures, in units of a picture that is 760 wide. What is text is visible() and
/// escaped, and never cut: a picture grows instead.
constexpr double picture_width = 760;
constexpr double picture_left = 64;
constexpr double picture_right = 744;

constexpr std::size_t most_panels_drawn = 6;
constexpr std::size_t most_series_drawn = 8;
/// They keep apart on a light and on a dark background.
constexpr std::array<std::string_view, most_series_drawn> chart_colours = {
    "#4a7fdc", "#d98a12", "#c9503a", "#1f8f82", "#8a55c8", "#74839a", "#5d8c1f", "#c2528b"};

/// A part of a picture. Its shapes begin at 0.
struct PictureBlock {
    std::string svg;
    double height = 0;
    double width = picture_width;
};

struct LegendEntry {
    std::string text;
    std::string_view colour;
};

std::string svg_text(double x, double y, std::string_view anchor, std::string_view text);
std::string svg_line(double x1, double y1, double x2, double y2, double opacity);
std::string svg_rect(double x, double y, double width, double height, std::string_view colour);
std::string svg_dot(double x, double y, double radius, std::string_view colour);

/// About how wide a text is in letters of 12 units.
double svg_width(std::string_view text);

/// "1,234", "2.5", and of bytes "1.2 GB".
std::string chart_text(double value, std::string_view unit);

/// 1, 2 or 5 times a power of ten, at least a part of `range`.
double chart_step(double range, int parts);

/// Lines of text, as many as they need.
PictureBlock text_block(std::string_view text, double size);

/// Adds how many of `panels` are not drawn, if any: panels of the values of the column `each`.
void add_left_out(std::vector<PictureBlock>& blocks, std::size_t panels, const std::string& each);

/// What the colours mean.
PictureBlock legend_block(const std::vector<LegendEntry>& entries);

/// The blocks below one another, as one file if `is_alone`: with a background of its own, so that
/// it is read on light and dark pages. `title` and `description` are for screen readers.
std::string picture_of(const std::vector<PictureBlock>& blocks, std::string_view title,
                       std::string_view description, bool is_alone);

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
