#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ingest/page/page.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

/// What the text of a git commit says, as far as it matters here. libgit2 reads commits as well,
/// but gives 1970 for one without a time, and nothing for one whose author it can't read.
struct CommitText {
    Digest tree{};
    std::vector<Digest> parents;
    std::optional<Moment> committer_time;  ///< nothing where it can't be read
    std::optional<Moment> author_time;
};

/// Throws Problem where the tree or a parent can't be read.
CommitText parse_commit(std::string_view text);

}  // namespace cacheledger
