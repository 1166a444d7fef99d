#include "ingest/commits/commit_groups.hpp"

#include <chrono>
#include <optional>

#include "ingest/snapshots/forget.hpp"
#include "schema/basics/error.hpp"
#include "schema/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

using Clock = std::chrono::steady_clock;

// The time after which a group of commits is written. Commits of a group write a B-tree page that
// they share only once. An interruption loses the last group.
constexpr std::chrono::seconds group_time{2};

class HistoryRun {
  public:
    HistoryRun(SQLite::Database& database, CommitLoading& loader)
        : database_(database), loader_(loader) {}

    HistoryResult run(std::size_t commits, const Progress& progress) {
        const std::vector<GitCommit> pending = loader_.pending();
        result_.commits = commits;
        result_.known_commits = commits - pending.size();
        progress(0, pending.size());
        begin_group();
        for (std::size_t i = 0; i < pending.size(); ++i) {
            load_or_keep(pending[i]);
            if (Clock::now() - group_begin_ > group_time) {
                end_group();
                begin_group();
            }
            say(progress, i + 1, pending.size());
        }
        end_group();
        return result_;
    }

  private:
    void say(const Progress& progress, std::size_t done, std::size_t all) {
        try {
            progress(done, all);
        } catch (...) {
            end_group();
            throw;
        }
    }

    void begin_group() {
        group_begin_ = Clock::now();
        transaction_.emplace(database_);
        // What is remembered is wrong if another process wrote to the ledger since the last group.
        const std::int64_t version = database_.execAndGet("PRAGMA data_version").getInt64();
        if (version != data_version_) {
            loader_.forget_remembered();
        }
        data_version_ = version;
    }

    void end_group() {
        if (result_.replaced > swept_ || loader_.leaves_over()) {
            sweep(database_);
            swept_ = result_.replaced;
            loader_.forget_remembered();
        }
        transaction_->commit();
        transaction_.reset();
    }

    // If a commit can't be loaded, the run ends, and the commits before it stay in the ledger.
    void load_or_keep(const GitCommit& commit) {
        const std::string savepoint = CommitLoading::savepoint;
        database_.exec("SAVEPOINT " + savepoint);
        const auto keep_others = [&] {
            database_.exec("ROLLBACK TO " + savepoint);
            end_group();
        };
        try {
            loader_.load(commit, result_);
        } catch (const InputError&) {
            keep_others();
            throw;
        } catch (const UsageError&) {
            keep_others();
            throw;
        }
        database_.exec("RELEASE " + savepoint);
    }

    SQLite::Database& database_;
    CommitLoading& loader_;
    std::optional<std::int64_t> data_version_;  // nullopt: nothing is remembered
    std::size_t swept_ = 0;                     // result_.replaced at the last sweep()
    Clock::time_point group_begin_;
    std::optional<WriteTransaction> transaction_;
    HistoryResult result_;
};

}  // namespace

HistoryResult load_in_groups(SQLite::Database& database, std::size_t commits, CommitLoading& loader,
                             const Progress& progress) {
    return HistoryRun(database, loader).run(commits, progress);
}

}  // namespace cacheledger
