#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/runs/commits/commit_loader.hpp"
#include "ingest/sources/git/tree_walk.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

/// What commits give: the pages that they touched, or one file.
namespace cacheledger {

namespace {

/// Loads the pages of commits. Each tag whose pages a commit touched becomes a snapshot.
///
/// A commit usually changes a few of a tag's pages. If the newest state of the tag's series is that
/// of the tree before the commit, only the changed pages are given to the load, and the load is
/// told once that all others stay. Otherwise all pages of the tag are given.
class PageCommits : public CommitLoader {
  public:
    PageCommits(SQLite::Database& database, const HistoryOptions& options)
        : CommitLoader(database, options),
          ledger_(database),
          walk_(repository_, options_.path, find_page(), options_.jobs) {}

  private:
    // The state of one commit, and which part of it is loaded.
    struct PageStep : Step {
        std::set<std::string> given = {};  // paths that the load has taken
        TreeWalk::Touched touched = {};
        std::set<std::string> tags = {};  // tags to load
        bool has_bad_pages = false;       // that the commit changed
    };

    FindKnown find_page() {
        return [this](const Digest& digest) { return ledger_.find(digest); };
    }

    void forget_remembered() override {
        CommitLoader::forget_remembered();
        in_force_.clear();
    }

    std::set<std::string> tags_of(const GitCommit& commit) override {
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

    void load(const GitCommit& commit) override {
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
        for (const std::string& tag : step.touched.tags) {
            in_force_.erase(tag);
        }
        for (const std::string& tag : step.tags) {
            if (!moment_of_tag(tag) && load->is_in_force(tag)) {
                in_force_.insert(tag);
            }
        }
        record(step, load.get());
    }

    // Gives the changed pages of the commit to the load, and notes which tags it touched.
    void walk_to(PageStep& step, Load& load) {
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
                    result_.problems.push_back(fmt::format("commit {}: {}", short_name_of(commit),
                                                           bad->problem.message()));
                } else {
                    give(state, step, load);
                }
            });
        } catch (const Problem& problem) {
            throw InputError(fmt::format("{}: commit {}: {}", repository_.path(),
                                         short_name_of(commit), problem.in_place()));
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
    void give(const PageState& state, PageStep& step, Load& load) {
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
            return;
        }
        step.specs[tag] += page->num_specs;
        if (!load.take(state)) {
            load.take(walk_.read(state));
        }
    }

