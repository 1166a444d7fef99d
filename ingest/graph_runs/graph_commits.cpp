#include "ingest/graph_runs/graph_commits.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "ingest/basics/problem.hpp"
#include "ingest/bytes/bytes.hpp"
#include "ingest/bytes/plain_bytes.hpp"
#include "ingest/commits/about_commit.hpp"
#include "ingest/graph_files/graph_reader.hpp"
#include "ingest/shapes/shape.hpp"
#include "ingest/stored/snapshot_kind.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/tag.hpp"
#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

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

}  // namespace

GraphCommits::GraphCommits(SQLite::Database& database, const GraphHistoryOptions& options,
                           const GitRepository& repository, const std::vector<GitCommit>& history,
                           const std::vector<GitCommit>& whole)
    : database_(database),
      options_(options),
      repository_(repository),
      history_(history),
      log_(database),
      order_(repository, history),
      moments_(whole, [this](const GitCommit& commit) {
          return file_of(commit).first ? std::set<std::string>{options_.tag}
                                       : std::set<std::string>();
      }) {}

std::vector<GitCommit> GraphCommits::pending() {
    const auto known = log_.with_tag(options_.file, options_.tag);
    std::vector<GitCommit> pending;
    std::copy_if(history_.begin(), history_.end(), std::back_inserter(pending),
                 [&](const GitCommit& commit) { return !known.contains(commit.id); });
    return pending;
}

void GraphCommits::forget_remembered() {
    begin_load({});
    leaves_over_ = false;
}

void GraphCommits::begin_load(const std::set<std::string>& replaced) {
    leaves_over_ = leaves_over_ || (load_ && load_->leaves_over());
    new_specs_before_ = new_specs_;
    GraphOptions options;
    options.replace = true;
    options.keep_commits_of = options_.file;
    load_.emplace(database_, options, replaced);
}

void GraphCommits::load(const GitCommit& commit, HistoryResult& result) {
    if (const auto [is_touched, blob] = file_of(commit); is_touched) {
        Touching touching{commit, moments_.of(commit, options_.tag), blob};
        load_touching(touching, result);
    }
}

std::pair<bool, std::optional<Digest>> GraphCommits::file_of(const GitCommit& commit) const {
    const auto blob = repository_.find_file(commit.tree, options_.file);
    const auto before = commit.parent_tree
                            ? repository_.find_file(*commit.parent_tree, options_.file)
                            : std::nullopt;
    return {blob != before, blob};
}

void GraphCommits::load_touching(Touching& touching, HistoryResult& result) {
    if (log_.place_of(touching.commit.id, options_.file, options_.tag)) {
        ++result.known_commits;  // another run loaded it while this one waited for the ledger
        return;
    }
    const std::string name = snapshot_name(options_.tag, touching.moment);
    bool replaces = false;
    for (const auto& [other, place] : log_.commits_of(name, options_.file)) {
        if (order_.is_later(other, touching.commit.id)) {
            record(touching.commit, place, result);
            return;
        }
        replaces = replaces || !place.forgotten;
    }
    const GraphInput input = read(touching);
    if (!input.unread.empty() && !std::exchange(touching.is_told, true)) {
        result.problems.push_back(fmt::format("commit {}: {}", short_name_of(touching.commit),
                                              input.unread.front().problem));
    }
    const auto absent_kind = input.files.empty() ? kind_before(touching, input) : std::nullopt;
    if (input.files.empty() && !absent_kind) {
        waiting_.push_back(touching);
        return;
    }
    const std::string own_savepoint = savepoint;  // one more: others may wait for this commit
    database_.exec("SAVEPOINT " + own_savepoint);
    if (replaces) {
        load_->replace(name);
        take(read(touching), absent_kind);
    } else {
        take(input, absent_kind);
    }
    if (!load_->to_replace().empty()) {
        const auto replaced = load_->to_replace();
        database_.exec("ROLLBACK TO " + own_savepoint);
        begin_load(replaced);
        take(read(touching), absent_kind);
    }
    database_.exec("RELEASE " + own_savepoint);
    count(touching.commit, result);
    load_waiting(touching.moment, result);
}

