#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/text/progress.hpp"

namespace cacheledger {

struct HistoryOptions {
    std::string repository;         ///< a clone, bare or not
    std::string revision = "HEAD";  ///< a commit whose history is loaded, or A..B
    std::string path = {};          ///< below the top of the repository: of a folder with pages
                                    ///< (empty for all), or, with `tag`, of a file
    std::optional<std::string> tag = {};  ///< of the snapshots of a file, a mutable one
    unsigned jobs = 1;                    ///< number of threads that read and parse pages
};

/// What was loaded of a history.
struct HistoryResult {
    std::size_t commits = 0;            ///< in the history
    std::size_t known_commits = 0;      ///< were already in the ledger
    std::size_t touching_commits = 0;   ///< new ones that touched pages, or the file
    std::size_t specs = 0;              ///< in the new snapshots
    std::size_t loaded = 0;             ///< new snapshots
    std::size_t unchanged = 0;          ///< existing snapshots with the same content
    std::size_t replaced = 0;           ///< new snapshots that replaced another
    std::int64_t new_specs = 0;         ///< hashes that were not in the ledger before
    std::vector<std::string> problems;  ///< a line for each file that can't be read after a commit
};

/// Loads the history of a repository along first parents, oldest commit first: of its pages, each
/// tag that a commit touched becomes a snapshot at the time of the commit; of one index, lock file
/// or install database (`tag`), each state of it.
///
/// - The snapshot of a dated tag is at its date, and a later commit replaces it. If a commit
///   removes the dated tag, the snapshot stays.
/// - Of several commits of one second that touched a mutable tag, each later one has the first
///   second that is free (CommitMoments), and a finding.
/// - Commits that are in the ledger are skipped.
/// - A page that can't be read is a finding, and its package stays as it was before. So is a file,
///   and the snapshot has the state of the one before it. Where there is none before it, there is
///   no snapshot, and the commit is not skipped later.
/// - If a commit removes the file, or makes it a link or a folder, its snapshot has no specs.
/// - A commit whose time can't be read gets another time (TimeOf), and a finding.
///
/// Commits are written in groups of some seconds, each in one transaction. A group holds whole
/// commits. An interruption loses the last group, and the next run continues from there. `progress`
/// gets the number of commits done and the number of new commits; if it throws, or a commit can't
/// be loaded, the run ends and the commits done are kept. Memory follows the size of one tree, or
/// of one file, not the number of commits.
///
/// Throws UsageError for an unknown revision, a path outside of the repository or of something
/// else, a dated tag, or a tag that has snapshots of another kind; InputError if the repository or
/// every state of the file can't be read, or if no commit has pages, or the file;
/// SQLite::Exception if the database fails.
HistoryResult ingest_history(SQLite::Database& database, const HistoryOptions& options,
                             const Progress& progress);

}  // namespace cacheledger
