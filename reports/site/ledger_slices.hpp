#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "reports/site/data_file.hpp"

namespace cacheledger {

/// The ledger of a site.
struct WrittenLedger {
    std::uint64_t slices = 0;
    std::uint64_t bytes = 0;                 ///< of the database
    std::uint64_t compressed = 0;            ///< bytes of its gzip form
    std::optional<std::string> reason = {};  ///< why there is none, as a sentence for readers
};

/// Writes the database as data/ledger.N.js: gzip, cut into slices (reports/site/FORMAT.md). Nobody
/// may write to the file meanwhile. The same rows in the same order give the same bytes, whatever
/// happened to the file before. Throws UsageError if the file can't be read.
WrittenLedger write_ledger(const std::filesystem::path& database, const WriteFile& write);

}  // namespace cacheledger
