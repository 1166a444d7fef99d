#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/options/command_line/exit_status.hpp"
#include "src/options/command_line/options.hpp"
#include "src/options/usage/command_help.hpp"

/// What a command is, and the list of all. The parser, the front page of the help, the help, the
/// man page, the completions and the hints at mistyped words go by it. A new command is a file with
/// two functions, and its line here.
namespace cacheledger {

struct Report;
class Catalog;

/// The input of every command.
struct Invocation {
    std::filesystem::path database;      ///< --db
    std::string ledger;                  ///< --ledger, if --db is the URL of a PostgreSQL server
    std::vector<std::string> arguments;  ///< the arguments after the name of the command
};

/// Where the front page of the help lists a command.
enum class Group : std::uint8_t { more_questions, keeping, sharing, own_queries, none };

/// How the arguments of a command are parsed.
enum class Parsing : std::uint8_t {
    plain,  ///< by parse_options()
    spec,   ///< by parse_spec_arguments()
    own     ///< by run(), to which no options are given
};

using Describe = CommandHelp();
using Run = ExitStatus(const Invocation&, const ParsedOptions&);

/// A command of the program. Each has one file, in a room of src/commands/, in src/site/command/ or
/// src/shell/help/, which describes its options.
struct Command {
    const char* name;
    const char* synopsis;  ///< the arguments that it takes, as the help shows them
    const char* summary;
    Group group;
    Describe* help;
    Run* run;                      ///< never with --help
    Offer words = Offer::nothing;  ///< what the words of the synopsis can be
    Parsing parsing = Parsing::plain;
    bool needs_file = false;  ///< --db can't be the URL of a PostgreSQL server
};

Describe ingest_help, snapshots_help, report_help, specs_help, history_help, diff_help, why_help,
    dependents_help, coverage_help, prune_help, sql_help, site_help, publish_help, pull_help,
    check_help, forget_help, compact_help, backup_help, help_of_help;
Run run_ingest, run_snapshots, run_report, run_specs, run_history, run_diff, run_why,
    run_dependents, run_coverage, run_prune, run_sql, run_site, run_publish, run_pull, run_check,
    run_forget, run_compact, run_backup, run_help;

/// All commands, in the order of the help.
inline constexpr std::array commands = {
    Command{"ingest", "PATH...", "load pages, indexes, lock files or a git history", Group::none,
            ingest_help, run_ingest, Offer::files, Parsing::own, true},
    Command{"snapshots", "", "list the snapshots", Group::none, snapshots_help, run_snapshots},
    Command{"report", "[NAME]", "run a canned report; without NAME list them",
            Group::more_questions, report_help, run_report, Offer::reports, Parsing::own},
    Command{"specs", "[SPEC]", "list the builds that match a Spack spec", Group::none, specs_help,
            run_specs, Offer::specs, Parsing::spec},
    Command{"history", "SPEC", "show when builds came, changed and went", Group::none, history_help,
            run_history, Offer::specs, Parsing::spec},
    Command{"diff", "[A] [B]", "show what changed from snapshot A to B, and why", Group::none,
            diff_help, run_diff, Offer::snapshots},
    Command{"why", "[A] [B]", "explain why builds were rebuilt from A to B", Group::more_questions,
            why_help, run_why, Offer::snapshots},
    Command{"dependents", "SPEC", "list what depends on a build", Group::more_questions,
            dependents_help, run_dependents, Offer::specs, Parsing::spec},
    Command{"coverage", "WANTED...", "show how much of an environment a cache has", Group::none,
            coverage_help, run_coverage, Offer::wanted},
    Command{"prune", "", "show what a cache would lose, before anyone deletes",
            Group::more_questions, prune_help, run_prune},
    Command{"sql", "QUERY", "run a query of your own, read-only", Group::own_queries, sql_help,
            run_sql},
    Command{"site", "OUT", "write the ledger as web pages into a folder", Group::sharing, site_help,
            run_site, Offer::folders},
    Command{"publish", "URL", "copy the ledger to a PostgreSQL server", Group::sharing,
            publish_help, run_publish, Offer::nothing, Parsing::plain, true},
    Command{"pull", "URL OUT.db", "make a ledger of a published one; again: what changed",
            Group::sharing, pull_help, run_pull, Offer::nothing, Parsing::plain, true},
    Command{"check", "", "verify the database", Group::keeping, check_help, run_check},
    Command{"forget", "[SNAPSHOT]", "remove snapshots: one, or all but those to keep",
            Group::keeping, forget_help, run_forget, Offer::loaded_snapshots, Parsing::plain, true},
    Command{"compact", "", "make the file smaller after snapshots were removed", Group::keeping,
            compact_help, run_compact, Offer::nothing, Parsing::plain, true},
    Command{"backup", "FILE", "copy the ledger to a file while others write to it", Group::keeping,
            backup_help, run_backup, Offer::files, Parsing::plain, true},
    Command{"help", "[TOPIC]", "explain a command, a report or a topic, with examples", Group::none,
            help_of_help, run_help, Offer::topics},
};

/// The command of this name, or nullptr.
inline const Command* find_command(std::string_view name) {
    const auto* const found = std::ranges::find(commands, name, &Command::name);
    return found == commands.end() ? nullptr : found;
}

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

}  // namespace cacheledger
