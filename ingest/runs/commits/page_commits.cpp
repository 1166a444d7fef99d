#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/runs/commits/commit_loader.hpp"
#include "ingest/sources/git/tree_walk.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

namespace {

// A commit usually changes a few of a tag's pages. If the newest state of the tag's series is that
// of the tree before the commit, only the changed pages are given to the load, and the load is told
// once that all others stay. Otherwise all pages of the tag are given.
class PageCommits : public CommitLoader {
  public:
    PageCommits(SQLite::Database& database, const HistoryOptions& options)
        : CommitLoader(database, options),
          ledger_(database),
          walk_(repository_, options_.path, find_page(), options_.jobs) {}

  private:
    // The state of one commit, and which part of it is loaded.
    struct PageStep : Step {
        std::set<std::string> given = {};               // paths that the load has taken
        std::map<std::string, std::size_t> specs = {};  // of the good pages, by tag
        TreeWalk::Touched touched = {};
        std::set<std::string> tags = {};  // tags to load
        bool has_bad_pages = false;       // that the commit changed
    };

    std::set<Digest> find_known() override { return log_.complete(options_.path); }
    std::set<std::string> tags_of(const GitCommit& commit) override;
    void load(const GitCommit& commit) override;
    void forget_remembered() override {
        CommitLoader::forget_remembered();
        in_force_.clear();
    }

    FindKnown find_page() {
        return [this](const Digest& digest) { return ledger_.find(digest); };
    }
    void walk_to(PageStep& step, Load& load);
    void give(const PageState& state, PageStep& step, Load& load);
    bool keep_others(const std::string& tag, PageStep& step, Load& load);
    void give_rest(PageStep& step, Load& load);
    void note_in_force(const PageStep& step, const Load* load);

    PageLookup ledger_;
    std::optional<TreeWalk> side_walk_;  // to commits that are not loaded, and share a second
    // The tags whose pages in the walk's tree are the newest state of their series, and all good.
    std::set<std::string> in_force_;
    TreeWalk walk_;
};

std::set<std::string> PageCommits::tags_of(const GitCommit& commit) {
    if (known_.contains(commit.id)) {
        return log_.tags(commit.id, options_.path);
    }
    if (!side_walk_) {
        side_walk_.emplace(repository_, options_.path, find_page(), options_.jobs);
    }
    const auto drop = [](const PageState&) {};
    if (side_walk_->tree() != commit.parent_tree) {
        side_walk_->go_to(commit.parent_tree, drop);
    }
    return side_walk_->go_to(commit.tree, drop).tags;
}

void PageCommits::load(const GitCommit& commit) {
    PageStep step{begin(commit)};
    const auto load = load_commit(step, [&](Load& to_fill, bool is_again) {
        if (is_again) {
            step.given.clear();
            step.specs.clear();
        } else {
            walk_to(step, to_fill);
        }
        if (!step.tags.empty()) {
            give_rest(step, to_fill);
        }
        return !step.tags.empty();
    });
    note_in_force(step, load.get());
    std::size_t specs = 0;
    for (const auto& [tag, number] : step.specs) {
        specs += number;
    }
    record(step, load.get(), specs);
}

// Gives the changed pages of the commit to the load, and notes which tags it touched.
void PageCommits::walk_to(PageStep& step, Load& load) {
    const GitCommit& commit = step.commit;
    try {
        if (walk_.tree() != commit.parent_tree) {
            in_force_.clear();
            walk_.go_to(commit.parent_tree, [](const PageState&) {});
        }
        step.touched = walk_.go_to(commit.tree, [&](const PageState& state) {
            if (const auto* const bad = std::get_if<BadPage>(&state.content)) {
                // Loaded later, when the whole tree is known and shows the tag of the page.
                step.has_bad_pages = true;
                result_.problems.push_back(
                    fmt::format("commit {}: {}", short_name_of(commit), bad->problem.message()));
            } else {
                give(state, step, load);
            }
        });
    } catch (const Problem& problem) {
        throw InputError(fmt::format("{}: commit {}: {}", repository_.path(), short_name_of(commit),
                                     problem.in_place()));
    }
    moments_.note(commit, step.touched.tags);
    for (const std::string& tag : step.touched.tags) {
        // If a commit removes a dated tag, the snapshot at its date stays.
        const bool is_gone = moment_of_tag(tag) && walk_.pages().paths(tag).empty();
        if (!is_gone && is_wanted(tag, step, load)) {
            step.tags.insert(tag);
        }
    }
}

// Gives one page of the commit's tree to the load.
void PageCommits::give(const PageState& state, PageStep& step, Load& load) {
    const std::string& path = state.place.path;
    const auto* const page = std::get_if<Page>(&state.content);
    if (page == nullptr) {
        step.given.insert(path);
        load.take(state);
        return;
    }
    const std::string tag = page->tag_to_load();
    if (!is_wanted(tag, step, load)) {
        return;
    }
    step.given.insert(path);
    // If a package has several pages, the first path counts, not the page that changed last.
    if (const auto first = walk_.pages().first_path(tag, page->package); first != path) {
        load.take(
            {state.place, second_page(*page, path, first, snapshot_name_of(tag, step.commit))});
    } else {
        step.specs[tag] += page->num_specs;
        if (!load.take(state)) {
            load.take(walk_.read(state));
        }
    }
}

// Says once that the unchanged pages of the tag stay, where that is so. What the commit touched was
// given before, or is dropped here.
bool PageCommits::keep_others(const std::string& tag, PageStep& step, Load& load) {
    const auto& packages = step.touched.packages[tag];
    if (!in_force_.contains(tag) || step.has_bad_pages ||
        !walk_.pages().paths(std::nullopt).empty()) {
        return false;
    }
    if (std::any_of(packages.begin(), packages.end(), [&](const std::string& package) {
            return walk_.pages().num_paths(tag, package) > 1;
        })) {
        return false;
    }
    if (!load.keep_others(tag)) {
        return false;
    }
    for (const std::string& package : packages) {
        if (walk_.pages().num_paths(tag, package) == 0) {
            load.drop(tag, package);
        }
    }
    step.specs[tag] = walk_.pages().num_specs(tag);
    return true;
}

// Gives the load the unchanged pages of the tags that the commit touched.
void PageCommits::give_rest(PageStep& step, Load& load) {
    const auto give_one = [&](const std::string& path) {
        if (!step.given.contains(path)) {
            give(walk_.state_at(path), step, load);
        }
    };
    for (const std::string& tag : step.tags) {
        load.touch(tag);
        if (!keep_others(tag, step, load)) {
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

void PageCommits::note_in_force(const PageStep& step, const Load* load) {
    for (const std::string& tag : step.touched.tags) {
        in_force_.erase(tag);
    }
    for (const std::string& tag : step.tags) {
        if (!moment_of_tag(tag) && load->is_in_force(tag)) {
            in_force_.insert(tag);
        }
    }
}

}  // namespace

std::unique_ptr<CommitLoader> load_pages_of(SQLite::Database& database,
                                            const HistoryOptions& options) {
    return std::make_unique<PageCommits>(database, options);
}

}  // namespace cacheledger
