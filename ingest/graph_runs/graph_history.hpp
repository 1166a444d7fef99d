#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "ingest/basics/progress.hpp"
#include "ingest/commits/commit_groups.hpp"

namespace cacheledger {

struct GraphHistoryOptions {
    std::string repository;         ///< a clone, bare or not
    std::string revision = "HEAD";  ///< a commit whose history is loaded, or A..B
    std::string file;               ///< its path below the top of the repository
    std::string tag;                ///< a mutable one
};

/// Loads the history of one index, lock file or install database along first parents, oldest commit
/// first. Each commit that touched the file becomes a snapshot of the tag at its time.
///
/// - Of several commits of one second that touched the file, each later one has the first second
///   that is free (CommitMoments), and a finding.
/// - Commits that are in the ledger are skipped.
/// - If a commit removes the file, or makes it a link or a folder, its snapshot has no specs.
/// - If the file can't be read, that is a finding, and the snapshot has the state of the one before
///   it. Where there is none before it, there is no snapshot, and the commit is not skipped later.
/// - A commit whose time can't be read gets another time (TimeOf), and a finding.
///
/// Commits are written in groups (load_in_groups). Memory follows the size of one file.
///
/// Throws UsageError for an unknown revision, a path outside of the repository or of a folder, a
/// dated tag, or a tag that has snapshots of another kind; InputError if the repository or every
/// state of the file can't be read, or if no commit has the file; SQLite::Exception if the database
/// fails.
HistoryResult ingest_graph_history(SQLite::Database& database, const GraphHistoryOptions& options,
                                   const Progress& progress);

}  // namespace cacheledger
