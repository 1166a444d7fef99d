#include "ingest/runs/commits/history.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/runs/commits/commits.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/snapshots/load.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

using Clock = std::chrono::steady_clock;

// The time after which a group of commits is written. Commits of a group write a B-tree page that
// they share only once. An interruption loses the last group.
constexpr std::chrono::seconds group_time{2};

// A finding if the commit gives a snapshot at `moment`, and that is not the committer's time.
std::optional<PageFinding> about_moment(const GitCommit& commit, Moment moment) {
    std::string text = commit.is_far ? "the committer's time is not in the years 0 to 9999"
                                     : "the committer's time can't be read";
    const std::string nor_author = commit.is_far ? "" : ", nor its author's";
    switch (commit.time_of) {
        case TimeOf::committer:
            text.clear();
            break;
        case TimeOf::author:
            text += ", the moment is its author's";
            break;
        case TimeOf::parent:
            text += nor_author + "; the moment is that of the commit before it";
            break;
        case TimeOf::nobody:
            text += nor_author + ", and no commit is before it; the moment is 1970-01-01T00:00:00Z";
            break;
    }
    const FindingKind kind =
        text.empty() ? FindingKind("time-shared") : FindingKind("time-unreadable");
    if (const Moment later = moment - commit.time; later != 0) {
        text +=
            fmt::format("{}an earlier snapshot has this second; the snapshot is {} second{} later",
                        text.empty() ? "" : "; ", later, later == 1 ? "" : "s");
    }
    return text.empty() ? std::nullopt
                        : std::optional(PageFinding{kind, "commit " + short_name_of(commit), text});
}

// As git has it: "a/b" for "./a//b/", "" for the top of the repository.
std::string path_in_repository(const std::string& path, std::string_view expected) {
    std::string normal = std::filesystem::path(path).lexically_normal().generic_string();
    while (normal.ends_with('/') && normal.size() > 1) {
        normal.pop_back();
    }
    if (normal.starts_with('/') || normal == ".." || normal.starts_with("../")) {
        throw UsageError(fmt::format("--path '{}': expected {} below the top of the repository",
                                     path, expected));
    }
    return normal == "." ? "" : normal;
}

// Says what is missing if the path is that of a lock file, an index or an install database.
void refuse_file_without_tag(const GitRepository& repository, const GitCommit& last,
                             const std::string& path) {
    const auto blob = repository.find_file(last.tree, path);
    if (!blob) {
        return;
    }
    try {
        const GitBlob content = repository.blob(*blob, refuse_too_many_bytes);
        TextBytes bytes(content.text);
        const Shape shape = read_shape(bytes);
        if (shape == Shape::lock || shape == Shape::index || shape == Shape::install) {
            throw UsageError(fmt::format(
                "--path '{}' is {}, which has no tag of its own; give it one with --tag", path,
                name_of(shape)));
        }
    } catch (const Problem&) {
        // It is none of these.
    }
}

HistoryOptions checked_options(HistoryOptions options) {
    if (!options.tag) {
        options.path = path_in_repository(options.path, "a folder");
        return options;
    }
    if (const auto problem = tag_problem(*options.tag)) {
        throw UsageError(fmt::format("--tag '{}': {}", *options.tag, *problem));
    }
    if (moment_of_tag(*options.tag)) {
        throw UsageError(fmt::format(
            "--tag '{}': with --history each commit has its own time; expected a tag without a "
            "date",
            *options.tag));
    }
    const std::string file = path_in_repository(options.path, "a file");
    if (file.empty()) {
        throw UsageError(
            fmt::format("--path '{}': expected the path of a file with --tag", options.path));
    }
    options.path = file;
    return options;
}

// If no commit gave a snapshot, there is a mistake, unless the file is just as before the range.
void refuse_no_file(const GitRepository& repository, const GitCommit& last,
                    const HistoryOptions& options, const HistoryResult& result) {
    const auto found = repository.find(last.tree, options.path);
    const bool has_file = found && found->is_file();
    if (found && found->is_folder()) {
        throw UsageError(fmt::format(
            "--path '{}' is a folder; expected the path of a file with --tag", options.path));
    }
    if (!result.problems.empty()) {
        throw InputError(fmt::format("{}: no commit of {} has a {} that can be read; {}",
                                     options.repository, options.revision, options.path,
                                     result.problems.back()));
    }
    if (!has_file) {
        throw InputError(fmt::format("{}: no commit of {} has {}", options.repository,
                                     options.revision, options.path));
    }
}

void refuse_no_pages(const HistoryOptions& options, const HistoryResult& result) {
    auto lines = result.problems;
    lines.push_back(fmt::format("{}: no commit of {} has package pages{}", options.repository,
                                options.revision,
                                options.path.empty() ? "" : " in " + options.path));
    if (is_package_repository(options.repository)) {
        lines.back() += fmt::format("; it is a package repository: {}",
                                    command_hint({"ingest", options.repository}));
    }
    throw InputError(lines);
}

