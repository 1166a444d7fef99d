#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "src/commands/asked/asked_ledger.hpp"

namespace cacheledger {

/// Sets Coverage::to_fetch of what is there. Asks the mirrors that the snapshots of `cache` were
/// read from for the sizes that the ledger does not know, and keeps these in `file`, that of --db.
/// Adds lines for the user to `notes`: what could not be asked, what a mirror does not have, why
/// nothing is kept. Throws SQLite::Exception, and Interrupted; then nothing is kept.
void fetch_sizes(const std::filesystem::path& file, AskedLedger& ledger, const AskedCache& cache,
                 Coverage& coverage, std::vector<std::string>& notes);

}  // namespace cacheledger
