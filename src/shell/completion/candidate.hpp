#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cacheledger {

/// A word that could stand where the user asks for a completion.
struct Candidate {
    std::string text;
    std::string about;  ///< for shells that show it; may be empty
};

/// What the shell shall offer besides, because it knows better how to.
enum class Paths : std::uint8_t { none, files, folders };

struct Completion {
    std::vector<Candidate> candidates;
    Paths paths = Paths::none;
};

}  // namespace cacheledger
