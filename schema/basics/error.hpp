#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// The three families of failure, each with its exit code (src/options/exit_status.hpp), and being
/// asked to stop. `main` catches them.
namespace cacheledger {

/// The command line, or a name in it, can't be understood. Exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The input can't be loaded; nothing of it was. Holds one line for each thing that is wrong. Exit
/// code 3.
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

/// The database can't be used: not one, from a newer program, locked, full. Exit code 4.
struct DatabaseError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The work was asked to stop before its end, by Ctrl-C or a time limit; says what that left.
struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace cacheledger
