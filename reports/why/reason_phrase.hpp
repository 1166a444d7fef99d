#pragma once

#include <string>
#include <vector>

#include "reports/table/value.hpp"

namespace cacheledger {

/// "a", "a and b", "a, b and c"; after `most` of them "and 2 others".
std::string listed(const std::vector<std::string>& words, std::size_t most);

/// What stands behind "48 by" in a sentence: "gcc-runtime 13.2.0 -> 13.3.0", "the recipe of rust".
/// `row`: as in Why::reasons.
std::string reason_phrase(const std::vector<Value>& row);

}  // namespace cacheledger
