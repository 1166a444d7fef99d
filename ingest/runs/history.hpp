#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "ingest/basics/progress.hpp"
#include "ingest/commits/commit_groups.hpp"

namespace cacheledger {

struct HistoryOptions {
    std::string repository;         ///< a clone, bare or not
    std::string revision = "HEAD";  ///< a commit whose history is loaded, or A..B
    std::string folder;             ///< below the top of the repository; empty for all of it
    unsigned jobs = 1;              ///< number of threads that read and parse
};

/// Loads the history of a repository of pages along first parents, oldest commit first. Each tag
/// whose pages a commit touched becomes a snapshot at the time of the commit.
///
/// - The snapshot of a dated tag is at its date, and a later commit replaces it. If a commit
///   removes the dated tag, the snapshot stays.
/// - Of several commits of one second that touched a mutable tag, each later one has the first
///   second that is free (CommitMoments), and a finding.
/// - Commits that are in the ledger are skipped.
/// - A page that can't be read is a finding, and its package stays as it was before. A commit whose
///   time can't be read gets another time (TimeOf), and a finding.
///
/// Commits are written in groups (load_in_groups). Memory follows the size of one tree, not the
/// number of commits.
///
/// Throws UsageError for an unknown revision, a folder outside of the repository, or a file that
/// needs a tag, InputError if the repository can't be read or has no pages, SQLite::Exception if
/// the database fails.
HistoryResult ingest_history(SQLite::Database& database, const HistoryOptions& options,
                             const Progress& progress);

}  // namespace cacheledger
