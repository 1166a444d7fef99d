#include "src/command.hpp"

namespace cacheledger {

namespace {

constexpr Command all[] = {
    {"ingest", "PATH...", "load pages: files, folders, or - for standard input", run_ingest},
    {"snapshots", "", "list the snapshots", run_snapshots},
    {"report", "[NAME]", "run a canned report; without a name list them", run_report},
    {"diff", "A B", "what changed from snapshot A to B, and why", run_diff},
    {"sql", "QUERY", "run a query of your own, read-only", run_sql},
    {"check", "", "verify the database", run_check},
    {"forget", "SNAPSHOT", "remove one snapshot", run_forget},
};

}  // namespace

std::span<const Command> commands() {
    return all;
}

}  // namespace cacheledger
