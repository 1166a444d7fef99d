#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ingest/sources/inputs/inputs.hpp"
#include "ingest/sources/pages/source.hpp"

namespace cacheledger {

/// The source of what find_inputs() found, which must not be pages: one snapshot for each ref.
/// `tag`: of the snapshot; of a manifest, each ref is a tag of its own. `source`: for the column
/// `source`.
///
/// What a manifest names is fetched now: a run that writes to the ledger must not wait for a
/// server. A file that can't be had or read fails the run when it is read, or is a finding
/// (keep_going).
///
/// Throws UsageError where there is no tag, or where one tag is given for several snapshots;
/// InputError for a ref that can't be a tag.
std::unique_ptr<Source> open_graphs(const Inputs& inputs, const std::optional<std::string>& tag,
                                    const std::string& source);

/// Adds what a mirror on this machine says of the sizes of its binaries.
void read_sizes(const std::string& mirror, GraphInput& input);

}  // namespace cacheledger
