#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <vector>

#include "reports/site/data/site_results.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

/// The snapshots that a site shows first, from --at, --from and --to. What is not asked for may be
/// missing: a ledger without a snapshot, or without a pair, has a site, too. Adds to `notes` what
/// was chosen among several. Throws UsageError if a snapshot that is asked for is not there.
SiteSnapshots choose_site_snapshots(SQLite::Database& database, const ParsedOptions& parsed,
                                    std::vector<std::string>& notes);

}  // namespace cacheledger
