#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// So many characters of a subject are kept.
inline constexpr std::size_t most_subject_characters = 120;

/// What is kept of the first line of a commit's message, which is a stranger's text: valid UTF-8
/// (other bytes become U+FFFD) without control characters, cut. Addresses of people, and the name
/// in "Merge pull request #1 from NAME/branch", are left out.
std::string clean_subject(std::string_view line);

/// The versions that a commit of this package alone adds, by its subject: "caliper: add v2.15.0",
/// "ack: add v2.28 and v3.9.0". Nothing where it may mean another thing.
std::vector<std::string> versions_of_subject(std::string_view subject, std::string_view package);

}  // namespace cacheledger
