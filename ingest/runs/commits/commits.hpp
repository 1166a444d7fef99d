#pragma once

#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
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
#include "schema/ledger/names/moment.hpp"
#include "schema/text/digest.hpp"

// How a history is loaded: Commits gives one commit after the other, CommitContents reads what
// is in one, and ingest_history() gives that to a Load. For .cpp files only.
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
        for (std::size_t commit = 0; commit < history.size(); ++commit) {
            taken.emplace_back(take_free(next, history[commit].time), commit);
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

/// A commit to load, and what of it is loaded.
struct NextCommit : GitCommit {
    std::set<std::string> known_tags = {};  ///< already in the ledger
    /// Of each tag that was asked for, a later commit that gives or gave the snapshot.
    std::map<std::string, std::optional<Digest>> later = {};
    std::map<std::string, std::size_t> specs = {};  ///< of what is loaded, by tag
};

/// The commits of a history that need not be skipped, oldest first: a source, whose next() gives
/// one after the other. It knows which snapshots of a commit are wanted, and records them.
class Commits {
  public:
    /// Throws UsageError for an unknown revision, InputError if the repository can't be read.
    /// `database` must outlive this. `tags_of`: not called for commits that are in the ledger.
    Commits(SQLite::Database& database, HistoryOptions of_run, CommitMoments::TagsOf tags_of);

    const HistoryOptions options;
    const GitRepository repository;
    const std::vector<GitCommit> history;  ///< all commits of the run, oldest first
    HistoryResult result;                  ///< new_specs aside

    /// The number of commits to load, and how many of them next() gave.
    std::size_t size() const { return pending_.size(); }
    std::size_t num_given() const { return given_; }

    /// nullopt: that was all.
    std::optional<NextCommit> next();

    /// The commit is without a file that can be read, and without a snapshot before its own. With a
    /// clock that went back, a later commit may make that snapshot: then next() gives it again.
    void put_off(const GitCommit& commit) { waiting_.push_back(commit); }

    /// Of a dated tag it is its date.
    Moment moment_of(const GitCommit& commit, const std::string& tag);

    /// As in CommitMoments.
    void note_tags(const GitCommit& commit, const std::set<std::string>& tags) {
        moments_.note(commit, tags);
    }

    /// Whether this commit gives the snapshot of the tag. It does not if the ledger already has
    /// that snapshot from this commit, or from a later one at the same moment, or had it until a
    /// rule removed it: commits may be loaded in any order. `load`: replaces the snapshot if
    /// another commit gave it.
    bool is_wanted(const std::string& tag, NextCommit& commit, Load& load);

    /// Records what was loaded of the commit, and that later ones gave the rest. `load`: nullptr
    /// if nothing was.
    void record(const NextCommit& commit, const Load* load);

    /// The tags of all commits of the run that are in the ledger.
    std::set<std::string> recorded_tags();

    /// REPO@ID, for the column `source`.
    std::string source_of(const GitCommit& commit) const {
        return repository.path() + "@" + to_hex(commit.id);
    }

  private:
    bool is_later(const Digest& other, const Digest& commit);

    CommitLog log_;
    const std::vector<GitCommit> whole_;  // with those before the run
    const std::set<Digest> known_;        // commits in the ledger
    CommitMoments moments_;
    std::vector<GitCommit> pending_;
    std::size_t given_ = 0;        // of `pending_`
    std::deque<GitCommit> again_;  // come before the rest of `pending_`
    std::vector<GitCommit> waiting_;
    std::map<Digest, std::size_t> positions_;  // in `history`
    std::map<Digest, bool> after_last_;        // other commits: whether they come after the last
};

/// What commits have for a load. This is all in which pages and files differ.
struct CommitContents {
    /// The mutable tags of which a commit touched something.
    CommitMoments::TagsOf tags_of;

    /// Gives a load what a commit has. False: nothing is to be loaded. If the load is undone, it is
    /// called again with the next one (load_and_replace()). Throws InputError if the commit can't
    /// be read, UsageError if the ledger can't take it.
    using Give = std::function<bool(Load& load)>;

    /// What gives the commit, which must outlive it, to a load; empty if there is nothing.
    std::function<Give(NextCommit& commit)> open;

    /// Says what became of that, when the load has ended.
    std::function<void(const Load& load)> note_loaded = [](const Load&) {};

    /// Forgets what is remembered of the ledger. To be called after a rollback, and if another
    /// process wrote to the ledger, or rows were deleted.
    std::function<void()> forget = [] {};
};

/// The pages that commits touched, or, with options.tag, one file. Both arguments must outlive the
/// result. Throws UsageError if threads can't be started.
CommitContents pages_of(Commits& commits, SQLite::Database& database);
CommitContents file_of(Commits& commits, SQLite::Database& database);

}  // namespace cacheledger