    // Says once that the unchanged pages of the tag stay, where that is so. What the commit touched
    // was given before, or is dropped here.
    bool keep_others(const std::string& tag, PageStep& step, Load& load) {
        const auto& packages = step.touched.packages[tag];
        if (!in_force_.contains(tag) || step.has_bad_pages ||
            !walk_.pages().paths(std::nullopt).empty()) {
            return false;
        }
        if (std::ranges::any_of(packages, [&](const std::string& package) {
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
    void give_rest(PageStep& step, Load& load) {
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

    PageLookup ledger_;
    std::optional<TreeWalk> side_walk_;  // to commits that are not loaded, and share a second
    // The tags whose pages in the walk's tree are the newest state of their series, and all good.
    std::set<std::string> in_force_;
    TreeWalk walk_;
};

// Other inputs of the ledger name files that are not in the repository, or are pages.
void refuse_other_shape(std::string_view text) {
    TextBytes bytes(text);
    const Shape shape = read_shape(bytes);
    if (shape != Shape::index && shape != Shape::install && shape != Shape::lock) {
        throw Problem(fmt::format(
            "expected a build-cache index, an install database or a lock file; found {}",
            shape == Shape::page ? "no JSON" : name_of(shape)));
    }
}

/// Loads one file of commits. Each commit that touched it becomes a snapshot of options.tag. Nodes
/// that the commits before had are not read again.
class FileCommits : public CommitLoader {
  public:
    using CommitLoader::CommitLoader;

  private:
    const std::string& tag() const { return *options_.tag; }

    // nullopt: there is no file.
    std::optional<Digest> file_in(const std::optional<Digest>& tree) const {
        return tree ? repository_.find_file(*tree, options_.path) : std::nullopt;
    }

    std::set<std::string> tags_of(const GitCommit& commit) override {
        return file_in(commit.tree) != file_in(commit.parent_tree) ? std::set<std::string>{tag()}
                                                                   : std::set<std::string>();
    }

    void load(const GitCommit& commit) override {
        if (!tags_of(commit).empty()) {
            load_touching(commit);
        }
    }

    void load_touching(const GitCommit& commit) {
        Step step = begin(commit);
        if (step.known_tags.contains(tag())) {
            ++result_.known_commits;  // another run loaded it while this one waited for the ledger
            return;
        }
        const auto blob = file_in(commit.tree);
        const Moment moment = moments_.of(commit, tag());
        const auto kind = kind_before(moment + (blob ? 0 : 1));
        bool is_waiting = false;
        const auto load = load_commit(step, [&](Load& to_fill, bool /*is_again*/) {
            if (!is_wanted(tag(), step, to_fill)) {
                return false;
            }
            GraphInput input = read(commit, blob);
            if (!input.unread.empty() && told_.insert(commit.id).second) {
                result_.problems.push_back(fmt::format("commit {}: {}", short_name_of(commit),
                                                       input.unread.front().problem));
            }
            input.absent = input.files.empty() ? kind : std::nullopt;
            is_waiting = input.files.empty() && !kind;
            if (!is_waiting) {
                try {
                    to_fill.take(input);
                } catch (const UsageError& error) {
                    throw UsageError(fmt::format("{}: {}", input.source, error.what()));
                }
            }
            return !is_waiting;
        });
        if (is_waiting) {
            waiting_.push_back(commit);
            return;
        }
        step.specs[tag()] = load ? load->result().specs : 0;
        record(step, load.get());
        if (load) {
            for (const GitCommit& other : std::exchange(waiting_, {})) {
                if (moments_.of(other, tag()) < moment) {
                    waiting_.push_back(other);
                } else {
                    load_touching(other);
                }
            }
        }
    }

    GraphInput read(const GitCommit& commit, const std::optional<Digest>& blob) {
        GraphInput input;
        input.tag = tag();
        input.source = fmt::format("{}:{}", source_of(commit), options_.path);
        if (!blob) {
            return input;
        }
        const auto note = [&](const std::string& problem) {
            input.unread.push_back({"", options_.path, problem});
        };
        GitBlob content;
        try {
            content = repository_.blob(*blob, refuse_too_many_bytes);
            refuse_other_shape(content.text);
        } catch (Problem& problem) {
            problem.file = options_.path;
            note(problem.message());
            return input;
        }
        TextBytes bytes(content.text);
        GraphReader reader(&writing_->known_nodes(input.tag));
        try {
            input.files.push_back({"", options_.path, reader.read(options_.path, bytes)});
            input.graph = reader.finish();
        } catch (const InputError& error) {
            note(error.what());
        }
        return input;
    }

    // The kind of the tag's snapshots, if there is or was one before `end`: before the moment of
    // the commit, or, where the file is gone, at it. Commits that were handed over tell of those
    // that a rule removed.
    std::optional<SourceKind> kind_before(Moment end) {
        const auto word = first_value<std::string>(
            database_,
            "SELECT s.kind FROM series r JOIN snapshot s USING (series_id) "
            "WHERE r.name = ? AND s.taken_at < ? UNION ALL "
            "SELECT s.kind FROM commit_snapshot c JOIN snapshot s USING (snapshot_id) "
            "WHERE c.path = ? AND c.tag = ? AND c.forgotten < ? LIMIT 1",
            series_of_tag(tag()), end, options_.path, tag(), snapshot_name(tag(), end));
        if (!word) {
            return std::nullopt;
        }
        const SourceKind kind = kind_of_word(*word);
        return kind == SourceKind::pages ? SourceKind::index : kind;  // both may be in one series
    }

    // Without a file that can be read, and without a snapshot before theirs: with a clock that went
    // back, a later commit may give one.
    std::vector<GitCommit> waiting_;
    std::set<Digest> told_;  // the commits of which it was said that the file can't be read
};

}  // namespace

std::unique_ptr<CommitLoader> commit_loader(SQLite::Database& database,
                                            const HistoryOptions& options) {
    if (options.tag) {
        return std::make_unique<FileCommits>(database, options);
    }
    return std::make_unique<PageCommits>(database, options);
}

}  // namespace cacheledger
