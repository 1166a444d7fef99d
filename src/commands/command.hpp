#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "src/options/exit_status.hpp"

namespace cacheledger {

/// What every command is given.
struct Invocation {
    std::filesystem::path database;      ///< --db
    std::vector<std::string> arguments;  ///< what stands behind the command's name
};

/// A command of the program. Each is one file of src/; its options are described there.
struct Command {
    const char* name;
    const char* synopsis;  ///< what stands behind the name
    const char* summary;
    ExitStatus (*run)(const Invocation&);
};

ExitStatus run_ingest(const Invocation& invocation);
ExitStatus run_snapshots(const Invocation& invocation);
ExitStatus run_report(const Invocation& invocation);
ExitStatus run_diff(const Invocation& invocation);
ExitStatus run_sql(const Invocation& invocation);
ExitStatus run_check(const Invocation& invocation);
ExitStatus run_forget(const Invocation& invocation);

/// All of them, in the order of the help.
std::span<const Command> commands();

}  // namespace cacheledger
