#pragma once

#include <cstddef>
#include <string>

#include "src/options/usage/command_help.hpp"

namespace cacheledger {

/// What `cacheledger --help` prints: the commands to begin with, the others by their purpose, the
/// options of all commands, the topics of `help`, the exit codes.
std::string front_page(std::size_t width);

/// The options that stand before a command.
po::options_description program_options();

/// The line on exit codes.
inline constexpr const char* exit_codes_text =
    "exit codes: 0 done; 1 the answer is no, such as no build found or a failed gate; 2 wrong "
    "usage; 3 bad input, nothing loaded; 4 the database can't be used.";

}  // namespace cacheledger
