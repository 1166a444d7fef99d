#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ingest/graph_snapshots/graph_load.hpp"
#include "ingest/graph_snapshots/graph_state.hpp"
#include "ingest/runs/ingest.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

struct GraphRunOptions {
    std::optional<Moment> taken_at;  ///< of mutable tags; nullopt: the time of the run
    bool keep_going = false;         ///< a file that can't be read is a finding
    bool replace = false;            ///< replace an existing snapshot that has other content
    bool if_changed = false;         ///< no snapshot where nothing changed since the one before
};

struct GraphResult : IngestResult {
    std::int64_t new_nodes = 0;  ///< specs whose dependencies were not known before
};

/// Reads what one snapshot is made from. Nodes that the ledger has (GraphLoad::known()) need not be
/// described, and files that it has (files_before()) need not be read. Called again if the run has
/// to begin again.
using ReadGraph = std::function<GraphInput(GraphLoad&)>;

/// Loads indexes, lock files or install databases: one snapshot for each input, all in one
/// transaction. An existing snapshot with the same content stays as it is. Throws as ingest() does,
/// and what `inputs` throw.
GraphResult ingest_graphs(SQLite::Database& database, const GraphRunOptions& options,
                          const std::vector<ReadGraph>& inputs, const Progress& progress);

}  // namespace cacheledger