// Loads commits, in groups.
class CommitLoader {
  public:
    CommitLoader(SQLite::Database& database, const HistoryOptions& options)
        : database_(database),
          commits_(database, options,
                   [this](const GitCommit& commit) { return contents_.tags_of(commit); }),
          contents_(options.tag ? file_of(commits_, database) : pages_of(commits_, database)) {}

    // To be called once.
    HistoryResult run(const Progress& progress) {
        progress(0, commits_.size());
        begin_group();
        while (auto commit = commits_.next()) {
            load_or_keep(*commit);
            if (Clock::now() - group_begin_ > group_time) {
                end_group();
                begin_group();
            }
            try {
                progress(commits_.num_given(), commits_.size());
            } catch (...) {
                end_group();
                throw;
            }
        }
        record_check(*transaction_, database_, commits_.recorded_tags());
        end_group();
        return commits_.result;
    }

    const Commits& commits() const { return commits_; }

  private:
    void begin_group() {
        group_begin_ = Clock::now();
        transaction_.emplace(database_);
        // What is remembered is wrong if another process wrote to the ledger since the last group.
        const auto version = only_value<std::int64_t>(database_, "PRAGMA data_version");
        if (version != data_version_) {
            forget_remembered();
        }
        data_version_ = version;
    }

    void end_group() {
        if (std::exchange(leaves_over_, false)) {
            sweep(database_);
            forget_remembered();
        }
        judge_wishes(database_);
        transaction_->commit();
        transaction_.reset();
    }

    void forget_remembered() {
        new_specs_before_ = commits_.result.new_specs;
        writing_.emplace(database_);
        contents_.forget();
    }

    void undo() {
        database_.exec("ROLLBACK TO commit_of_history");
        forget_remembered();
    }

    // If a commit can't be loaded, the run ends, and the commits before it stay in the ledger.
    void load_or_keep(NextCommit& commit) {
        const auto keep_others = [&] {
            database_.exec("ROLLBACK TO commit_of_history");
            end_group();
        };
        database_.exec("SAVEPOINT commit_of_history");
        try {
            if (const auto give = contents_.open(commit)) {
                const auto load = load_commit(commit, give);
                if (load) {
                    contents_.note_loaded(*load);
                }
                commits_.result.new_specs =
                    new_specs_before_ + writing_->dictionary.specs.new_specs();
                commits_.record(commit, load.get());
            }
        } catch (const InputError&) {
            keep_others();
            throw;
        } catch (const UsageError&) {
            keep_others();
            throw;
        }
        database_.exec("RELEASE commit_of_history");
    }

    // nullptr, and nothing is written, if there is nothing to load.
    std::unique_ptr<Load> load_commit(const NextCommit& commit, const CommitContents::Give& give) {
        IngestOptions options;
        options.source = commits_.source_of(commit);
        options.keep_going = true;
        options.replace = true;
        options.keep_commits_of = commits_.options.path;
        options.moment_of = [&](const std::string& tag) {
            const Moment moment = commits_.moment_of(commit, tag);
            return SnapshotMoment{moment, about_moment(commit, moment)};
        };
        bool is_again = false;
        bool has_changed = false;
        auto load = load_and_replace(
            [&] {
                if (std::exchange(is_again, true)) {
                    undo();
                }
                return std::make_unique<Load>(*writing_, options);
            },
            [&](Load& to_fill) {
                const bool is_given = give(to_fill);
                has_changed = to_fill.has_changed();
                return is_given;
            });
        if (load) {
            leaves_over_ = leaves_over_ || load->leaves_over();
        } else if (has_changed) {
            undo();
        }
        return load;
    }

    SQLite::Database& database_;
    Commits commits_;
    CommitContents contents_;
    std::optional<Writing> writing_;
    std::optional<WriteTransaction> transaction_;
    Clock::time_point group_begin_;
    std::int64_t new_specs_before_ = 0;         // written before the current writing_
    std::optional<std::int64_t> data_version_;  // nullopt: nothing is remembered
    bool leaves_over_ = false;                  // sweep() has something to do
};

}  // namespace

HistoryResult ingest_history(SQLite::Database& database, const HistoryOptions& options,
                             const Progress& progress) {
    const HistoryOptions checked = checked_options(options);
    CommitLoader loader(database, checked);
    HistoryResult result = loader.run(progress);
    if (result.commits == 0 || result.touching_commits > 0) {
        return result;
    }
    const GitRepository& repository = loader.commits().repository;
    const GitCommit& last = loader.commits().history.back();
    if (!checked.tag) {
        refuse_file_without_tag(repository, last, checked.path);
    }
    if (result.known_commits == 0 && checked.tag) {
        refuse_no_file(repository, last, checked, result);
    } else if (result.known_commits == 0) {
        refuse_no_pages(checked, result);
    }
    return result;
}

}  // namespace cacheledger
