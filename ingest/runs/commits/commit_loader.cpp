#include "ingest/runs/commits/commit_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/runs/commits/history.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/digest.hpp"

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

}  // namespace

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
    database_.exec("SAVEPOINT commit_of_history");
    const auto keep_others = [&] {
        database_.exec("ROLLBACK TO commit_of_history");
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
    database_.exec("RELEASE commit_of_history");
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
    database_.exec("SAVEPOINT load_of_commit");
    bool is_again = false;
    bool has_changed = false;
    const auto undo = [&] {
        database_.exec("ROLLBACK TO load_of_commit");
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
    database_.exec("RELEASE load_of_commit");
    return load;
}

void CommitLoader::record(const Step& step, const Load* load) {
    result_.new_specs = new_specs_before_ + writing_->dictionary.specs.new_specs();
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

HistoryResult ingest_history(SQLite::Database& database, const HistoryOptions& options,
                             const Progress& progress) {
    const HistoryOptions checked = checked_options(options);
    const auto loader = commit_loader(database, checked);
    HistoryResult result = loader->run(progress);
    if (result.commits == 0 || result.touching_commits > 0) {
        return result;
    }
    if (!checked.tag) {
        refuse_file_without_tag(loader->repository(), loader->history().back(), checked.path);
    }
    if (result.known_commits == 0 && checked.tag) {
        refuse_no_file(loader->repository(), loader->history().back(), checked, result);
    } else if (result.known_commits == 0) {
        refuse_no_pages(checked, result);
    }
    return result;
}

}  // namespace cacheledger
