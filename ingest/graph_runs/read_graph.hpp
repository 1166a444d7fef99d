#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ingest/bytes/bytes.hpp"
#include "ingest/graph_runs/graphs.hpp"

namespace cacheledger {

/// A file with nodes.
struct GraphPlace {
    std::string label;                             ///< "" for none
    std::string name;                              ///< how messages call it
    std::function<std::unique_ptr<Bytes>()> open;  ///< throws InputError where it can't be read
    std::function<void()> discard = [] {};         ///< called where the bytes are damaged
};

/// Reads these files into one snapshot of the tag.
ReadGraph read_graph(std::string tag, std::string source, std::vector<GraphPlace> places);

}  // namespace cacheledger
