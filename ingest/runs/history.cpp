#include "ingest/runs/history.hpp"

#include <fmt/format.h>

#include "ingest/basics/problem.hpp"
#include "ingest/bytes/bytes.hpp"
#include "ingest/bytes/plain_bytes.hpp"
#include "ingest/commits/about_commit.hpp"
#include "ingest/git/git_repository.hpp"
#include "ingest/runs/commit_loader.hpp"
#include "ingest/shapes/shape.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

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

}  // namespace

HistoryResult ingest_history(SQLite::Database& database, const HistoryOptions& options,
                             const Progress& progress) {
    HistoryOptions checked = options;
    checked.folder = path_in_repository(options.folder, "a folder");
    const GitRepository repository(checked.repository);
    const auto history = repository.first_parent_history(checked.revision);
    const auto whole = whole_history(repository, checked.revision, history);
    CommitLoader loader(database, checked, repository, history, whole);
    HistoryResult result = load_in_groups(database, history.size(), loader, progress);
    if (result.commits > 0 && result.touching_commits == 0) {
        refuse_file_without_tag(repository, history.back(), checked.folder);
    }
    if (result.commits > 0 && result.known_commits == 0 && result.touching_commits == 0) {
        auto lines = result.problems;
        lines.push_back(fmt::format("{}: no commit of {} has package pages{}", checked.repository,
                                    checked.revision,
                                    checked.folder.empty() ? "" : " in " + checked.folder));
        throw InputError(lines);
    }
    return result;
}

}  // namespace cacheledger
