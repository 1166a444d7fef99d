#pragma once

#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/runs/commits/history.hpp"
#include "ingest/snapshots/load.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"
#include "schema/text/digest.hpp"

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
    CommitMoments(const std::vector<GitCommit>& history, TagsOf tags_of)
        : history_(history), ask_tags_(std::move(tags_of)) {
        std::unordered_map<Moment, Moment> next;
        next.reserve(history.size());
        std::vector<std::pair<Moment, std::size_t>> taken;
        taken.reserve(history.size());
        bool is_crowded = false;
        for (std::size_t commit = 0; commit < history.size(); ++commit) {
            taken.emplace_back(take_free(next, history[commit].time), commit);
            is_crowded = is_crowded || taken.back().first != history[commit].time;
        }
        if (!is_crowded) {
            return;
        }
        std::ranges::sort(taken);
        for (auto first = taken.begin(); first != taken.end();) {
            auto last = first + 1;
            while (last != taken.end() && last->first <= std::prev(last)->first + 1) {
                ++last;
            }
            if (std::any_of(first, last, [&](const auto& one) {
                    return one.first != history[one.second].time;
                })) {
                Crowd& crowd = crowds_.emplace_back();
                std::transform(first, last, std::back_inserter(crowd),
                               [](const auto& one) { return one.second; });
                std::ranges::sort(crowd);
                for (const std::size_t commit : crowd) {
                    crowded_[history[commit].id] = {commit, crowds_.size() - 1};
                }
            }
            first = last;
        }
    }

    /// Says what a commit touched, so that it is not asked.
    void note(const GitCommit& commit, const std::set<std::string>& tags) {
        if (const auto found = crowded_.find(commit.id); found != crowded_.end()) {
            tags_.try_emplace(found->second.first, tags);
        }
    }

    /// The commit must be in the history, and have touched the tag.
    Moment of(const GitCommit& commit, const std::string& tag) {
        const auto found = crowded_.find(commit.id);
        if (found == crowded_.end()) {
            return commit.time;
        }
        const auto [place, number] = found->second;
        Given& given = given_[{number, tag}];
        for (const Crowd& crowd = crowds_[number];
             given.commits < crowd.size() && crowd[given.commits] <= place; ++given.commits) {
            const std::size_t other = crowd[given.commits];
            if (other == place || tags_of(other).contains(tag)) {
                given.moments[other] = take_free(given.next, history_[other].time);
            }
        }
        const auto moment = given.moments.find(place);
        return moment == given.moments.end() ? commit.time : moment->second;
    }

  private:
    // Commits at seconds without a gap, if each took one, in git's order.
    using Crowd = std::vector<std::size_t>;

    // The moments of the first commits of a crowd that touched a tag.
    struct Given {
        std::size_t commits = 0;
        std::map<std::size_t, Moment> moments;  // by commit
        std::map<Moment, Moment> next;          // a moment that is taken, one that may be free
    };

    // The first moment from `moment` on that is not taken, and takes it. `next`: of a moment that
    // is taken, one that may be free. Where the years with four digits end, the last second is
    // shared.
    template <typename Map>
    static Moment take_free(Map& next, Moment moment) {
        Moment free = moment;
        for (auto found = next.find(free); found != next.end(); found = next.find(free)) {
            free = found->second;
        }
        if (free > last_moment) {
            return last_moment;
        }
        next[free] = free + 1;
        for (Moment at = moment; at != free;) {  // so the way is short the next time
            at = std::exchange(next[at], free + 1);
        }
        return free;
    }

    const std::set<std::string>& tags_of(std::size_t commit) {
        const auto [known, is_new] = tags_.try_emplace(commit);
        if (is_new) {
            known->second = ask_tags_(history_[commit]);
        }
        return known->second;
    }

    const std::vector<GitCommit>& history_;
    TagsOf ask_tags_;
    std::vector<Crowd> crowds_;
    std::map<Digest, std::pair<std::size_t, std::size_t>> crowded_;  // a commit, its crowd
    std::map<std::size_t, std::set<std::string>> tags_;
    std::map<std::pair<std::size_t, std::string>, Given> given_;  // by crowd and tag
};

