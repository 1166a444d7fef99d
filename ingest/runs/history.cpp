#include "ingest/runs/history.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "ingest/runs/commit_loader.hpp"
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
    HistoryRun(SQLite::Database& database, const HistoryOptions& options)
        : database_(database),
          repository_(options.repository),
          history_(repository_.first_parent_history(options.revision)),
          loader_(database, options, repository_, history_) {}

    HistoryResult run(const Progress& progress) {
        const std::vector<GitCommit> pending = loader_.pending();
        result_.commits = history_.size();
        result_.known_commits = history_.size() - pending.size();
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
        if (result_.replaced > swept_) {
            sweep(database_);
            swept_ = result_.replaced;
            loader_.forget_remembered();
        }
        transaction_->commit();
        transaction_.reset();
    }

    // If a commit can't be read, the run ends, and the commits before it stay in the ledger.
    void load_or_keep(const GitCommit& commit) {
        const std::string savepoint = CommitLoader::savepoint;
        database_.exec("SAVEPOINT " + savepoint);
        try {
            loader_.load(commit, result_);
        } catch (const InputError&) {
            database_.exec("ROLLBACK TO " + savepoint);
            end_group();
            throw;
        }
        database_.exec("RELEASE " + savepoint);
    }

    SQLite::Database& database_;
    GitRepository repository_;
    std::vector<GitCommit> history_;
    std::optional<std::int64_t> data_version_;  // nullopt: nothing is remembered
    std::size_t swept_ = 0;                     // result_.replaced at the last sweep()
    Clock::time_point group_begin_;
    std::optional<WriteTransaction> transaction_;
    HistoryResult result_;
    CommitLoader loader_;
};

std::string folder_in_repository(const std::string& folder) {
    std::string path = std::filesystem::path(folder).lexically_normal().generic_string();
    while (path.ends_with('/') && path.size() > 1) {
        path.pop_back();
    }
    if (path.starts_with('/') || path == ".." || path.starts_with("../")) {
        throw UsageError(
            fmt::format("--path '{}': expected a folder below the top of the repository", folder));
    }
    return path == "." ? "" : path;
}

}  // namespace

HistoryResult ingest_history(SQLite::Database& database, const HistoryOptions& options,
                             const Progress& progress) {
    HistoryOptions checked = options;
    checked.folder = folder_in_repository(options.folder);
    HistoryRun run(database, checked);
    HistoryResult result = run.run(progress);
    if (result.commits > 0 && result.known_commits == 0 && result.page_commits == 0) {
        auto lines = result.bad_pages;
        lines.push_back(fmt::format("{}: no commit of {} has package pages{}", checked.repository,
                                    checked.revision,
                                    checked.folder.empty() ? "" : " in " + checked.folder));
        throw InputError(lines);
    }
    return result;
}

}  // namespace cacheledger
