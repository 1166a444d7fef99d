#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/options/usage/command_help.hpp"

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

/// What the values that can stand in a command line may depend on.
struct Place {
    std::filesystem::path database;
    std::vector<std::filesystem::path> report_folders;  ///< of --reports
};

/// Those of the values that begin with `typed`. Names are those of the ledger, if it can be read at
/// once; it is neither written nor locked. Of a list, what is typed before the last comma stays.
Completion values_for(const Values& values, const Place& place, std::string_view typed);

}  // namespace cacheledger
