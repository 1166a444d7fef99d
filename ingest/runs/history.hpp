#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/runs/ingest.hpp"

namespace cacheledger {

struct HistoryOptions {
    std::string repository;         ///< a clone, bare or not
    std::string revision = "HEAD";  ///< a commit whose history is loaded, or A..B
    std::string folder;             ///< below the top of the repository; empty for all of it
    unsigned jobs = 1;              ///< number of threads that read and parse
};

/// The result of a run.
struct HistoryResult {
    std::size_t commits = 0;             ///< in the history
    std::size_t known_commits = 0;       ///< were already in the ledger
    std::size_t page_commits = 0;        ///< new ones that touched pages
    std::size_t specs = 0;               ///< in the new snapshots
    std::size_t loaded = 0;              ///< new snapshots
    std::size_t unchanged = 0;           ///< existing snapshots with the same content
    std::size_t replaced = 0;            ///< new snapshots that replaced another
    std::int64_t new_specs = 0;          ///< hashes that were not in the ledger before
    std::vector<std::string> bad_pages;  ///< a line for each page that can't be read after a commit
};

/// Loads the history of a repository of pages along first parents, oldest commit first. Each tag
/// whose pages a commit touched becomes a snapshot at the time of the commit.
///
/// - The snapshot of a dated tag is at its date, and a later commit replaces it. If a commit
///   removes the dated tag, the snapshot stays.
/// - Of several commits at the same moment, the last one in history gives the snapshot, in any
///   order of loading.
/// - Commits that are in the ledger are skipped.
/// - A page that can't be read is a finding, and its package stays as it was before. A commit whose
///   time can't be read gets another time (TimeOf), and a finding.
///
/// Commits are written in groups of some seconds. A group holds whole commits. An interruption
/// loses the last group, and the next run continues from there. Memory follows the size of one
/// tree, not the number of commits. `progress` gets the number of commits done and the number of
/// new commits; if it throws, the run ends and the commits done are kept.
///
/// Throws UsageError for an unknown revision or a folder outside of the repository, InputError if
/// the repository can't be read or has no pages, SQLite::Exception if the database fails.
HistoryResult ingest_history(SQLite::Database& database, const HistoryOptions& options,
                             const Progress& progress);

}  // namespace cacheledger
