#pragma once

#include <string>
#include <vector>

#include "reports/render/drawing/chart.hpp"
#include "reports/render/drawing/svg.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// What a picture says beside its rows.
struct ChartWords {
    std::string title;      ///< of the report
    std::string caption{};  ///< what one sees; empty: the title
    Units units{};
    std::string sentence{};  ///< stands below the caption
};

/// The chart of a table as SVG, with a title and a description of what it shows, for screen
/// readers. It has at most 6 panels; a text counts the others. `is_alone`: it is a file of its own,
/// with a background. Throws std::invalid_argument if a column is missing, or a moment or a value
/// is none.
std::string draw_chart(const ResultTable& table, const Chart& chart, const ChartWords& words,
                       bool is_alone);

/// A picture of rows in blocks, and what it says in words.
struct BarChart {
    std::vector<PictureBlock> blocks;
    std::string words;
};

/// A bar for each row, of its numbers one behind the other; those below zero to the left. In the
/// order of the rows; of more than 24 the greatest, in the order of their size. A number that is
/// NULL is no part, and a row without any says "not known".
BarChart bar_chart(const ResultTable& table, const Chart& chart, const Units& units);

}  // namespace cacheledger
