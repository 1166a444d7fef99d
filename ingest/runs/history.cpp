#include "ingest/runs/history.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "ingest/git/commit_log.hpp"
#include "ingest/git/tree_walk.hpp"
#include "ingest/page/digest.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/snapshots/load.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/tag.hpp"
#include "schema/sqlite/write_transaction.hpp"

namespace cacheledger {

namespace {

using Clock = std::chrono::steady_clock;

// The time after which a group of commits is written. Commits of a group write a B-tree page that
// they share only once. An interruption loses the last group.
constexpr std::chrono::seconds group_time{2};

constexpr std::size_t short_id = 10;

class HistoryRun {
  public:
    HistoryRun(SQLite::Database& database, const HistoryOptions& options)
        : database_(database),
          options_(options),
          repository_(options.repository),
          ledger_(database),
          log_(database),
          walk_(repository_, options.folder, ledger_, options.jobs) {}

    HistoryResult run(const Progress& progress) {
        const auto history = repository_.first_parent_history(options_.revision);
        const auto known = log_.complete(options_.folder);
        std::vector<GitCommit> pending;
        for (const GitCommit& commit : history) {
            positions_.emplace(commit.id, positions_.size());
            last_commit_ = commit.id;
            if (!known.contains(commit.id)) {
                pending.push_back(commit);
            }
        }
        result_.commits = history.size();
        result_.known_commits = history.size() - pending.size();
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
        if (!dictionary_ || version != data_version_) {
            forget_remembered();
        }
        data_version_ = version;
    }

    void end_group() {
        if (result_.replaced > swept_) {
            sweep(database_);
            swept_ = result_.replaced;
            forget_remembered();
        }
        transaction_->commit();
        transaction_.reset();
    }

    void forget_remembered() {
        new_specs_before_ = result_.new_specs;
        dictionary_.emplace(database_);
        history_.emplace(database_);
    }

    // If a commit can't be read, the run ends, and the commits before it stay in the ledger.
    void load_or_keep(const GitCommit& commit) {
        database_.exec("SAVEPOINT commit_of_history");
        try {
            load(commit);
        } catch (const InputError&) {
            database_.exec("ROLLBACK TO commit_of_history");
            end_group();
            throw;
        }
        database_.exec("RELEASE commit_of_history");
        result_.new_specs = new_specs_before_ + dictionary_->new_specs();
    }

    LoadOptions load_options(const GitCommit& commit) const {
        LoadOptions options;
        options.source = fmt::format("{}@{}", options_.repository, to_hex(commit.id));
        options.taken_at = commit.time;
        options.keep_going = true;
        options.replace = true;
        options.history_of = options_.folder;
        options.about_moment = about_moment(commit);
        return options;
    }

    static std::optional<PageFinding> about_moment(const GitCommit& commit) {
        const char* moment = nullptr;
        switch (commit.time_of) {
            case TimeOf::committer:
                return std::nullopt;
            case TimeOf::author:
                moment = "the moment is its author's";
                break;
            case TimeOf::parent:
                moment = "nor its author's; the moment is that of the commit before it";
                break;
            case TimeOf::nobody:
                moment = "nor its author's, and no commit is before it; the moment is 1970";
                break;
        }
        return PageFinding{"time-unreadable",
                           fmt::format("commit {}: the committer's time can't be read, {}",
                                       to_hex(commit.id).substr(0, short_id), moment)};
    }

    // The state of one commit, and which part of it is loaded.
    struct Step {
        const GitCommit& commit;
        std::set<std::string> known_tags;           // already in the ledger
        std::map<std::string, std::int64_t> later;  // snapshot ids of later commits, by tag
        std::set<std::string> asked;                // tags that were looked up for `later`
        std::set<std::string> replaced;             // names of snapshots to replace
        std::set<std::string> given;                // paths that the load has taken
        std::set<std::string> touched;
        std::set<std::string> tags;  // tags to load
    };

    static std::string snapshot_name_of(const std::string& tag, const GitCommit& commit) {
        return snapshot_name(tag, moment_of_tag(tag).value_or(commit.time));
    }

    // Whether `other` comes after `commit` in history. Asks the repository, which may walk far,
    // only about commits that are not in this run.
    bool is_later(const Digest& other, const Digest& commit) {
        const auto found = positions_.find(other);
        if (found != positions_.end()) {
            return found->second > positions_.at(commit);
        }
        const auto [answer, is_new] = after_last_.try_emplace(other, false);
        if (is_new) {
            answer->second = repository_.is_later(other, last_commit_);
        }
        return answer->second;
    }

    // Whether this commit gives the snapshot of the tag. It does not if the ledger already has that
    // snapshot from this commit, or from a later one at the same moment: commits may be loaded in
    // any order.
    bool is_wanted(const std::string& tag, Step& step) {
        if (step.known_tags.contains(tag)) {
            return false;
        }
        if (step.asked.insert(tag).second) {
            const std::string name = snapshot_name_of(tag, step.commit);
            for (const auto& [other, snapshot_id] : log_.commits_of(name, options_.folder)) {
                if (is_later(other, step.commit.id)) {
                    step.later[tag] = snapshot_id;
                }
                step.replaced.insert(name);
            }
        }
        return !step.later.contains(tag);
    }

