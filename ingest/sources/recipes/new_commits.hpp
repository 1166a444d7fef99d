#pragma once

#include <set>
#include <string>
#include <vector>

#include "ingest/sources/git/git_repository.hpp"

namespace cacheledger {

/// A commit of a package repository.
struct NewCommit {
    Digest id{};
    Digest tree{};
    std::vector<Digest> parent_trees;  ///< of the parents that the repository has, in their order
    /// The committer's; the author's, or that of its first parent, where that can't be read.
    Moment time = 0;
    std::string subject;            ///< clean_subject()
    bool is_on_first_line = false;  ///< of the history along first parents
};

/// The commits that lead to `head`, `head` included, without those of `known` and what leads to
/// them. Each comes after its parents; where that leaves a choice, the earlier one comes first.
/// What is known is not walked, unless a branch began before it. Throws InputError if a commit
/// can't be read.
std::vector<NewCommit> new_commits(const GitRepository& repository, const Digest& head,
                                   const std::set<Digest>& known);

}  // namespace cacheledger
