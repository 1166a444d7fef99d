#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schema/moment.hpp"

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
struct IngestResult {
    std::size_t pages = 0;
    std::size_t specs = 0;
    std::int64_t new_specs = 0;   ///< hashes the ledger did not have
    std::size_t other_files = 0;  ///< files with front matter that are no package pages
    /// Symbolic links to folders, which were not searched.
    std::vector<std::string> linked_folders;
    std::vector<std::string> loaded;    ///< names of snapshots
    std::vector<std::string> replaced;  ///< those of them that were there with other content
    std::vector<std::string>
        unchanged;  ///< names of snapshots that were there with the same content
    std::vector<std::string> bad_pages;  ///< a line each; only with keep_going
};

/// Called with the number of files done and of all.
using Progress = std::function<void(std::size_t, std::size_t)>;

/// Loads the pages that the paths hold: one snapshot for each tag among them, all in one
/// transaction, so that all of it is loaded or nothing. A snapshot that is there with the same
/// content stays as it is. Throws InputError with every page that can't be loaded, or naming the
/// first page that differs from a snapshot that is there; SQLite::Exception where the database
/// fails.
IngestResult ingest(SQLite::Database& database, const IngestOptions& options,
                    const Progress& progress);

}  // namespace cacheledger
