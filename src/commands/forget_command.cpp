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

CommandHelp forget_help() {
    CommandHelp help;
    help.usage =
        "cacheledger forget SNAPSHOT\n\n"
        "Removes one snapshot. The ledger is then as if the snapshot had never been loaded. Only "
        "what it said of specs that others have, too, stays: their dependencies, for one.";
    help.words = 1;
    return help;
}

ExitStatus run_forget(const Invocation& invocation) {
    const ParsedOptions parsed = parse_options(invocation.arguments, forget_help());
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
