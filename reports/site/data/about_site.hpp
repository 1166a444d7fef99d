#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>
#include <string>

#include "reports/site/data/ledger_slices.hpp"
#include "reports/site/data/site_results.hpp"
#include "reports/site/files/data_file.hpp"

namespace cacheledger {

/// What a site says of itself.
struct AboutSite {
    std::string program;  ///< name and version
    std::string title;
    std::optional<std::string> mirror;  ///< its URL, in which {tag} and {stack} stand for names
    SiteSnapshots snapshots;
    WrittenResults results;
    WrittenLedger ledger;
};

/// Writes it, with the names that are in the ledger (reports/site/FORMAT.md, "about"). Returns the
/// digest of its file.
std::string write_about(SQLite::Database& database, const AboutSite& about, const WriteFile& write);

}  // namespace cacheledger
