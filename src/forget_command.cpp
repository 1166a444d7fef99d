#include "ingest/forget.hpp"

#include <iostream>

#include "reports/text_width.hpp"
#include "schema/database.hpp"
#include "schema/error.hpp"
#include "src/command.hpp"
#include "src/interruption.hpp"
#include "src/options.hpp"
#include "src/watch.hpp"

namespace cacheledger {

ExitStatus run_forget(const Invocation& invocation) {
    const ParsedOptions parsed =
        parse_options(invocation.arguments, po::options_description("options"), 1,
                      "cacheledger forget SNAPSHOT\n\n"
                      "Removes one snapshot: the ledger is as if it had never been ingested.");
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
