#pragma once

#include <string>
#include <vector>

#include "reports/questions/coverage/several_coverage.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"

namespace cacheledger {

/// Sets Coverage::to_fetch of what is there. Asks the mirrors that the snapshots of `cache` were
/// read from for the sizes that the ledger does not know, and keeps these in the ledger, if it is
/// the file of --db. Adds lines for the user to `notes`: which files can't be read, which place is
/// no mirror, why nothing is kept. Throws what ask_mirror() throws, and Interrupted; then nothing
/// is kept.
void fetch_sizes(const Invocation& invocation, AskedLedger& ledger, const AskedCache& cache,
                 Coverage& coverage, std::vector<std::string>& notes);

}  // namespace cacheledger
