#include "ingest/runs/commits/commit_moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "schema/text/digest.hpp"

namespace cacheledger {

namespace {

// The first moment from `moment` on that is not taken, and takes it. `next`: of a moment that is
// taken, one that may be free. Where the years with four digits end, the last second is shared.
template <typename Map>
Moment take_free(Map& next, Moment moment) {
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

}  // namespace

CommitMoments::CommitMoments(const std::vector<GitCommit>& history, TagsOf tags_of)
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
    std::sort(taken.begin(), taken.end());
    for (auto first = taken.begin(); first != taken.end();) {
        auto last = first + 1;
        while (last != taken.end() && last->first <= std::prev(last)->first + 1) {
            ++last;
        }
        if (std::any_of(first, last,
                        [&](const auto& one) { return one.first != history[one.second].time; })) {
            Crowd& crowd = crowds_.emplace_back();
            std::transform(first, last, std::back_inserter(crowd),
                           [](const auto& one) { return one.second; });
            std::sort(crowd.begin(), crowd.end());
            for (const std::size_t commit : crowd) {
                crowded_[history[commit].id] = {commit, crowds_.size() - 1};
            }
        }
        first = last;
    }
}

const std::set<std::string>& CommitMoments::tags_of(std::size_t commit) {
    const auto [known, is_new] = tags_.try_emplace(commit);
    if (is_new) {
        known->second = ask_tags_(history_[commit]);
    }
    return known->second;
}

void CommitMoments::note(const GitCommit& commit, const std::set<std::string>& tags) {
    if (const auto found = crowded_.find(commit.id); found != crowded_.end()) {
        tags_.try_emplace(found->second.first, tags);
    }
}

Moment CommitMoments::of(const GitCommit& commit, const std::string& tag) {
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

std::string short_name_of(const GitCommit& commit) {
    return to_hex(commit.id).substr(0, 10);
}

std::optional<PageFinding> about_moment(const GitCommit& commit, Moment moment) {
    std::string text;
    const char* const problem = commit.is_far ? "the committer's time is not in the years 0 to 9999"
                                              : "the committer's time can't be read";
    switch (commit.time_of) {
        case TimeOf::committer:
            break;
        case TimeOf::author:
            text = fmt::format("{}, the moment is its author's", problem);
            break;
        case TimeOf::parent:
            text = fmt::format("{}{}; the moment is that of the commit before it", problem,
                               commit.is_far ? "" : ", nor its author's");
            break;
        case TimeOf::nobody:
            text =
                fmt::format("{}{}, and no commit is before it; the moment is 1970-01-01T00:00:00Z",
                            problem, commit.is_far ? "" : ", nor its author's");
            break;
    }
    const Moment later = moment - commit.time;
    const std::string place = "commit " + short_name_of(commit);
    if (later == 0) {
        return text.empty() ? std::nullopt
                            : std::optional(PageFinding{"time-unreadable", place, text});
    }
    const std::string shared =
        fmt::format("an earlier snapshot has this second; the snapshot is {} second{} later", later,
                    later == 1 ? "" : "s");
    return text.empty() ? PageFinding{"time-shared", place, shared}
                        : PageFinding{"time-unreadable", place, text + "; " + shared};
}

std::vector<GitCommit> whole_history(const GitRepository& repository, const std::string& revision,
                                     const std::vector<GitCommit>& history) {
    const std::size_t dots = revision.find("..");
    if (dots == std::string::npos) {
        return history;
    }
    const std::string last = revision.substr(dots + 2);
    return repository.first_parent_history(last.empty() ? "HEAD" : last);
}

}  // namespace cacheledger
