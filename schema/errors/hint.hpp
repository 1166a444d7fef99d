#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Commands that messages tell the user to type.
namespace cacheledger {

/// The word as a shell takes it: in single quotes if it has other characters than letters, digits
/// and those of names and paths.
std::string shell_quoted(std::string_view word);

/// The command line of the program with these words, to be copied into a shell. It names the
/// database as the user did: "cacheledger --db my.db report coverage/stacks".
std::string command_hint(const std::vector<std::string>& words);

/// How the command line names the database, for command_hint(): --db FILE. Without this call, it is
/// not named.
void hint_at_database(std::vector<std::string> words);

}  // namespace cacheledger
