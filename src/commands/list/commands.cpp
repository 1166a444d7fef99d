#include <algorithm>
#include <array>

#include "src/commands/list/command.hpp"

namespace cacheledger {

namespace {

constexpr std::array all = {
    Command{"ingest", "PATH...", "load pages, indexes, lock files or a git history", run_ingest,
            ingest_help, true},
    Command{"snapshots", "", "list the snapshots", run_snapshots, snapshots_help},
    Command{"report", "[NAME]", "run a canned report; without NAME list them", run_report,
            report_help},
    Command{"specs", "[SPEC]", "list the builds that match a Spack spec", run_specs, specs_help},
    Command{"history", "SPEC", "show when builds came, changed and went", run_history,
            history_help},
    Command{"diff", "[A] [B]", "show what changed from snapshot A to B, and why", run_diff,
            diff_help},
    Command{"why", "[A] [B]", "explain why builds were rebuilt from A to B", run_why, why_help},
    Command{"dependents", "SPEC", "list what depends on a build", run_dependents, dependents_help},
    Command{"coverage", "WANTED...", "show how much of an environment a cache has", run_coverage,
            coverage_help},
    Command{"prune", "", "show what a cache would lose, before anyone deletes", run_prune,
            prune_help},
    Command{"sql", "QUERY", "run a query of your own, read-only", run_sql, sql_help},
    Command{"site", "OUT", "write the ledger as web pages into a folder", run_site, site_help},
    Command{"publish", "URL", "copy the ledger to a PostgreSQL server", run_publish, publish_help,
            true},
    Command{"pull", "URL OUT.db", "make a ledger of a published one; again: what changed", run_pull,
            pull_help, true},
    Command{"check", "", "verify the database", run_check, check_help},
    Command{"forget", "[SNAPSHOT]", "remove snapshots: one, or all but those to keep", run_forget,
            forget_help, true},
    Command{"compact", "", "make the file smaller after snapshots were removed", run_compact,
            compact_help, true},
    Command{"backup", "FILE", "copy the ledger to a file while others write to it", run_backup,
            backup_help, true},
    Command{"help", "[TOPIC]", "explain a command, a report or a topic, with examples", run_help,
            help_of_help},
};

}  // namespace

std::span<const Command> commands() {
    return all;
}

const Command* find_command(std::string_view name) {
    const auto* const found = std::ranges::find(all, name, &Command::name);
    return found == all.end() ? nullptr : found;
}

}  // namespace cacheledger
