#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/pages/page/findings.hpp"
#include "ingest/sources/git/git_repository.hpp"

namespace cacheledger {

/// The moments at which commits give snapshots of a tag: the commit's time. Where commits of one
/// second touched the tag, each has a second of its own, in git's order: a later one has the first
/// that is free. The moments follow from the history alone, whatever of it is loaded, and when.
class CommitMoments {
  public:
    /// The mutable tags of which a commit touched something. Asked only about commits that share
    /// a second with others, or follow on such.
    using TagsOf = std::function<std::set<std::string>(const GitCommit& commit)>;

    /// `history`: from the first commit on, oldest first. It must outlive this.
    CommitMoments(const std::vector<GitCommit>& history, TagsOf tags_of);

    /// Says what a commit touched, so that it is not asked.
    void note(const GitCommit& commit, const std::set<std::string>& tags);

    /// The commit must be in the history, and have touched the tag.
    Moment of(const GitCommit& commit, const std::string& tag);

  private:
    // Commits at seconds without a gap, if each took one, in git's order.
    using Crowd = std::vector<std::size_t>;

    // The moments of the first commits of a crowd that touched a tag.
    struct Given {
        std::size_t commits = 0;
        std::map<std::size_t, Moment> moments;  // by commit
        std::map<Moment, Moment> next;          // a moment that is taken, one that may be free
    };

    const std::set<std::string>& tags_of(std::size_t commit);

    const std::vector<GitCommit>& history_;
    TagsOf ask_tags_;
    std::vector<Crowd> crowds_;
    std::map<Digest, std::pair<std::size_t, std::size_t>> crowded_;  // a commit, its crowd
    std::map<std::size_t, std::set<std::string>> tags_;
    std::map<std::pair<std::size_t, std::string>, Given> given_;  // by crowd and tag
};

/// The first ten digits of its id.
std::string short_name_of(const GitCommit& commit);

/// A finding if the commit gives a snapshot at `moment`, and that is not the committer's time.
std::optional<PageFinding> about_moment(const GitCommit& commit, Moment moment);

/// The history of a revision, with what a range like A..B leaves out.
std::vector<GitCommit> whole_history(const GitRepository& repository, const std::string& revision,
                                     const std::vector<GitCommit>& history);

}  // namespace cacheledger
