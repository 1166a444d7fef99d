#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cacheledger {

/// So many characters of a subject are kept.
inline constexpr std::size_t most_subject_characters = 120;

/// What is kept of the first line of a commit's message, which is a stranger's text: valid UTF-8
/// (other bytes become U+FFFD) without control characters, cut. Addresses of people, and the name
/// in "Merge pull request #1 from NAME/branch", are left out.
std::string clean_subject(std::string_view line);

}  // namespace cacheledger
