#include "ingest/runs/commits/history.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/runs/commits/commit_loader.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"
#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/names/tag.hpp"

namespace cacheledger {

namespace {

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
