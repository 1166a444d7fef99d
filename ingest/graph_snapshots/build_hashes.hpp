#pragma once

#include <SQLiteCpp/Database.h>

#include <vector>

#include "ingest/graph_snapshots/graph_state.hpp"
#include "ingest/looks/spec_table.hpp"

namespace cacheledger {

/// Writes the build hashes of a lock file to the table spec_build_hash, and says whether any is
/// new. `specs`: by index into Graph::nodes; they must be written.
bool write_build_hashes(SQLite::Database& database, const GraphInput& input,
                        const std::vector<KnownSpec>& specs);

}  // namespace cacheledger
