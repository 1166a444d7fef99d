#include "ingest/graph_runs/graph_history.hpp"

#include <fmt/format.h>

#include "ingest/commits/about_commit.hpp"
#include "ingest/git/git_repository.hpp"
#include "ingest/graph_runs/graph_commits.hpp"
#include "schema/basics/error.hpp"
#include "schema/names/tag.hpp"

namespace cacheledger {

namespace {

GraphHistoryOptions checked_options(GraphHistoryOptions options) {
    if (const auto problem = tag_problem(options.tag)) {
        throw UsageError(fmt::format("--tag '{}': {}", options.tag, *problem));
    }
    if (moment_of_tag(options.tag)) {
        throw UsageError(fmt::format(
            "--tag '{}': with --history each commit has its own time; expected a tag without a "
            "date",
            options.tag));
    }
    const std::string file = path_in_repository(options.file, "a file");
    if (file.empty()) {
        throw UsageError(
            fmt::format("--path '{}': expected the path of a file with --tag", options.file));
    }
    options.file = file;
    return options;
}

// If no commit gave a snapshot, there is a mistake, unless the file is just as before the range.
void refuse_nothing(const GitRepository& repository, const GitCommit& last,
                    const GraphHistoryOptions& options, const HistoryResult& result) {
    const auto found = repository.find(last.tree, options.file);
    const bool has_file = found && found->is_file();
    if (found && found->is_folder()) {
        throw UsageError(fmt::format(
            "--path '{}' is a folder; expected the path of a file with --tag", options.file));
    }
    if (!result.problems.empty()) {
        throw InputError(fmt::format("{}: no commit of {} has a {} that can be read; {}",
                                     options.repository, options.revision, options.file,
                                     result.problems.back()));
    }
    if (!has_file) {
        throw InputError(fmt::format("{}: no commit of {} has {}", options.repository,
                                     options.revision, options.file));
    }
}

}  // namespace

HistoryResult ingest_graph_history(SQLite::Database& database, const GraphHistoryOptions& options,
                                   const Progress& progress) {
    const GraphHistoryOptions settled = checked_options(options);
    const GitRepository repository(settled.repository);
    const auto history = repository.first_parent_history(settled.revision);
    GraphCommits loader(database, settled, repository, history);
    HistoryResult result = load_in_groups(database, history.size(), loader, progress);
    if (result.commits > 0 && result.known_commits == 0 && result.touching_commits == 0) {
        refuse_nothing(repository, history.back(), settled, result);
    }
    return result;
}

}  // namespace cacheledger
