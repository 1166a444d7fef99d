#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/basics/progress.hpp"
#include "ingest/git/git_repository.hpp"

namespace cacheledger {

/// The result of a run that loads a history.
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

/// Loads commits, one at a time, into the transaction of the caller.
class CommitLoading {
  public:
    CommitLoading() = default;
    virtual ~CommitLoading() = default;
    CommitLoading(const CommitLoading&) = delete;
    CommitLoading& operator=(const CommitLoading&) = delete;

    /// The commits of the history that are not in the ledger, in their order.
    virtual std::vector<GitCommit> pending() = 0;

    /// Loads a commit inside of a savepoint of this name, which the caller has made. May roll back
    /// to it. Adds to `result`. Throws InputError if the commit can't be read, UsageError if the
    /// ledger can't take it.
    static constexpr const char* savepoint = "commit_of_history";
    virtual void load(const GitCommit& commit, HistoryResult& result) = 0;

    /// Forgets what is remembered of the ledger. Called before the first commit, and if another
    /// process wrote to the ledger, or rows were deleted.
    virtual void forget_remembered() = 0;

    /// Whether sweep() has something to do since forget_remembered(), beside what replaced
    /// snapshots leave.
    virtual bool leaves_over() const { return false; }
};

/// Loads the pending commits of a history with this number of commits.
///
/// Commits are written in groups of some seconds. A group holds whole commits. An interruption
/// loses the last group, and the next run continues from there. `progress` gets the number of
/// commits done and the number of new commits; if it throws, or a commit can't be loaded, the run
/// ends and the commits done are kept.
HistoryResult load_in_groups(SQLite::Database& database, std::size_t commits, CommitLoading& loader,
                             const Progress& progress);

}  // namespace cacheledger
