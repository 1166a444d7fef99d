#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// So many bytes of a subject are read.
inline constexpr std::size_t most_subject_bytes = 4096;

/// The fields of a git commit that the loader needs. libgit2 also reads commits, but returns 1970
/// for a missing time, and nothing at all if it can't read the author.
struct CommitText {
    Digest tree{};
    std::vector<Digest> parents;
    std::optional<Moment> committer_time;  ///< nullopt if it can't be read
    std::optional<Moment> author_time;
    std::string subject;  ///< the first line of its message, as it is, cut to most_subject_bytes
};

/// Throws Problem if the tree or a parent can't be read.
CommitText parse_commit(std::string_view text);

}  // namespace cacheledger
