#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/findings.hpp"
#include "ingest/rows/specs/spec_table.hpp"

namespace cacheledger {

/// A "dependency-missing": how many dependencies of the nodes that the files describe are described
/// by none of them, whether the ledger has them or not. nullopt if all are. Call this after the
/// nodes were written: the ledger has the dependencies of those that were not read. `specs`: by
/// index into Graph::nodes; 0 for nodes that were left out. `files`: how many files the graph is
/// from.
std::optional<PageFinding> missing_dependencies(SQLite::Database& database, const Graph& graph,
                                                const std::vector<KnownSpec>& specs,
                                                std::size_t files);

}  // namespace cacheledger
