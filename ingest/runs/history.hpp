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
    std::string revision = "HEAD";  ///< whose history; or A..B
    std::string folder;             ///< below the top of the repository; empty for all of it
    unsigned jobs = 1;              ///< threads that read and parse
};

/// What a run did.
struct HistoryResult {
    std::size_t commits = 0;             ///< of the history
    std::size_t known_commits = 0;       ///< those that were in the ledger before
    std::size_t page_commits = 0;        ///< those of the others that touched pages
    std::size_t specs = 0;               ///< in the snapshots that were made
    std::size_t loaded = 0;              ///< snapshots that were made
    std::size_t unchanged = 0;           ///< snapshots that were there with the same content
    std::size_t replaced = 0;            ///< snapshots that took the place of another
    std::int64_t new_specs = 0;          ///< hashes that the ledger did not have
    std::vector<std::string> bad_pages;  ///< a line for each page that a commit broke
};

/// Loads the history of a repository of pages, along first parents, oldest commit first: of each
/// commit that touched pages, the tags that it touched, each as a snapshot at the commit's time (a
/// dated tag at its date, where a later commit replaces what an earlier one gave; a dated tag that
/// a commit removes stays as it was). Of commits with the same moment the last in history holds,
/// whichever is loaded last. Commits that are in the ledger are passed over. A page that
/// can't be read leaves its package as it was before, and is a finding; so is a commit whose time
/// can't be read (GitCommit).
///
/// Commits are written whole, in groups of some seconds: what is interrupted loses the last group,
/// and goes on from there when it is run again. Takes memory by the size of one tree, whatever the
/// number of commits. `progress` is called with the number of commits done and of those to do; what
/// it throws ends the run, and the commits done are kept.
/// Throws UsageError for a revision or folder that can't be, InputError where the repository can't
/// be read or has no pages, SQLite::Exception where the database fails.
HistoryResult ingest_history(SQLite::Database& database, const HistoryOptions& options,
                             const Progress& progress);

}  // namespace cacheledger
