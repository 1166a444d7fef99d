#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/diff/diff.hpp"

namespace cacheledger {

/// What changed, in words, for people: "No visible change: 31 of 32 builds were replaced by ones
/// that look the same." Of several things the one that concerns most builds comes first.
std::string sentence(const Diff& diff);

/// The number of rows of this kind of change, or of the total `spec-added` or `spec-removed`.
std::int64_t count_of(const Diff& diff, std::string_view kind);

}  // namespace cacheledger
