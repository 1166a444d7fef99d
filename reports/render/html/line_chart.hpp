#pragma once

#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// The columns of a table that a chart is drawn from. Each row is a point of the line that its
/// values in `lines` name.
struct ChartColumns {
    std::string time;   ///< moments such as 2025-03-30T06:00:00Z
    std::string value;  ///< numbers
    std::vector<std::string> lines;
};

/// A line chart over time as SVG. A value holds until the next moment of its line, so lines are
/// steps. Of more than 8 lines those with the greatest last values are drawn, and a text counts the
/// others. A description has the numbers at both ends of each line, for screen readers.
/// `is_alone`: it is a file of its own, with a background. Throws std::invalid_argument if a column
/// is missing, or a moment or a value is none.
std::string line_chart(const ResultTable& table, const ChartColumns& columns,
                       const std::string& title, bool is_alone);

}  // namespace cacheledger
