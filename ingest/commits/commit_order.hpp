#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "ingest/git/git_repository.hpp"

namespace cacheledger {

/// Which of two commits comes later. Commits may be loaded in any order, and of several at one
/// moment the last one in history counts.
class CommitOrder {
  public:
    /// `history`: all commits of the run, oldest first. Both must outlive this.
    CommitOrder(const GitRepository& repository, const std::vector<GitCommit>& history);

    /// Whether `other` comes after `commit`, which is of this run. Asks the repository, which may
    /// walk far, only about commits that are not in this run.
    bool is_later(const Digest& other, const Digest& commit);

  private:
    const GitRepository& repository_;
    const std::vector<GitCommit>& history_;
    std::map<Digest, std::size_t> positions_;
    std::map<Digest, bool> after_last_;  // other commits: whether they come after the last one
};

}  // namespace cacheledger
