#include "ingest/runs/commits/commits.hpp"

#include <fmt/format.h>

#include "ingest/bytes/problems/problem.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

namespace {

// The history of a revision, with what a range like A..B leaves out.
std::vector<GitCommit> whole_history(const GitRepository& repository, const std::string& revision,
                                     const std::vector<GitCommit>& history) {
    const std::size_t dots = revision.find("..");
    if (dots == std::string::npos) {
        return history;
    }
    const std::string last = revision.substr(dots + 2);
    return repository.first_parent_history(last.empty() ? "HEAD" : last);
}

}  // namespace

Commits::Commits(SQLite::Database& database, HistoryOptions of_run, CommitMoments::TagsOf tags_of)
    : options(std::move(of_run)),
      repository(options.repository),
      history(repository.first_parent_history(options.revision)),
      log_(database),
      whole_(whole_history(repository, options.revision, history)),
      known_(options.tag ? log_.with_tag(options.path, *options.tag) : log_.complete(options.path)),
      moments_(whole_, [this, tags_of = std::move(tags_of)](const GitCommit& commit) {
          return known_.contains(commit.id) ? log_.tags(commit.id, options.path) : tags_of(commit);
      }) {
    for (const GitCommit& commit : history) {
        positions_.emplace(commit.id, positions_.size());
        if (!known_.contains(commit.id)) {
            pending_.push_back(commit);
        }
    }
    result.commits = history.size();
    result.known_commits = history.size() - pending_.size();
}

std::optional<NextCommit> Commits::next() {
    NextCommit commit;
    if (!again_.empty()) {
        commit = {again_.front()};
        again_.pop_front();
    } else if (given_ < pending_.size()) {
        commit = {pending_[given_++]};
    } else {
        return std::nullopt;
    }
    commit.known_tags = log_.tags(commit.id, options.path);
    return commit;
}

Moment Commits::moment_of(const GitCommit& commit, const std::string& tag) {
    const auto dated = moment_of_tag(tag);
    return dated ? *dated : moments_.of(commit, tag);
}

// Whether `other` comes after `commit`, which is of this run: of several commits at one moment the
// last one in history counts. Asks the repository, which may walk far, only about commits that are
// not in this run.
bool Commits::is_later(const Digest& other, const Digest& commit) {
    const auto found = positions_.find(other);
    if (found != positions_.end()) {
        return found->second > positions_.at(commit);
    }
    const auto [answer, is_new] = after_last_.try_emplace(other, false);
    if (is_new) {
        answer->second = repository.is_later(other, history.back().id);
    }
    return answer->second;
}

bool Commits::is_wanted(const std::string& tag, NextCommit& commit, Load& load) {
    if (commit.known_tags.contains(tag)) {
        return false;
    }
    const auto [later, is_new] = commit.later.try_emplace(tag);
    if (is_new) {
        const std::string name = snapshot_name(tag, moment_of(commit, tag));
        bool replaces = false;
        for (const auto& [other, place] : log_.commits_of(name, options.path)) {
            if (is_later(other, commit.id)) {
                later->second = other;
            }
            replaces = replaces || !place.forgotten;
        }
        if (replaces && !later->second) {
            load.replace(name);
        }
    }
    return !later->second;
}

void Commits::record(const NextCommit& commit, const Load* load) {
    std::map<std::string, CommitLog::Place> places;
    if (load != nullptr) {
        const IngestResult& loaded = load->result();
        for (const auto& [tag, snapshot_id] : loaded.snapshots) {
            places[tag] = {snapshot_id};
        }
        result.loaded += loaded.loaded.size();
        result.unchanged += loaded.unchanged.size();
        result.replaced += loaded.replaced.size();
        // Those from the moment of this one on come next, in their order.
        const auto later =
            std::stable_partition(waiting_.begin(), waiting_.end(), [&](const GitCommit& other) {
                return moment_of(other, *options.tag) < moment_of(commit, *options.tag);
            });
        again_.insert(again_.begin(), later, waiting_.end());
        waiting_.erase(later, waiting_.end());
    }
    // Asked now: the load may have replaced the snapshot. That keeps the rows of its commits.
    for (const auto& [tag, other] : commit.later) {
        if (other) {
            places[tag] = log_.place_of(*other, options.path, tag).value();
        }
    }
    if (!places.empty()) {
        log_.add(commit.id, options.path, places, commit.known_tags.size() + places.size());
        ++result.touching_commits;
        for (const auto& [tag, specs] : commit.specs) {
            result.specs += specs;
        }
    }
}

std::set<std::string> Commits::recorded_tags() {
    std::set<std::string> tags;
    for (const GitCommit& commit : history) {
        tags.merge(log_.tags(commit.id, options.path));
    }
    return tags;
}

}  // namespace cacheledger
