#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/options/command_line/exit_status.hpp"
#include "src/options/usage/command_help.hpp"

namespace cacheledger {

struct Report;
class Catalog;

/// The input of every command.
struct Invocation {
    std::filesystem::path database;      ///< --db
    std::string ledger;                  ///< --ledger, if --db is the URL of a PostgreSQL server
    std::vector<std::string> arguments;  ///< the arguments after the name of the command
};

/// A command of the program. Each has one file, in a room of src/commands/, in src/site/command/ or
/// src/shell/help/, which describes its options.
struct Command {
    const char* name;
    const char* synopsis;  ///< the arguments that it takes, as the help shows them
    const char* summary;
    ExitStatus (*run)(const Invocation&);
    CommandHelp (*help)();
    bool needs_file = false;  ///< --db can't be the URL of a PostgreSQL server
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
ExitStatus run_prune(const Invocation& invocation);
ExitStatus run_site(const Invocation& invocation);
ExitStatus run_sql(const Invocation& invocation);
ExitStatus run_publish(const Invocation& invocation);
ExitStatus run_pull(const Invocation& invocation);
ExitStatus run_check(const Invocation& invocation);
ExitStatus run_forget(const Invocation& invocation);
ExitStatus run_compact(const Invocation& invocation);
ExitStatus run_backup(const Invocation& invocation);
ExitStatus run_help(const Invocation& invocation);

CommandHelp ingest_help();
CommandHelp snapshots_help();
CommandHelp report_help();
CommandHelp specs_help();
CommandHelp history_help();
CommandHelp diff_help();
CommandHelp why_help();
CommandHelp dependents_help();
CommandHelp coverage_help();
CommandHelp prune_help();
CommandHelp site_help();
CommandHelp sql_help();
CommandHelp publish_help();
CommandHelp pull_help();
CommandHelp check_help();
CommandHelp forget_help();
CommandHelp compact_help();
CommandHelp backup_help();
CommandHelp help_of_help();

/// The help of a report, which is a command of its own: its parameters are options.
CommandHelp help_of_report(const Catalog& catalog, const Report& report);

/// The name of the command that shells call for completions (src/shell/completion/cacheledger.bash
/// and the files beside it). No help lists it.
inline constexpr const char* completion_command = "complete";

/// `complete -- WORD...` prints what can stand where the last word stands, one in each line, with a
/// tab and an explanation behind it. The words are those of a command line behind the name of the
/// program. A line of a tab and "files" or "folders" asks the shell to offer these, too.
///
/// `complete --line TEXT BREAKS` does the same for bash: TEXT is the command line up to the cursor,
/// with the program's name, BREAKS is COMP_WORDBREAKS. What it prints is quoted.
///
/// It never fails, prints nothing on standard error, and writes nothing.
ExitStatus run_complete(const Invocation& invocation);

/// All commands, in the order of the help.
std::span<const Command> commands();

/// The command of this name, or nullptr.
const Command* find_command(std::string_view name);

}  // namespace cacheledger
