#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/git/git_repository.hpp"
#include "ingest/page/findings.hpp"

namespace cacheledger {

/// The first digits of the commit's id, for messages.
std::string short_name_of(const GitCommit& commit);

/// For the column `source`: REPO@ID.
std::string source_of(const GitRepository& repository, const GitCommit& commit);

/// A finding if the commit gives a snapshot at `moment`, and that is not the committer's time.
std::optional<PageFinding> about_moment(const GitCommit& commit, Moment moment);

/// A path of the user as git has it: "a/b" for "./a//b/", "" for the top of the repository. Throws
/// UsageError for a path that leads out of the repository. `expected`: "a folder", for messages.
std::string path_in_repository(const std::string& path, std::string_view expected);

}  // namespace cacheledger
