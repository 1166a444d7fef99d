#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace cacheledger
