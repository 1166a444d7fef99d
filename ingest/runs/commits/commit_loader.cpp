#include "ingest/runs/commits/commit_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/sqlite/statements/rows.hpp"
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

using Clock = std::chrono::steady_clock;

// The time after which a group of commits is written. Commits of a group write a B-tree page that
// they share only once. An interruption loses the last group.
constexpr std::chrono::seconds group_time{2};

constexpr const char* savepoint_of_commit = "commit_of_history";
constexpr const char* savepoint_of_load = "load_of_commit";

void set_savepoint(SQLite::Database& database, const std::string& name) {
    database.exec("SAVEPOINT " + name);
}

void roll_back_to(SQLite::Database& database, const std::string& name) {
    database.exec("ROLLBACK TO " + name);
}

void release(SQLite::Database& database, const std::string& name) {
    database.exec("RELEASE " + name);
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

CommitLoader::CommitLoader(SQLite::Database& database, HistoryOptions options)
    : database_(database),
      options_(std::move(options)),
      repository_(options_.repository),
      log_(database),
      history_(repository_.first_parent_history(options_.revision)),
      whole_(whole_history(repository_, options_.revision, history_)),
      moments_(whole_, [this](const GitCommit& commit) { return tags_of(commit); }) {
    for (const GitCommit& commit : history_) {
        positions_.emplace(commit.id, positions_.size());
    }
}

HistoryResult CommitLoader::run(const Progress& progress) {
    known_ =
        options_.tag ? log_.with_tag(options_.path, *options_.tag) : log_.complete(options_.path);
    std::vector<GitCommit> pending;
    std::copy_if(history_.begin(), history_.end(), std::back_inserter(pending),
                 [&](const GitCommit& commit) { return !known_.contains(commit.id); });
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
        try {
            progress(i + 1, pending.size());
        } catch (...) {
            end_group();
            throw;
        }
    }
    record_check(*transaction_, database_, recorded_tags());
    end_group();
    return result_;
}

// Those that the commits of the history touched.
std::set<std::string> CommitLoader::recorded_tags() {
    std::set<std::string> tags;
    for (const GitCommit& commit : history_) {
        tags.merge(log_.tags(commit.id, options_.path));
    }
    return tags;
}

void CommitLoader::begin_group() {
    group_begin_ = Clock::now();
    transaction_.emplace(database_);
    // What is remembered is wrong if another process wrote to the ledger since the last group.
    const auto version = only_value<std::int64_t>(database_, "PRAGMA data_version");
    if (version != data_version_) {
        forget_remembered();
    }
    data_version_ = version;
}

void CommitLoader::end_group() {
    if (std::exchange(leaves_over_, false)) {
        sweep(database_);
        forget_remembered();
    }
    judge_wishes(database_);
    transaction_->commit();
    transaction_.reset();
}

// If a commit can't be loaded, the run ends, and the commits before it stay in the ledger.
void CommitLoader::load_or_keep(const GitCommit& commit) {
    set_savepoint(database_, savepoint_of_commit);
    const auto keep_others = [&] {
        roll_back_to(database_, savepoint_of_commit);
        end_group();
    };
    try {
        load(commit);
    } catch (const InputError&) {
        keep_others();
        throw;
    } catch (const UsageError&) {
        keep_others();
        throw;
    }
    release(database_, savepoint_of_commit);
}

void CommitLoader::forget_remembered() {
    new_specs_before_ = result_.new_specs;
    writing_.emplace(database_);
}

CommitLoader::Step CommitLoader::begin(const GitCommit& commit) {
    Step step;
    step.commit = commit;
    step.known_tags = log_.tags(commit.id, options_.path);
    return step;
}

std::string CommitLoader::snapshot_name_of(const std::string& tag, const GitCommit& commit) {
    const auto dated = moment_of_tag(tag);
    return snapshot_name(tag, dated ? *dated : moments_.of(commit, tag));
}

// Whether `other` comes after `commit`, which is of this run: of several commits at one moment the
// last one in history counts. Asks the repository, which may walk far, only about commits that are
// not in this run.
bool CommitLoader::is_later(const Digest& other, const Digest& commit) {
    const auto found = positions_.find(other);
    if (found != positions_.end()) {
        return found->second > positions_.at(commit);
    }
    const auto [answer, is_new] = after_last_.try_emplace(other, false);
    if (is_new) {
        answer->second = repository_.is_later(other, history_.back().id);
    }
    return answer->second;
}

bool CommitLoader::is_wanted(const std::string& tag, Step& step, Load& load) {
    if (step.known_tags.contains(tag)) {
        return false;
    }
    if (step.asked.insert(tag).second) {
        const std::string name = snapshot_name_of(tag, step.commit);
        bool replaces = false;
        for (const auto& [other, place] : log_.commits_of(name, options_.path)) {
            if (is_later(other, step.commit.id)) {
                step.later[tag] = other;
            }
            replaces = replaces || !place.forgotten;
        }
        if (replaces && !step.later.contains(tag)) {
            load.replace(name);
        }
    }
    return !step.later.contains(tag);
}

std::string CommitLoader::source_of(const GitCommit& commit) const {
    return fmt::format("{}@{}", repository_.path(), to_hex(commit.id));
}

std::unique_ptr<Load> CommitLoader::load_commit(const Step& step, const Give& give) {
    IngestOptions options;
    options.source = source_of(step.commit);
    options.keep_going = true;
    options.replace = true;
    options.keep_commits_of = options_.path;
    options.moment_of = [&](const std::string& tag) {
        const Moment moment = moments_.of(step.commit, tag);
        return SnapshotMoment{moment, about_moment(step.commit, moment)};
    };
    set_savepoint(database_, savepoint_of_load);
    bool is_again = false;
    bool has_changed = false;
    const auto undo = [&] {
        roll_back_to(database_, savepoint_of_load);
        forget_remembered();
    };
    auto load = load_and_replace(
        [&] {
            if (is_again) {
                undo();
            }
            return std::make_unique<Load>(*writing_, options);
        },
        [&](Load& to_fill) {
            const bool is_given = give(to_fill, std::exchange(is_again, true));
            has_changed = to_fill.has_changed();
            return is_given;
        });
    if (load) {
        leaves_over_ = leaves_over_ || load->leaves_over();
    } else if (has_changed) {
        undo();
    }
    release(database_, savepoint_of_load);
    return load;
}

void CommitLoader::record(const Step& step, const Load* load) {
    result_.new_specs = new_specs_before_ + writing_->dictionary.new_specs();
    std::map<std::string, CommitLog::Place> places;
    if (load != nullptr) {
        const IngestResult& loaded = load->result();
        for (const auto& [tag, snapshot_id] : loaded.snapshots) {
            places[tag] = {snapshot_id};
        }
        result_.loaded += loaded.loaded.size();
        result_.unchanged += loaded.unchanged.size();
        result_.replaced += loaded.replaced.size();
    }
    // Asked now: the load may have replaced the snapshot. That keeps the rows of its commits.
    for (const auto& [tag, other] : step.later) {
        places[tag] = log_.place_of(other, options_.path, tag).value();
    }
    if (!places.empty()) {
        log_.add(step.commit.id, options_.path, places, step.known_tags.size() + places.size());
        ++result_.touching_commits;
        for (const auto& [tag, specs] : step.specs) {
            result_.specs += specs;
        }
    }
}

}  // namespace cacheledger
