#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/commits/commit_groups.hpp"
#include "ingest/commits/commit_moments.hpp"
#include "ingest/commits/commit_order.hpp"
#include "ingest/git/tree_walk.hpp"
#include "ingest/ids/dictionary.hpp"
#include "ingest/presence/package_history.hpp"
#include "ingest/runs/history.hpp"
#include "ingest/snapshots/load.hpp"
#include "ingest/stored/commit_log.hpp"
#include "ingest/stored/known_pages.hpp"

namespace cacheledger {

/// Loads commits of a git history, one at a time, into the transaction of the caller. Each tag
/// whose pages a commit touched becomes a snapshot.
///
/// A commit usually changes a few of a tag's pages. If the newest state of the tag's series is that
/// of the tree before the commit, only the changed pages are given to the load, and the load is
/// told once that all others stay. Otherwise all pages of the tag are given.
class CommitLoader : public CommitLoading {
  public:
    /// `history`: all commits of the run, oldest first. `whole`: the same, with those before them.
    /// All arguments must outlive the loader.
    CommitLoader(SQLite::Database& database, const HistoryOptions& options,
                 const GitRepository& repository, const std::vector<GitCommit>& history,
                 const std::vector<GitCommit>& whole);

    std::vector<GitCommit> pending() override;
    void load(const GitCommit& commit, HistoryResult& result) override;
    void forget_remembered() override;

  private:
    struct Step;

    LoadOptions load_options(const GitCommit& commit);
    std::string snapshot_name_of(const std::string& tag, const GitCommit& commit);
    std::set<std::string> tags_of(const GitCommit& commit);
    bool is_wanted(const std::string& tag, Step& step);
    void walk_to(const GitCommit& commit, Step& step);
    void give(const PageState& state, Step& step);
    bool keep_others(const std::string& tag, Step& step);
    void give_rest(Step& step);
    void load_again(Step& step);
    void note_in_force(const Step& step);
    void record(const Step& step, HistoryResult& result);

    SQLite::Database& database_;
    const HistoryOptions& options_;
    const GitRepository& repository_;
    const std::vector<GitCommit>& history_commits_;
    PageLookup ledger_;
    CommitLog log_;
    std::optional<Dictionary> dictionary_;
    std::optional<PackageHistory> history_;
    std::int64_t new_specs_ = 0;         // written by the commits so far
    std::int64_t new_specs_before_ = 0;  // written before the current dictionary_
    CommitOrder order_;
    CommitMoments moments_;
    std::set<Digest> complete_;          // the commits that were in the ledger
    std::optional<TreeWalk> side_walk_;  // to commits that are not loaded, and share a second
    // The tags whose pages in the walk's tree are the newest state of their series, and all good.
    std::set<std::string> in_force_;
    TreeWalk walk_;
};

}  // namespace cacheledger
