#include "reports/runner.hpp"
#include "schema/database.hpp"
#include "src/command.hpp"
#include "src/options.hpp"
#include "src/output.hpp"
#include "src/watch.hpp"

namespace cacheledger {

ExitStatus run_snapshots(const Invocation& invocation) {
    po::options_description options("options");
    add_output_options(options);
    const ParsedOptions parsed = parse_options(
        invocation.arguments, options, 0,
        "cacheledger snapshots [options]\n\nLists the snapshots, each series from old to new.");
    if (parsed.help) {
        return exit_done;
    }
    const Output output(parsed, invocation.database);
    SQLite::Database database = open_for_reading(invocation.database);
    const Watch watch(database);
    output.write(run_query(database, "snapshots",
                           "SELECT name, tag, series, taken_at, packages, specs, extent, source "
                           "FROM snapshots ORDER BY series, taken_at",
                           {}));
    return exit_done;
}

}  // namespace cacheledger
