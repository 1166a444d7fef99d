#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/options/usage/choice.hpp"

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

/// A place in a command line that takes a value.
struct Place {
    std::string option;  ///< the long name of the option, or empty for a word
    std::string name;    ///< the name of the value in the help: "SNAPSHOT", "FILE"
    std::filesystem::path database;
    std::vector<std::filesystem::path> report_folders;  ///< of --reports
};

/// The values that fit the place and begin with `typed`. Names are those of the ledger, if it can
/// be read at once; it is neither written nor locked.
Completion values_for(const Place& place, std::string_view typed);

/// The choices that begin with `typed`. Of a list, what is typed before the last comma stays.
Completion values_for(const Choices& choices, std::string_view typed);

}  // namespace cacheledger
