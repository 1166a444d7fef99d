#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ingest/graph_runs/graphs.hpp"
#include "ingest/inputs/inputs.hpp"

namespace cacheledger {

/// Ways to read what find_inputs() found, which must not be pages: one for each snapshot. `tag`: of
/// the snapshot; of a manifest, each ref is a tag of its own. `source`: for the column `source`.
///
/// What a manifest names is fetched now: a run that writes to the ledger must not wait for a
/// server. A file that can't be had or read fails the run when it is read, or is a finding
/// (keep_going).
///
/// Throws UsageError where there is no tag, or where one tag is given for several snapshots;
/// InputError for a ref that can't be a tag.
std::vector<ReadGraph> read_graphs(const Inputs& inputs, const std::optional<std::string>& tag,
                                   const std::string& source);

}  // namespace cacheledger
