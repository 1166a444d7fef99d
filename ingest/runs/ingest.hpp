#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ingest/snapshots/load.hpp"
#include "ingest/sources/source.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

struct IngestOptions {
    std::vector<std::string> paths;  ///< files and folders; "-" is standard input
    std::optional<Moment> taken_at;  ///< of mutable tags; nullopt: the time of the run
    std::optional<std::string> tag;  ///< the tag of all pages, instead of their own
    bool partial = false;            ///< packages without a page stay as they are
    bool keep_going = false;         ///< load the good pages and record the bad ones as findings
    bool replace = false;            ///< replace an existing snapshot that has other content
    bool if_changed = false;         ///< no snapshot where the one before has the same content
    unsigned jobs = 1;               ///< number of threads that read and parse
};

/// The result of a run.
struct IngestResult : LoadResult {
    std::int64_t new_specs = 0;      ///< hashes that were not in the ledger before
    std::vector<std::string> notes;  ///< lines about what the source left out
};

/// Called with the number of files done and the number of all files. If it throws, the run ends and
/// nothing is loaded.
using Progress = std::function<void(std::size_t, std::size_t)>;

/// Loads the pages of the paths: one snapshot for each tag among them, all in one transaction. An
/// existing snapshot with the same content stays as it is. Throws InputError with every page that
/// can't be loaded, or with the first page that differs from an existing snapshot. Throws
/// UsageError for a tag that can't name a snapshot, SQLite::Exception if the database fails.
IngestResult ingest(SQLite::Database& database, const IngestOptions& options,
                    const Progress& progress);

/// The same for the pages of `source`. options.paths only say where they come from.
IngestResult ingest(SQLite::Database& database, Source& source, const IngestOptions& options,
                    const Progress& progress);

}  // namespace cacheledger
