#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>

#include "reports/render/table/result_table.hpp"
#include "reports/render/table/text_width.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/file/ledger_copy.hpp"
#include "schema/ledger/upkeep/backup.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"
#include "src/terminal/files/draft_file.hpp"
#include "src/terminal/progress/progress_line.hpp"
#include "src/terminal/stopping/stopping.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

constexpr const char* backup_usage =
    "cacheledger backup [--plain] FILE\n"
    "\n"
    "  cacheledger backup copy.db\n"
    "  cacheledger backup --plain tools.db\n"
    "\n"
    "Copies the ledger to FILE, as it is at one moment, while others write to it. FILE is a "
    "ledger, too:\n"
    "--db can name it, and docs/design.md says how to restore it. It is written completely or not "
    "at\n"
    "all, and is on the disk when the command ends.\n"
    "The command replaces an earlier backup of this ledger. It refuses any other FILE: another "
    "ledger, a\n"
    "file that is no ledger, and a ledger with something that this one lacks.\n"
    "\n"
    "With --plain the copy is for tools with another SQLite, from 3.26 on: it has all tables and "
    "views, but\n"
    "no STRICT tables, and no views with a row for each pair of snapshots.";

/// The file that is to be written. Throws UsageError if it is no place for a backup.
fs::path target_of(const fs::path& out, const fs::path& database) {
    std::error_code missing;
    if (fs::is_directory(out, missing)) {
        throw UsageError(fmt::format("{}: a folder; name the file in it that is to be the backup",
                                     out.string()));
    }
    const auto target = find_replaceable(out);
    if (!target || out == "-") {
        throw UsageError(fmt::format("{}: not a file; a backup is one", out.string()));
    }
    if (is_part_of_database(out, database)) {
        throw UsageError(
            fmt::format("{}: that is the ledger itself; name another file", out.string()));
    }
    return *target;
}

/// Of a new backup: whom the permissions of the ledger keep out can't read it.
mode_t mode_of_copy(const fs::path& ledger) {
    constexpr mode_t all = 0666;
    struct stat status {};
    return S_IRUSR | S_IWUSR |
           (stat(ledger.c_str(), &status) == 0 ? status.st_mode & all : mode_t{0});
}

[[noreturn]] void refuse(const fs::path& target, int error) {
    if (error == ENOSPC || error == EIO || error == EDQUOT) {
        throw DatabaseError(
            fmt::format("{}: can't be written: {}", target.string(), std::strerror(error)));
    }
    refuse_to_write(target, error);
}

std::size_t copy_to(SQLite::Database& ledger, const fs::path& file, BackupKind kind) {
    if (kind == BackupKind::plain) {
        SQLite::Database copy = begin_copy_for_readers(file);
        copy_for_tools(ledger, copy);
        return fs::file_size(file);
    }
    ProgressLine progress("copying the ledger, in MB");
    constexpr std::size_t megabyte = 1'000'000;
    std::size_t bytes = 0;
    copy_state(ledger, file, [&](std::size_t done, std::size_t all) {
        progress.show(done / megabyte, std::max<std::size_t>(all / megabyte, 1));
        stop_if_interrupted();
        bytes = all;
    });
    return bytes;
}

/// Returns the bytes of the backup.
std::size_t back_up(SQLite::Database& ledger, const fs::path& target, BackupKind kind) {
    try {
        DraftFile draft(target, mode_of_copy(ledger.getFilename()));
        const std::size_t bytes = copy_to(ledger, draft.path(), kind);
        draft.sync();
        refuse_to_replace(ledger, target, kind);  // again: another backup may have come meanwhile
        remove_files_beside(target);
        stop_if_interrupted();
        draft.replace();
        return bytes;
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, target));
    } catch (const DraftError& error) {
        refuse(target, error.number);
    }
}

}  // namespace

CommandHelp backup_help() {
    CommandHelp help;
    help.usage = backup_usage;
    help.words = 1;
    help.options.add_options()("plain", "write a copy for other tools, which is no ledger");
    return help;
}

ExitStatus run_backup(const Invocation& invocation, const ParsedOptions& parsed) {
    if (parsed.words.empty() || parsed.words[0].empty()) {
        throw UsageError("backup: expected the name of a file; see cacheledger backup --help");
    }
    const fs::path out = parsed.words[0];
    const fs::path target = target_of(out, invocation.database);
    SQLite::Database ledger = open_any_version(invocation.database);
    const BackupKind kind = parsed.has("plain") ? BackupKind::plain : BackupKind::ledger;
    refuse_to_replace(ledger, target, kind);
    std::size_t bytes = 0;
    interruptible("interrupted; no backup was made",
                  [&] { bytes = back_up(ledger, target, kind); });
    std::cout << fmt::format("backed up {} to {}: {} bytes", visible(invocation.database.string()),
                             visible(out.string()), grouped(static_cast<std::int64_t>(bytes)))
              << std::endl;
    return exit_done;
}

}  // namespace cacheledger
