#pragma once

#include <string>
#include <vector>

#include "src/options/command_line/exit_status.hpp"

namespace cacheledger {

/// Runs the program with these arguments and returns its exit status. This is the one place where
/// errors become lines on standard error.
ExitStatus run_command_line(const std::vector<std::string>& arguments);

}  // namespace cacheledger
