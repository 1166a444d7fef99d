#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "src/options/exit_status.hpp"

namespace cacheledger {

/// The input of every command.
struct Invocation {
    std::filesystem::path database;      ///< --db
    std::vector<std::string> arguments;  ///< the arguments after the name of the command
};

/// A command of the program. Each has one file, in src/commands/, src/questions/, src/site/ or
/// src/sql/, which describes its options.
struct Command {
    const char* name;
    const char* synopsis;  ///< the arguments that it takes, as the help shows them
    const char* summary;
    ExitStatus (*run)(const Invocation&);
};

ExitStatus run_ingest(const Invocation& invocation);
ExitStatus run_snapshots(const Invocation& invocation);
ExitStatus run_report(const Invocation& invocation);
ExitStatus run_specs(const Invocation& invocation);
ExitStatus run_history(const Invocation& invocation);
ExitStatus run_diff(const Invocation& invocation);
ExitStatus run_why(const Invocation& invocation);
ExitStatus run_dependents(const Invocation& invocation);
ExitStatus run_coverage(const Invocation& invocation);
ExitStatus run_site(const Invocation& invocation);
ExitStatus run_sql(const Invocation& invocation);
ExitStatus run_check(const Invocation& invocation);
ExitStatus run_forget(const Invocation& invocation);

/// All commands, in the order of the help.
std::span<const Command> commands();

}  // namespace cacheledger
