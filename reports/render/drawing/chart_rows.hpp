#pragma once

#include <string>
#include <vector>

#include "reports/render/drawing/chart.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

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

}  // namespace cacheledger
