#include "ingest/commits/about_commit.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "schema/basics/digest.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

std::string short_name_of(const GitCommit& commit) {
    return to_hex(commit.id).substr(0, 10);
}

std::string source_of(const GitRepository& repository, const GitCommit& commit) {
    return fmt::format("{}@{}", repository.path(), to_hex(commit.id));
}

std::optional<PageFinding> about_moment(const GitCommit& commit) {
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
    return PageFinding{"time-unreadable", "commit " + short_name_of(commit),
                       fmt::format("the committer's time can't be read, {}", moment)};
}

void refuse_far_moment(const GitRepository& repository, const GitCommit& commit) {
    if (parse_moment(format_moment(commit.time)) != commit.time) {
        throw InputError(fmt::format("{}: commit {} has a time beyond the year 9999",
                                     repository.path(), to_hex(commit.id)));
    }
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
