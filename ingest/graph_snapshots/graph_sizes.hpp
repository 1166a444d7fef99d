#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "ingest/graph_snapshots/graph_state.hpp"
#include "ingest/looks/spec_table.hpp"
#include "ingest/node_rows/node_rows.hpp"

/// The sizes of binaries, from a mirror to the ledger.
namespace cacheledger {

/// Adds what a mirror on this machine says of its binaries.
void read_sizes(const std::string& mirror, GraphInput& input);

struct WrittenSizes {
    std::vector<NodeRows::Finding> findings;  ///< sizes that contradict the ledger or each other
    bool changed = false;                     ///< the ledger has more sizes than before
};

/// Gives a size to each node of the graph that has none in the ledger, whether it is in the
/// snapshot or only needed by another node. `specs`: by index into Graph::nodes; they must be
/// written. Of several sizes of a hash the smallest is taken.
WrittenSizes write_sizes(SQLite::Database& database, const GraphInput& input,
                         const std::vector<KnownSpec>& specs);

}  // namespace cacheledger
