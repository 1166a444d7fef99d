#pragma once

#include <cstdint>
#include <vector>

#include "ingest/bytes/json/json.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"
#include "ingest/pages/page/shared_values.hpp"

namespace cacheledger {

/// How the dependencies of a node are written.
enum class EdgeForm : std::uint8_t {
    none,
    by_name,         ///< form 1: an object, by package
    with_types,      ///< forms 2 and 3: a list with "type"
    with_parameters  ///< from form 4 on: a list with "parameters"
};

/// Reads the `dependencies` of a node, in every form: appends them to `edges`, and counts keys that
/// are not known. `values` owns what the edges refer to. Throws Problem, which says what was
/// expected: "dependencies[3].type: ...". For .cpp files only.
EdgeForm read_edges(const json::element& dependencies, SharedValues& values,
                    std::vector<ReadEdge>& edges, UnknownKeys& unknown);

}  // namespace cacheledger
