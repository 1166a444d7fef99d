#include <array>

#include "src/commands/command.hpp"

namespace cacheledger {

namespace {

constexpr std::array all = {
    Command{"ingest", "PATH...",
            "load pages: files, folders, - for standard input, or a git history", run_ingest},
    Command{"snapshots", "", "list the snapshots", run_snapshots},
    Command{"report", "[NAME]", "run a canned report; without a name list all reports", run_report},
    Command{"specs", "[SPEC]", "list the builds that match a Spack spec", run_specs},
    Command{"history", "SPEC", "tell what became of a package or of one build", run_history},
    Command{"diff", "[A] [B]", "show what changed from snapshot A to B, and why", run_diff},
    Command{"why", "[A] [B]", "explain why specs were rebuilt from snapshot A to B", run_why},
    Command{"dependents", "SPEC", "list the specs that need a spec", run_dependents},
    Command{"coverage", "WANTED", "tell how much of an environment a cache has", run_coverage},
    Command{"sql", "QUERY", "run a query of your own, read-only", run_sql},
    Command{"site", "OUT", "write the ledger as web pages into a folder", run_site},
    Command{"check", "", "verify the database", run_check},
    Command{"forget", "SNAPSHOT", "remove one snapshot", run_forget},
};

}  // namespace

std::span<const Command> commands() {
    return all;
}

}  // namespace cacheledger
