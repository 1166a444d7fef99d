#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/commits/commit_groups.hpp"
#include "ingest/commits/commit_moments.hpp"
#include "ingest/commits/commit_order.hpp"
#include "ingest/git/git_repository.hpp"
#include "ingest/graph_runs/graph_history.hpp"
#include "ingest/graph_snapshots/graph_load.hpp"
#include "ingest/stored/commit_log.hpp"

namespace cacheledger {

/// Loads the commits that touched one file. Nodes that the commits before had are not read again.
class GraphCommits : public CommitLoading {
  public:
    /// `history`: all commits of the run, oldest first. `whole`: the same, with those before them.
    /// All arguments must outlive this.
    GraphCommits(SQLite::Database& database, const GraphHistoryOptions& options,
                 const GitRepository& repository, const std::vector<GitCommit>& history,
                 const std::vector<GitCommit>& whole);

    std::vector<GitCommit> pending() override;
    void load(const GitCommit& commit, HistoryResult& result) override;
    void forget_remembered() override;
    bool leaves_over() const override { return leaves_over_ || load_->leaves_over(); }

  private:
    // A commit that touched the file.
    struct Touching {
        GitCommit commit;
        Moment moment = 0;           // of its snapshot
        std::optional<Digest> blob;  // nullopt: there is no file any more
        bool is_told = false;        // that it can't be read
    };

    // Whether it touched the file, and the file then.
    std::pair<bool, std::optional<Digest>> file_of(const GitCommit& commit) const;
    void load_touching(Touching& touching, HistoryResult& result);
    void load_waiting(Moment since, HistoryResult& result);
    GraphInput read(const Touching& touching);
    std::optional<GraphKind> kind_before(const Touching& touching, const GraphInput& input);
    // absent_kind: of the snapshots before, if the file is gone or can't be read.
    void take(const GraphInput& input, std::optional<GraphKind> absent_kind);
    void count(const GitCommit& commit, HistoryResult& result);
    void record(const GitCommit& commit, const CommitLog::Place& place, HistoryResult& result);
    void begin_load(const std::set<std::string>& replaced);

    SQLite::Database& database_;
    const GraphHistoryOptions& options_;
    const GitRepository& repository_;
    const std::vector<GitCommit>& history_;
    CommitLog log_;
    CommitOrder order_;
    CommitMoments moments_;
    std::optional<GraphLoad> load_;
    std::int64_t new_specs_ = 0;         // written by the commits so far
    std::int64_t new_specs_before_ = 0;  // written before the current load_
    bool leaves_over_ = false;           // what loads before load_ left
    // Without a file that can be read, and without a snapshot before theirs: with a clock that went
    // back, a later commit may give one.
    std::vector<Touching> waiting_;
};

}  // namespace cacheledger
