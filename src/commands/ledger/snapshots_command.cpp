#include "reports/engine/query/run_query.hpp"
#include "src/commands/asked/asked_ledger.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/output/output.hpp"

namespace cacheledger {

CommandHelp snapshots_help() {
    CommandHelp help;
    help.usage =
        "cacheledger snapshots [options]\n\nLists the snapshots by series, from old to new.";
    add_output_options(help.options);
    return help;
}

ExitStatus run_snapshots(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, snapshots_help());
    if (parsed.help) {
        return exit_done;
    }
    const Output output(parsed, invocation.database);
    AskedLedger ledger(invocation.database, invocation.ledger);
    ResultTable table =
        run_query(ledger.database(), "snapshots",
                  "SELECT name, tag, series, taken_at, packages, specs, extent, kind, source "
                  "FROM snapshots ORDER BY series, taken_at",
                  {});
    table.implied = {"tag", "series", "taken_at"};
    output.write(table);
    return exit_done;
}

}  // namespace cacheledger
