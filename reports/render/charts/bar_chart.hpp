#pragma once

#include <string>
#include <vector>

#include "reports/render/drawing/chart.hpp"
#include "reports/render/drawing/svg.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

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
