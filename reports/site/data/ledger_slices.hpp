#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "reports/site/files/data_file.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// The ledger of a site.
struct WrittenLedger {
    std::uint64_t slices = 0;
    std::uint64_t bytes = 0;  ///< of the database
    std::uint64_t page_size = 0;
    std::uint64_t pages_of_slice = 0;
    std::uint64_t compressed = 0;            ///< bytes of all slices, as gzip
    std::string digest = {};                 ///< of the file that names them
    std::optional<std::string> reason = {};  ///< why there is none, as a sentence for readers
};

/// Writes the database as data/ledger/FOLDER/N.DIGEST.js: slices of some pages, each packed by
/// itself, so that the pages load those that a question reads, and data/ledger.DIGEST.js, which
/// names them (reports/site/FORMAT.md). Nobody may write to
/// the file meanwhile. The same rows in the same order give the same bytes, whatever happened to
/// the file before. `progress` counts slices. Throws UsageError if the file can't be read.
WrittenLedger write_ledger(const std::filesystem::path& database, const WriteFile& write,
                           const Progress& progress);

}  // namespace cacheledger
