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
#include "ingest/runs/commits/commits.hpp"
#include "ingest/sources/git/tree_walk.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/sqlite/statements/rows.hpp"

// What commits give: the pages that they touched, or one file.
namespace cacheledger {

namespace {

/// The pages of commits. Each tag whose pages a commit touched becomes a snapshot.
///
/// A commit usually changes a few of a tag's pages. If the newest state of the tag's series is that
/// of the tree before the commit, only the changed pages are given to the load, and the load is
/// told once that all others stay. Otherwise all pages of the tag are given.
class PagesOfCommits {
  public:
    PagesOfCommits(Commits& commits, SQLite::Database& database)
        : commits_(commits), ledger_(database), walk_(walk_of_its_own()) {}

    std::set<std::string> tags_of(const GitCommit& commit) {
        if (!side_walk_) {
            side_walk_ = walk_of_its_own();
        }
        const auto drop = [](const PageState&) {};
        if (side_walk_->tree() != commit.parent_tree) {
            side_walk_->go_to(commit.parent_tree, drop);
        }
        return side_walk_->go_to(commit.tree, drop).tags;
    }

    CommitContents::Give open(NextCommit& commit) {
        return [this, step = std::make_shared<Step>(Step{commit})](Load& load) {
            return give_all(*step, load);
        };
    }

    void note_loaded(const Load& load) {
        for (const auto& [tag, snapshot_id] : load.result().snapshots) {
            if (!moment_of_tag(tag) && load.is_in_force(tag)) {
                in_force_.insert(tag);
            }
        }
    }

    void forget() { in_force_.clear(); }

  private:
    // Which part of a commit is loaded.
    struct Step {
        NextCommit& commit;
        std::set<std::string> given = {};               // paths that the load has taken
        std::optional<TreeWalk::Touched> touched = {};  // when the walk is there
        std::set<std::string> tags = {};                // tags to load
        bool has_bad_pages = false;                     // that the commit changed
    };

    std::unique_ptr<TreeWalk> walk_of_its_own() {
        return std::make_unique<TreeWalk>(
            commits_.repository, commits_.options.path,
            [this](const Digest& digest) { return ledger_.find(digest); }, commits_.options.jobs);
    }

    bool give_all(Step& step, Load& load) {
        step.given.clear();
        step.commit.specs.clear();
        if (!step.touched) {
            walk_to(step, load);
        }
        if (!step.tags.empty()) {
            give_rest(step, load);
        }
        for (const std::string& tag : step.touched->tags) {
            in_force_.erase(tag);
        }
        return !step.tags.empty();
    }

    // Gives the changed pages of the commit to the load, and notes which tags it touched.
    void walk_to(Step& step, Load& load) {
        NextCommit& commit = step.commit;
        try {
            if (walk_->tree() != commit.parent_tree) {
                in_force_.clear();
                walk_->go_to(commit.parent_tree, [](const PageState&) {});
            }
            step.touched = walk_->go_to(commit.tree, [&](const PageState& state) {
                if (const auto* const bad = std::get_if<BadPage>(&state.content)) {
                    // Loaded later, when the whole tree is known and shows the tag of the page.
                    step.has_bad_pages = true;
                    commits_.result.problems.push_back(fmt::format(
                        "commit {}: {}", short_name_of(commit), bad->problem.message()));
                } else {
                    give(state, step, load);
                }
            });
        } catch (const Problem& problem) {
            throw InputError(fmt::format("{}: commit {}: {}", commits_.repository.path(),
                                         short_name_of(commit), problem.in_place()));
        }
        commits_.note_tags(commit, step.touched->tags);
        for (const std::string& tag : step.touched->tags) {
            // If a commit removes a dated tag, the snapshot at its date stays.
            const bool is_gone = moment_of_tag(tag) && walk_->pages().paths(tag).empty();
            if (!is_gone && commits_.is_wanted(tag, commit, load)) {
                step.tags.insert(tag);
            }
        }
    }

    // Gives one page of the commit's tree to the load.
    void give(const PageState& state, Step& step, Load& load) {
        const std::string& path = state.place.path;
        const auto* const page = std::get_if<Page>(&state.content);
        if (page == nullptr) {
            step.given.insert(path);
            load.take(state);
            return;
        }
        const std::string tag = page->tag_to_load();
        if (!commits_.is_wanted(tag, step.commit, load)) {
            return;
        }
        step.given.insert(path);
        // If a package has several pages, the first path counts, not the page that changed last.
        if (const auto first = walk_->pages().first_path(tag, page->package); first != path) {
            const std::string snapshot = snapshot_name(tag, commits_.moment_of(step.commit, tag));
            load.take({state.place, second_page(*page, path, first, snapshot)});
            return;
        }
        step.commit.specs[tag] += page->num_specs;
        if (!load.take(state)) {
            load.take(walk_->read(state));
        }
    }

    // Says once that the unchanged pages of the tag stay, where that is so. What the commit touched
    // was given before, or is dropped here.
    bool keep_others(const std::string& tag, Step& step, Load& load) {
        const auto& packages = step.touched->packages[tag];
        if (!in_force_.contains(tag) || step.has_bad_pages ||
            !walk_->pages().paths(std::nullopt).empty()) {
            return false;
        }
        if (std::ranges::any_of(packages, [&](const std::string& package) {
                return walk_->pages().num_paths(tag, package) > 1;
            })) {
            return false;
        }
        if (!load.keep_others(tag)) {
            return false;
        }
        for (const std::string& package : packages) {
            if (walk_->pages().num_paths(tag, package) == 0) {
                load.drop(tag, package);
            }
        }
        step.commit.specs[tag] = walk_->pages().num_specs(tag);
        return true;
    }