/// The first ten digits of its id.
inline std::string short_name_of(const GitCommit& commit) {
    return to_hex(commit.id).substr(0, 10);
}

/// Loads the commits of a history, in groups. What a commit gives is the business of the two
/// derived classes (commit_inputs.cpp); which snapshots of it are wanted, what they replace and how
/// they are recorded is decided here.
class CommitLoader {
  public:
    /// Throws UsageError for an unknown revision, InputError if the repository can't be read.
    /// `database` must outlive the loader.
    CommitLoader(SQLite::Database& database, HistoryOptions options);
    virtual ~CommitLoader() = default;
    CommitLoader(const CommitLoader&) = delete;
    CommitLoader& operator=(const CommitLoader&) = delete;

    /// As ingest_history(). To be called once.
    HistoryResult run(const Progress& progress);

    const GitRepository& repository() const { return repository_; }

    /// The commits of the run, oldest first.
    const std::vector<GitCommit>& history() const { return history_; }

  protected:
    /// A commit, and what of it is loaded.
    struct Step {
        GitCommit commit;
        std::set<std::string> known_tags = {};  ///< already in the ledger
        /// Later commits that give or gave the snapshot, by tag.
        std::map<std::string, Digest> later = {};
        std::set<std::string> asked = {};               ///< tags that were looked up for `later`
        std::map<std::string, std::size_t> specs = {};  ///< of what is loaded, by tag
    };

    /// The mutable tags of which a commit touched something.
    virtual std::set<std::string> tags_of(const GitCommit& commit) = 0;

    /// Loads a commit inside of a savepoint. Throws InputError if the commit can't be read,
    /// UsageError if the ledger can't take it.
    virtual void load(const GitCommit& commit) = 0;

    /// Forgets what is remembered of the ledger. Called before the first commit, after a rollback,
    /// and if another process wrote to the ledger, or rows were deleted.
    virtual void forget_remembered();

    Step begin(const GitCommit& commit);

    /// Whether this commit gives the snapshot of the tag. It does not if the ledger already has
    /// that snapshot from this commit, or from a later one at the same moment, or had it until a
    /// rule removed it: commits may be loaded in any order. `load`: replaces the snapshot if
    /// another commit gave it.
    bool is_wanted(const std::string& tag, Step& step, Load& load);

    /// REPO@ID, for the column `source`.
    std::string source_of(const GitCommit& commit) const;

    std::string snapshot_name_of(const std::string& tag, const GitCommit& commit);

    /// Gives a commit to a load. Returns false if there is nothing to load.
    using Give = std::function<bool(Load& load, bool is_again)>;

    /// Loads what `give` gives, which may be called twice (load_and_replace()). Returns nullptr,
    /// and nothing is written, if there is nothing.
    std::unique_ptr<Load> load_commit(const Step& step, const Give& give);

    /// Records what was loaded of the commit, and that later ones gave the rest. `load`: may be
    /// nullptr.
    void record(const Step& step, const Load* load);

    SQLite::Database& database_;
    const HistoryOptions options_;
    const GitRepository repository_;
    CommitLog log_;
    std::optional<Writing> writing_;
    std::set<Digest> known_;  ///< the commits that need not be loaded
    HistoryResult result_;
    const std::vector<GitCommit> history_;
    const std::vector<GitCommit> whole_;  ///< with those before the run
    CommitMoments moments_;

  private:
    void load_or_keep(const GitCommit& commit);
    std::set<std::string> recorded_tags();
    void begin_group();
    void end_group();
    bool is_later(const Digest& other, const Digest& commit);

    std::map<Digest, std::size_t> positions_;  // in history_
    std::map<Digest, bool> after_last_;        // other commits: whether they come after the last
    std::optional<WriteTransaction> transaction_;
    std::chrono::steady_clock::time_point group_begin_;
    std::int64_t new_specs_before_ = 0;         // written before the current writing_
    std::optional<std::int64_t> data_version_;  // nullopt: nothing is remembered
    bool leaves_over_ = false;                  // sweep() has something to do
};

/// Makes the one for the pages of commits, or, with options.tag, for one file of them. Throws like
/// the constructor.
std::unique_ptr<CommitLoader> commit_loader(SQLite::Database& database,
                                            const HistoryOptions& options);

}  // namespace cacheledger