void GraphCommits::load_waiting(Moment since, HistoryResult& result) {
    for (Touching& touching : std::exchange(waiting_, {})) {
        if (touching.moment < since) {
            waiting_.push_back(touching);
        } else {
            load_touching(touching, result);
        }
    }
}

GraphInput GraphCommits::read(const Touching& touching) {
    GraphInput input;
    input.tag = options_.tag;
    input.source = fmt::format("{}:{}", source_of(repository_, touching.commit), options_.file);
    input.taken_at = touching.moment;
    input.about_moment = about_moment(touching.commit, touching.moment);
    if (!touching.blob) {
        return input;
    }
    const auto note = [&](const std::string& problem) {
        input.unread.push_back({"", options_.file, problem});
    };
    std::optional<GitBlob> content;
    try {
        content = repository_.blob(*touching.blob, refuse_too_many_bytes);
        refuse_other_shape(content->text);
    } catch (Problem& problem) {
        problem.file = options_.file;
        note(problem.message());
        return input;
    }
    TextBytes bytes(content->text);
    GraphReader reader(&load_->known());
    try {
        input.files.push_back({"", options_.file, reader.read(options_.file, bytes)});
        input.graph = reader.finish();
    } catch (const InputError& error) {
        note(error.what());
    }
    return input;
}

// The kind of the tag's snapshots, if there is or was one before: at an earlier moment, or, where
// the file is gone, at the same. Commits that were handed over tell of those that a rule removed.
std::optional<GraphKind> GraphCommits::kind_before(const Touching& touching,
                                                   const GraphInput& input) {
    SQLite::Statement select(
        database_,
        "SELECT s.kind FROM series r JOIN snapshot s USING (series_id) "
        "WHERE r.name = ? AND s.taken_at < ? UNION ALL "
        "SELECT s.kind FROM commit_snapshot c JOIN snapshot s USING (snapshot_id) "
        "WHERE c.path = ? AND c.tag = ? AND c.forgotten < ? LIMIT 1");
    const Moment end = touching.moment + (input.unread.empty() ? 1 : 0);
    rebind(select, series_of_tag(options_.tag), end, options_.file, options_.tag,
           snapshot_name(options_.tag, end));
    if (!select.executeStep()) {
        return std::nullopt;
    }
    const std::string kind = select.getColumn(0).getString();
    for (const GraphKind graph_kind : {GraphKind::lock, GraphKind::install}) {
        if (kind == word_of(graph_kind)) {
            return graph_kind;
        }
    }
    return GraphKind::index;  // pages may be in the same series
}

void GraphCommits::take(const GraphInput& input, std::optional<GraphKind> absent_kind) {
    try {
        if (absent_kind) {
            load_->take_absent(input, *absent_kind);
        } else {
            load_->take(input);
        }
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", input.source, error.what()));
    }
    load_->finish();
}

void GraphCommits::count(const GitCommit& commit, HistoryResult& result) {
    new_specs_ = new_specs_before_ + load_->new_specs();
    result.new_specs = new_specs_;
    const LoadResult loaded = load_->take_result();
    result.specs += loaded.specs;
    result.loaded += loaded.loaded.size();
    result.unchanged += loaded.unchanged.size();
    result.replaced += loaded.replaced.size();
    record(commit, {loaded.snapshots.at(options_.tag)}, result);
}

void GraphCommits::record(const GitCommit& commit, const CommitLog::Place& place,
                          HistoryResult& result) {
    const std::size_t other_tags = log_.tags(commit.id, options_.file).size();
    log_.add(commit.id, options_.file, {{options_.tag, place}}, other_tags + 1);
    ++result.touching_commits;
}

}  // namespace cacheledger