    // Gives the load the unchanged pages of the tags that the commit touched.
    void give_rest(Step& step, Load& load) {
        const auto give_one = [&](const std::string& path) {
            if (!step.given.contains(path)) {
                give(walk_->state_at(path), step, load);
            }
        };
        for (const std::string& tag : step.tags) {
            load.touch(tag);
            if (!keep_others(tag, step, load)) {
                for (const std::string& path : walk_->pages().paths(tag)) {
                    give_one(path);
                }
            }
        }
        for (const std::string& path : walk_->pages().paths(std::nullopt)) {
            const auto tag = walk_->pages().tag_of(*walk_->pages().find(path), step.touched->tags);
            if (!tag || step.tags.contains(*tag)) {
                give_one(path);
            }
        }
    }

    Commits& commits_;
    PageLookup ledger_;
    std::unique_ptr<TreeWalk> side_walk_;  // to commits that are not loaded, and share a second
    // The tags whose pages in the walk's tree are the newest state of their series, and all good.
    std::set<std::string> in_force_;
    std::unique_ptr<TreeWalk> walk_;
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

/// One file of commits. Each commit that touched it becomes a snapshot of options.tag. Nodes that
/// the commits before had are not read again.
class FileOfCommits {
  public:
    FileOfCommits(Commits& commits, SQLite::Database& database)
        : commits_(commits),
          database_(database),
          tag_(*commits.options.tag),
          path_(commits.options.path) {}

    std::set<std::string> tags_of(const GitCommit& commit) const {
        return file_in(commit.tree) != file_in(commit.parent_tree) ? std::set{tag_}
                                                                   : std::set<std::string>();
    }

    CommitContents::Give open(NextCommit& commit) {
        const auto blob = file_in(commit.tree);
        if (blob == file_in(commit.parent_tree)) {
            return {};
        }
        if (commit.known_tags.contains(tag_)) {
            ++commits_.result.known_commits;  // another run loaded it while this one waited
            return {};
        }
        const auto kind = kind_before(commits_.moment_of(commit, tag_) + (blob ? 0 : 1));
        return [=, this, &commit](Load& load) { return give(commit, blob, kind, load); };
    }

  private:
    // nullopt: there is no file.
    std::optional<Digest> file_in(const std::optional<Digest>& tree) const {
        return tree ? commits_.repository.find_file(*tree, path_) : std::nullopt;
    }

    // `kind`: that of the snapshots before.
    bool give(NextCommit& commit, const std::optional<Digest>& blob,
              const std::optional<SourceKind>& kind, Load& load) {
        if (!commits_.is_wanted(tag_, commit, load)) {
            return false;
        }
        GraphInput input = read(commit, blob, load);
        if (!input.unread.empty() && told_.insert(commit.id).second) {
            commits_.result.problems.push_back(
                fmt::format("commit {}: {}", short_name_of(commit), input.unread.front().problem));
        }
        if (input.files.empty()) {
            input.absent = kind;
            if (!kind) {
                commits_.put_off(commit);
                return false;
            }
        }
        try {
            load.take(input);
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("{}: {}", input.source, error.what()));
        }
        commit.specs[tag_] = load.result().specs;
        return true;
    }

    GraphInput read(const GitCommit& commit, const std::optional<Digest>& blob, Load& load) {
        GraphInput input;
        input.tag = tag_;
        input.source = fmt::format("{}:{}", commits_.source_of(commit), path_);
        if (!blob) {
            return input;
        }
        const auto note = [&](const std::string& problem) {
            input.unread.push_back({"", path_, problem});
        };
        GitBlob content;
        try {
            content = commits_.repository.blob(*blob, refuse_too_many_bytes);
            refuse_other_shape(content.text);
        } catch (Problem& problem) {
            problem.file = path_;
            note(problem.message());
            return input;
        }
        TextBytes bytes(content.text);
        GraphReader reader(&load.known_nodes(input.tag));
        try {
            input.files.push_back({"", path_, reader.read(path_, bytes)});
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
            series_of_tag(tag_), end, path_, tag_, snapshot_name(tag_, end));
        if (!word) {
            return std::nullopt;
        }
        const SourceKind kind = kind_of_word(*word);
        return kind == SourceKind::pages ? SourceKind::index : kind;  // both may be in one series
    }

    Commits& commits_;
    SQLite::Database& database_;
    const std::string& tag_;
    const std::string& path_;
    std::set<Digest> told_;  // the commits of which it was said that the file can't be read
};

}  // namespace

CommitContents pages_of(Commits& commits, SQLite::Database& database) {
    const auto pages = std::make_shared<PagesOfCommits>(commits, database);
    return {[=](const GitCommit& commit) { return pages->tags_of(commit); },
            [=](NextCommit& commit) { return pages->open(commit); },
            [=](const Load& load) { pages->note_loaded(load); }, [=] { pages->forget(); }};
}

CommitContents file_of(Commits& commits, SQLite::Database& database) {
    const auto file = std::make_shared<FileOfCommits>(commits, database);
    return {[=](const GitCommit& commit) { return file->tags_of(commit); },
            [=](NextCommit& commit) { return file->open(commit); }};
}

}  // namespace cacheledger