    void load(const GitCommit& commit) {
        if (parse_moment(format_moment(commit.time)) != commit.time) {
            throw InputError(fmt::format("{}: commit {} has a time beyond the year 9999",
                                         options_.repository, to_hex(commit.id)));
        }
        if (walk_.tree() != commit.parent_tree) {
            walk_.go_to(commit.parent_tree, [](const PageState&) {});
        }
        Step step{commit, {}, {}, {}, {}, {}, {}, {}};
        step.known_tags = log_.tags(commit.id, options_.folder);
        auto load = std::make_unique<Load>(database_, *dictionary_, *history_, load_options(commit),
                                           step.replaced);
        step.touched = walk_.go_to(commit.tree, [&](const PageState& state) {
            if (const auto* const bad = std::get_if<BadPage>(&state.content)) {
                // Loaded later, when the whole tree is known and shows the tag of the page.
                note_bad(commit, *bad);
            } else {
                give(state, step, *load);
            }
        });
        for (const std::string& tag : step.touched) {
            // If a commit removes a dated tag, the snapshot at its date stays.
            const bool is_gone = moment_of_tag(tag) && walk_.pages().paths(tag).empty();
            if (!is_gone && is_wanted(tag, step)) {
                step.tags.insert(tag);
            }
        }
        if (step.tags.empty()) {
            record(step, {});
            return;
        }
        give_rest(step, *load);
        load->finish();
        if (!load->to_replace().empty()) {
            step.replaced.merge(std::set(load->to_replace()));
            database_.exec("ROLLBACK TO commit_of_history");
            forget_remembered();
            load = std::make_unique<Load>(database_, *dictionary_, *history_, load_options(commit),
                                          step.replaced);
            step.given.clear();
            give_rest(step, *load);
            load->finish();
        }
        record(step, load->result());
    }

    // Gives one page of the commit's tree to the load.
    void give(const PageState& state, Step& step, Load& load) {
        const std::string& path = state.place.path;
        const PageHead* const page = head_of(state);
        if (page == nullptr) {
            step.given.insert(path);
            load.take(state);
            return;
        }
        const std::string tag = tag_of(*page);
        if (!is_wanted(tag, step)) {
            return;
        }
        step.given.insert(path);
        // If a package has several pages, the first path counts, not the page that changed last.
        if (const auto first = walk_.pages().first_path(tag, page->package); first != path) {
            load.take(
                {state.place, second_page(*page, path, first, snapshot_name_of(tag, step.commit))});
        } else {
            load.take(state);
        }
    }

    // The tag of a page that does not give one.
    std::optional<std::string> tag_in_step(const std::string& path, const Step& step) const {
        const TreeIndex::Entry& entry = *walk_.pages().find(path);
        const auto tag = walk_.pages().tag_of(entry);
        const auto& folder = entry.place.says.likely_tag;
        return !tag && folder && step.touched.contains(*folder) ? folder : tag;
    }

    // Gives the load the unchanged pages of the tags that the commit touched.
    void give_rest(Step& step, Load& load) {
        const auto give_one = [&](const std::string& path) {
            if (!step.given.contains(path)) {
                give(walk_.state_at(path, reader_), step, load);
            }
        };
        for (const std::string& tag : step.tags) {
            load.touch(tag);
            for (const std::string& path : walk_.pages().paths(tag)) {
                give_one(path);
            }
        }
        for (const std::string& path : walk_.pages().paths(std::nullopt)) {
            const auto tag = tag_in_step(path, step);
            if (!tag || step.tags.contains(*tag)) {
                give_one(path);
            }
        }
    }

    void note_bad(const GitCommit& commit, const BadPage& bad) {
        result_.bad_pages.push_back(
            fmt::format("commit {}: {}", to_hex(commit.id).substr(0, short_id), bad.problem));
    }

    void record(const Step& step, const LoadResult& load) {
        auto snapshots = step.later;
        snapshots.insert(load.snapshots.begin(), load.snapshots.end());
        if (snapshots.empty()) {
            return;
        }
        log_.add(step.commit.id, options_.folder, snapshots,
                 step.known_tags.size() + snapshots.size());
        ++result_.page_commits;
        result_.specs += load.specs;
        result_.loaded += load.loaded.size();
        result_.unchanged += load.unchanged.size();
        result_.replaced += load.replaced.size();
    }

    SQLite::Database& database_;
    const HistoryOptions& options_;
    GitRepository repository_;
    PageLookup ledger_;
    CommitLog log_;
    PageReader reader_;
    std::optional<Dictionary> dictionary_;
    std::optional<PackageHistory> history_;
    std::int64_t data_version_ = 0;
    std::int64_t new_specs_before_ = 0;        // before the current dictionary_
    std::size_t swept_ = 0;                    // result_.replaced at the last sweep()
    std::map<Digest, std::size_t> positions_;  // of the commits of this run, in their order
    Digest last_commit_{};
    // Other commits: whether they come after the last of this run.
    std::map<Digest, bool> after_last_;
    Clock::time_point group_begin_;
    std::optional<WriteTransaction> transaction_;
    HistoryResult result_;
    TreeWalk walk_;
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
