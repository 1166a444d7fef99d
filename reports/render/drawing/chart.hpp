#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// How the rows of a report are drawn.
enum class ChartKind : std::uint8_t {
    lines,    ///< a line over time; a value holds until the next moment
    areas,    ///< the same, one upon the other
    columns,  ///< a bar at each moment, of parts
    bars,     ///< a bar for each row
    curve,    ///< steps over a number, such as an age, from 100 % down; the median is marked
    graph,    ///< what depends on what, in layers
};

/// A column with numbers.
struct ChartNumber {
    std::string column;
    bool is_below = false;  ///< drawn below zero, or to its left
};

/// A column with names.
struct ChartLabel {
    std::string column;
    std::string none{};  ///< what stands for NULL
};

/// What the header of a report says of its chart, behind `-- chart:`
/// (reports/engine/catalog/report.hpp).
struct Chart {
    ChartKind kind = ChartKind::lines;
    /// The moment, the number of a curve, or what names a bar or a node of a graph.
    std::vector<ChartLabel> across{};
    std::vector<ChartNumber> numbers{};
    /// Columns that name the line or part; of a graph the node that the row's node depends on.
    std::vector<std::string> parts{};
    std::string each{};  ///< a column: each of its values has a panel; of a graph the layer
};

/// A point of a picture: a moment or another number, and a value.
struct ChartPoint {
    double x = 0;
    double y = 0;
};

/// A line, or the parts of one name. Those below zero have values of 0 or less.
struct ChartSeries {
    std::string name;
    std::vector<ChartPoint> points{};  ///< in the order of x
    std::size_t colour = 0;            ///< its place among the colours
};

/// What is drawn in one frame.
struct ChartPanel {
    std::string name{};  ///< empty if there is one panel only
    std::vector<ChartSeries> series{};
};

/// The place of the column. Throws std::invalid_argument if there is none.
std::size_t chart_place(const ResultTable& table, const std::string& column);

/// The number. Throws std::invalid_argument if the value is none.
double chart_number(const Value& value);

/// What the labels of the row say: "e4s, gcc". Those that are NULL and have no word for it are left
/// out; "–" if all are.
std::string chart_label(const ResultTable& table, const std::vector<Value>& row,
                        const std::vector<ChartLabel>& labels);

/// The rows by the values of Chart::each, those of most rows first. The name of a group that is
/// alone is empty.
std::vector<std::pair<std::string, std::vector<const std::vector<Value>*>>> chart_groups(
    const ResultTable& table, const Chart& chart);

/// The panels of a chart over moments or numbers. The names of series are without columns that are
/// alike in all rows. A row without a number is no point; a series without points is left out. In a
/// panel the series with the greatest last values come first.
std::vector<ChartPanel> chart_panels(const ResultTable& table, const Chart& chart);

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
