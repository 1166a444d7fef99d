#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "src/shell/completion/values.hpp"

namespace cacheledger {

/// What can stand where `current` stands, behind the words of a command line of the program
/// (without its name). Commands, options and their values come from the help of the commands
/// (src/options/usage/command_help.hpp). `database`: that of the program, unless the words have
/// --db. The names in a published ledger are those of its copy (copy_of()), if that is there.
Completion complete(const std::vector<std::string>& words, const std::string& current,
                    const std::filesystem::path& database);

}  // namespace cacheledger
