#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/upkeep/backup.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr const char* compact_usage =
    "cacheledger compact\n"
    "\n"
    "  cacheledger compact\n"
    "\n"
    "Makes the file smaller after 'cacheledger forget' removed snapshots, and prints its size "
    "before and\n"
    "after. The content of the ledger does not change. The disk needs room for two copies of what "
    "is\n"
    "left, one of them in $SQLITE_TMPDIR, else in $TMPDIR, else beside the ledger. The command "
    "waits 5\n"
    "seconds for other programs that read or write, then exits with 4. Programs that begin to read "
    "while\n"
    "it works need not wait.";

// Where SQLite makes the copy, which has no name: a folder in memory may be too small for it.
void make_copy_beside(const fs::path& database) {
    if (std::getenv("SQLITE_TMPDIR") == nullptr && std::getenv("TMPDIR") == nullptr) {
        std::error_code unknown;
        const fs::path folder = fs::weakly_canonical(fs::absolute(database), unknown).parent_path();
        setenv("SQLITE_TMPDIR", folder.c_str(), 1);
    }
}

CompactedSizes compact_ledger(const fs::path& file) {
    SQLite::Database database = open_existing_for_writing(file);
    ProgressLine progress("copying what is left");
    const Watch watch(database, progress);
    return interruptible("interrupted; the ledger is as it was", [&] { return compact(database); });
}

}  // namespace

CommandHelp compact_help() {
    CommandHelp help;
    help.usage = compact_usage;
    return help;
}

ExitStatus run_compact(const Invocation& invocation, const ParsedOptions& /*parsed*/) {
    make_copy_beside(invocation.database);
    const CompactedSizes sizes = compact_ledger(invocation.database);
    const std::string name = invocation.database.string();
    if (sizes.has_readers) {
        throw DatabaseError(fmt::format(
            "{}: compacted, but {} still reads the state before; the first command that writes "
            "after it has ended gives the bytes back",
            name, lock_holder(invocation.database)));
    }
    std::cout << fmt::format("compacted {}: {} bytes before, {} after", visible(name),
                             grouped(static_cast<std::int64_t>(sizes.before)),
                             grouped(static_cast<std::int64_t>(sizes.after)))
              << std::endl;
    return exit_done;
}

}  // namespace cacheledger
