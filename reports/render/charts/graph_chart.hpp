#pragma once

#include "reports/render/charts/bar_chart.hpp"

namespace cacheledger {

/// A graph in layers: a node for each value of Chart::across, in the column that Chart::each says,
/// and a line to each node that the rows say it depends on. Of a layer with more than 12 nodes the
/// first are drawn, and a text counts the others.
BarChart graph_chart(const ResultTable& table, const Chart& chart, const Units& units);

}  // namespace cacheledger
