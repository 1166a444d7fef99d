#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/diff/diff.hpp"
#include "reports/drift/change_words.hpp"

namespace cacheledger {

/// What changed, in words, for people: "Stack ml is gone: 4 builds left it. 2 new versions (3
/// builds); 31 of 40 builds were rebuilt (same version and options, new hash)." Stacks that only
/// one of the snapshots has come first; of the rest, what concerns most builds.
/// For Diff::sentence; needs all else that compare_snapshots() gives.
std::string sentence_of(const Diff& diff);

/// How the sentence calls the two snapshots.
ComparedNames names_of(const Diff& diff);

/// The number of rows of this kind of change, or of the total `spec-added` or `spec-removed`.
std::int64_t count_of(const Diff& diff, std::string_view kind);

}  // namespace cacheledger
