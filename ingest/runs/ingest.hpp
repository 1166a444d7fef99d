#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ingest/snapshots/load.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

struct IngestOptions {
    std::vector<std::string> paths;  ///< files, folders, "-"
    std::optional<Moment> taken_at;  ///< of mutable tags; nothing: the moment of the run
    std::optional<std::string> tag;  ///< file the pages under this tag, whatever they say
    bool partial = false;            ///< packages that are not given are not gone
    bool keep_going = false;         ///< load the good pages, record the bad ones as findings
    bool replace = false;            ///< a snapshot with other content gives way
    unsigned jobs = 1;               ///< threads that read and parse
};

/// What a run did.
struct IngestResult : LoadResult {
    std::int64_t new_specs = 0;  ///< hashes the ledger did not have
    /// Symbolic links to folders, which were not searched.
    std::vector<std::string> linked_folders;
};

/// Called with the number of files done and of all. What it throws ends the work, with nothing of
/// it loaded.
using Progress = std::function<void(std::size_t, std::size_t)>;

/// Loads the pages that the paths hold: one snapshot for each tag among them, all in one
/// transaction, so that all of it is loaded or nothing. A snapshot that is there with the same
/// content stays as it is. Throws InputError with every page that can't be loaded, or naming the
/// first page that differs from a snapshot that is there; SQLite::Exception where the database
/// fails.
IngestResult ingest(SQLite::Database& database, const IngestOptions& options,
                    const Progress& progress);

}  // namespace cacheledger
