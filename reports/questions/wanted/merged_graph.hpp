#pragma once

#include <string>
#include <vector>

#include "reports/questions/wanted/wanted_graph.hpp"

namespace cacheledger {

/// What any of the graphs wants, each spec once by its hash, with all dependencies that one of them
/// gives.
WantedGraph merged_graph(const std::string& name, const std::vector<const WantedGraph*>& graphs);

}  // namespace cacheledger
