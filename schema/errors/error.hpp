#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// The exceptions that end a command. UsageError, InputError and DatabaseError have exit codes
/// (src/options/command_line/exit_status.hpp); Interrupted means that the user or a time limit
/// stopped the command. src/command_line.cpp catches them.
namespace cacheledger {

/// The command line, or a name in it, is not understood, or a library that the command needs is not
/// installed. Exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The input can't be loaded, and nothing of it was loaded. problems() has one line for each
/// problem. Exit code 3.
class InputError : public std::runtime_error {
  public:
    explicit InputError(const std::string& problem) : InputError(std::vector{problem}) {}
    explicit InputError(std::vector<std::string> problems)
        : std::runtime_error(problems.empty() ? "bad input" : problems.front()),
          problems_(std::move(problems)) {}

    const std::vector<std::string>& problems() const { return problems_; }

  private:
    std::vector<std::string> problems_;
};

/// Some files can't be read, and the others, which are more, could be loaded without them.
struct UnreadableFiles : InputError {
    using InputError::InputError;
};

/// The database can't be used: it is not a database, a newer program wrote it, it is locked, or the
/// disk is full. Exit code 4.
struct DatabaseError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Ctrl-C or a time limit stopped the work before its end. The text says what is left behind.
struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace cacheledger
