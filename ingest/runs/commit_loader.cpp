#include "ingest/runs/commit_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "ingest/commits/about_commit.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/tag.hpp"

namespace cacheledger {

// The state of one commit, and which part of it is loaded.
struct CommitLoader::Step {
    const GitCommit& commit;
    std::set<std::string> known_tags = {};  // already in the ledger
    std::map<std::string, Digest> later =
        {};                               // later commits that give or gave the snapshot, by tag
    std::set<std::string> asked = {};     // tags that were looked up for `later`
    std::set<std::string> replaced = {};  // names of snapshots to replace
    std::unique_ptr<Load> load = {};
    std::set<std::string> given = {};               // paths that the load has taken
    std::map<std::string, std::size_t> specs = {};  // of the good pages in each snapshot, by tag
    TreeWalk::Touched touched = {};
    std::set<std::string> tags = {};      // tags to load
    std::vector<Problem> bad_pages = {};  // one for each that the commit changed
};

CommitLoader::CommitLoader(SQLite::Database& database, const HistoryOptions& options,
                           const GitRepository& repository, const std::vector<GitCommit>& history,
                           const std::vector<GitCommit>& whole)
    : database_(database),
      options_(options),
      repository_(repository),
      history_commits_(history),
      ledger_(database),
      log_(database),
      order_(repository, history),
      moments_(whole, [this](const GitCommit& commit) { return tags_of(commit); }),
      walk_(
          repository_, options.folder,
          [this](const Digest& digest) { return ledger_.find(digest); }, options.jobs) {}

std::vector<GitCommit> CommitLoader::pending() {
    complete_ = log_.complete(options_.folder);
    std::vector<GitCommit> pending;
    std::copy_if(history_commits_.begin(), history_commits_.end(), std::back_inserter(pending),
                 [&](const GitCommit& commit) { return !complete_.contains(commit.id); });
    return pending;
}

std::string CommitLoader::snapshot_name_of(const std::string& tag, const GitCommit& commit) {
    const auto dated = moment_of_tag(tag);
    return snapshot_name(tag, dated ? *dated : moments_.of(commit, tag));
}

std::set<std::string> CommitLoader::tags_of(const GitCommit& commit) {
    if (complete_.contains(commit.id)) {
        return log_.tags(commit.id, options_.folder);
    }
    const auto find_known = [this](const Digest& digest) { return ledger_.find(digest); };
    if (!side_walk_) {
        side_walk_.emplace(repository_, options_.folder, find_known, options_.jobs);
    }
    const auto drop = [](const PageState&) {};
    if (side_walk_->tree() != commit.parent_tree) {
        side_walk_->go_to(commit.parent_tree, drop);
    }
    return side_walk_->go_to(commit.tree, drop).tags;
}

void CommitLoader::forget_remembered() {
    new_specs_before_ = new_specs_;
    dictionary_.emplace(database_);
    history_.emplace(database_);
    in_force_.clear();
}

LoadOptions CommitLoader::load_options(const GitCommit& commit) {
    LoadOptions options;
    options.source = source_of(repository_, commit);
    options.keep_going = true;
    options.replace = true;
    options.keep_commits_of = options_.folder;
    options.moment_of = [this, commit](const std::string& tag) {
        const Moment moment = moments_.of(commit, tag);
        return SnapshotMoment{moment, about_moment(commit, moment)};
    };
    return options;
}

// Whether this commit gives the snapshot of the tag. It does not if the ledger already has that
// snapshot from this commit, or from a later one at the same moment, or had it until a rule removed
// it: commits may be loaded in any order.
bool CommitLoader::is_wanted(const std::string& tag, Step& step) {
    if (step.known_tags.contains(tag)) {
        return false;
    }
    if (step.asked.insert(tag).second) {
        const std::string name = snapshot_name_of(tag, step.commit);
        for (const auto& [other, place] : log_.commits_of(name, options_.folder)) {
            if (order_.is_later(other, step.commit.id)) {
                step.later[tag] = other;
            }
            if (!place.forgotten) {
                step.replaced.insert(name);
            }
        }
    }
    return !step.later.contains(tag);
}

void CommitLoader::load(const GitCommit& commit, HistoryResult& result) {
    Step step{commit};
    step.known_tags = log_.tags(commit.id, options_.folder);
    step.load = std::make_unique<Load>(database_, *dictionary_, *history_, load_options(commit),
                                       step.replaced);
    try {
        walk_to(commit, step);
    } catch (const Problem& problem) {
        throw InputError(fmt::format("{}: commit {}: {}", repository_.path(), short_name_of(commit),
                                     problem.in_place()));
    }
    for (const Problem& problem : step.bad_pages) {
        result.problems.push_back(
            fmt::format("commit {}: {}", short_name_of(commit), problem.message()));
    }
    if (!step.tags.empty()) {
        give_rest(step);
        step.load->finish();
        if (!step.load->to_replace().empty()) {
            load_again(step);
        }
    }
    note_in_force(step);
    record(step, result);
    new_specs_ = new_specs_before_ + dictionary_->new_specs();
    result.new_specs = new_specs_;
}

// Gives the changed pages of the commit to the load, and notes which tags it touched.
void CommitLoader::walk_to(const GitCommit& commit, Step& step) {
    if (walk_.tree() != commit.parent_tree) {
        in_force_.clear();
        walk_.go_to(commit.parent_tree, [](const PageState&) {});
    }
    step.touched = walk_.go_to(commit.tree, [&](const PageState& state) {
        if (const auto* const bad = std::get_if<BadPage>(&state.content)) {
            // Loaded later, when the whole tree is known and shows the tag of the page.
            step.bad_pages.push_back(bad->problem);
        } else {
            give(state, step);
        }
    });
    moments_.note(commit, step.touched.tags);
    for (const std::string& tag : step.touched.tags) {
        // If a commit removes a dated tag, the snapshot at its date stays.
        const bool is_gone = moment_of_tag(tag) && walk_.pages().paths(tag).empty();
        if (!is_gone && is_wanted(tag, step)) {
            step.tags.insert(tag);
        }
    }
}

// Gives one page of the commit's tree to the load.
void CommitLoader::give(const PageState& state, Step& step) {
    const std::string& path = state.place.path;
    const PageHead* const page = head_of(state.content);
    if (page == nullptr) {
        step.given.insert(path);
        step.load->take(state);
        return;
    }
    const std::string tag = page->tag_to_load();
    if (!is_wanted(tag, step)) {
        return;
    }
    step.given.insert(path);
    // If a package has several pages, the first path counts, not the page that changed last.
    if (const auto first = walk_.pages().first_path(tag, page->package); first != path) {
        step.load->take(
            {state.place, second_page(*page, path, first, snapshot_name_of(tag, step.commit))});
    } else {
        step.specs[tag] += page->num_specs;
        step.load->take(state);
    }
}

// Says once that the unchanged pages of the tag stay, where that is so. What the commit touched was
// given before, or is dropped here.
bool CommitLoader::keep_others(const std::string& tag, Step& step) {
    const auto& packages = step.touched.packages[tag];
    if (!in_force_.contains(tag) || !step.bad_pages.empty() ||
        !walk_.pages().paths(std::nullopt).empty()) {
        return false;
    }
    if (std::any_of(packages.begin(), packages.end(), [&](const std::string& package) {
            return walk_.pages().num_paths(tag, package) > 1;
        })) {
        return false;
    }
    if (!step.load->keep_others(tag)) {
        return false;
    }
    for (const std::string& package : packages) {
        if (walk_.pages().num_paths(tag, package) == 0) {
            step.load->drop(tag, package);
        }
    }
    step.specs[tag] = walk_.pages().num_specs(tag);
    return true;
}

// Gives the load the unchanged pages of the tags that the commit touched.
void CommitLoader::give_rest(Step& step) {
    const auto give_one = [&](const std::string& path) {
        if (!step.given.contains(path)) {
            give(walk_.state_at(path), step);
        }
    };
    for (const std::string& tag : step.tags) {
        step.load->touch(tag);
        if (!keep_others(tag, step)) {
            for (const std::string& path : walk_.pages().paths(tag)) {
                give_one(path);
            }
        }
    }
    for (const std::string& path : walk_.pages().paths(std::nullopt)) {
        const auto tag = walk_.pages().tag_of(*walk_.pages().find(path), step.touched.tags);
        if (!tag || step.tags.contains(*tag)) {
            give_one(path);
        }
    }
}

// Loads the commit once more, with the existing snapshots that differ from it as snapshots to
// replace.
void CommitLoader::load_again(Step& step) {
    step.replaced.merge(std::set(step.load->to_replace()));
    database_.exec(fmt::format("ROLLBACK TO {}", savepoint));
    forget_remembered();
    step.load = std::make_unique<Load>(database_, *dictionary_, *history_,
                                       load_options(step.commit), step.replaced);
    step.given.clear();
    step.specs.clear();
    give_rest(step);
    step.load->finish();
}

void CommitLoader::note_in_force(const Step& step) {
    for (const std::string& tag : step.touched.tags) {
        in_force_.erase(tag);
    }
    for (const std::string& tag : step.tags) {
        if (!moment_of_tag(tag) && step.load->is_in_force(tag)) {
            in_force_.insert(tag);
        }
    }
}

void CommitLoader::record(const Step& step, HistoryResult& result) {
    const LoadResult& load = step.load->result();
    std::map<std::string, CommitLog::Place> places;
    for (const auto& [tag, snapshot_id] : load.snapshots) {
        places[tag] = {snapshot_id};
    }
    // Asked now: the load may have replaced the snapshot. That keeps the rows of its commits.
    for (const auto& [tag, other] : step.later) {
        places[tag] = log_.place_of(other, options_.folder, tag).value();
    }
    if (places.empty()) {
        return;
    }
    log_.add(step.commit.id, options_.folder, places, step.known_tags.size() + places.size());
    ++result.touching_commits;
    for (const auto& [tag, specs] : step.specs) {
        result.specs += specs;
    }
    result.loaded += load.loaded.size();
    result.unchanged += load.unchanged.size();
    result.replaced += load.replaced.size();
}

}  // namespace cacheledger
