#include "ingest/snapshots/forget.hpp"

#include <iostream>

#include "reports/table/text_width.hpp"
#include "schema/basics/error.hpp"
#include "schema/ledger/database.hpp"
#include "src/commands/command.hpp"
#include "src/options/options.hpp"
#include "src/stopping/interruption.hpp"
#include "src/stopping/watch.hpp"

namespace cacheledger {

ExitStatus run_forget(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(
        invocation.arguments, po::options_description("options"), 1,
        "cacheledger forget SNAPSHOT\n\n"
        "Removes one snapshot. The ledger is then as if the snapshot had never been loaded. Only "
        "what\n"
        "it said of specs that others have, too, stays: their dependencies, for one.");
    if (parsed.help) {
        return exit_done;
    }
    if (parsed.words.empty()) {
        throw UsageError("forget: expected a snapshot; see cacheledger forget --help");
    }
    SQLite::Database database = open_existing_for_writing(invocation.database);
    const Watch watch(database);
    const Snapshot snapshot = interruptible("interrupted; nothing was removed",
                                            [&] { return forget(database, parsed.words[0]); });
    std::cout << "forgot " << visible(snapshot.name) << std::endl;
    return exit_done;
}

}  // namespace cacheledger
