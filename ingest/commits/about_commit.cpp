#include "ingest/commits/about_commit.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "schema/basics/error.hpp"
#include "schema/hashing/digest.hpp"

namespace cacheledger {

std::string short_name_of(const GitCommit& commit) {
    return to_hex(commit.id).substr(0, 10);
}

std::string source_of(const GitRepository& repository, const GitCommit& commit) {
    return fmt::format("{}@{}", repository.path(), to_hex(commit.id));
}

std::optional<PageFinding> about_moment(const GitCommit& commit, Moment moment) {
    std::string text;
    const char* const problem = commit.is_far ? "the committer's time is not in the years 0 to 9999"
                                              : "the committer's time can't be read";
    switch (commit.time_of) {
        case TimeOf::committer:
            break;
        case TimeOf::author:
            text = fmt::format("{}, the moment is its author's", problem);
            break;
        case TimeOf::parent:
            text = fmt::format("{}{}; the moment is that of the commit before it", problem,
                               commit.is_far ? "" : ", nor its author's");
            break;
        case TimeOf::nobody:
            text =
                fmt::format("{}{}, and no commit is before it; the moment is 1970-01-01T00:00:00Z",
                            problem, commit.is_far ? "" : ", nor its author's");
            break;
    }
    const Moment later = moment - commit.time;
    const std::string place = "commit " + short_name_of(commit);
    if (later == 0) {
        return text.empty() ? std::nullopt
                            : std::optional(PageFinding{"time-unreadable", place, text});
    }
    const std::string shared =
        fmt::format("an earlier snapshot has this second; the snapshot is {} second{} later", later,
                    later == 1 ? "" : "s");
    return text.empty() ? PageFinding{"time-shared", place, shared}
                        : PageFinding{"time-unreadable", place, text + "; " + shared};
}

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

}  // namespace cacheledger
