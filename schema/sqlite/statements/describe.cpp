#include "schema/sqlite/statements/describe.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <optional>

#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/statements/lock_holder.hpp"

namespace cacheledger {

namespace {

// The message if a log of another user lies beside a database that this user may write to.
std::optional<std::string> closed_log(const std::filesystem::path& file) {
    std::error_code unknown;
    const std::string name = std::filesystem::canonical(file, unknown).string();
    for (const char* const ending : {"-wal", "-shm"}) {
        const std::string beside = name + ending;
        if (access(name.c_str(), W_OK) == 0 && access(beside.c_str(), F_OK) == 0 &&
            access(beside.c_str(), W_OK) != 0) {
            return fmt::format(
                "{}: can't be written to; give it the owner, group and permissions of {}", beside,
                file.string());
        }
    }
    return std::nullopt;
}

}  // namespace

std::string describe(const SQLite::Exception& error, const std::filesystem::path& file) {
    const std::string name = file.string();
    switch (error.getExtendedErrorCode()) {
        case SQLITE_READONLY_ROLLBACK:
        case SQLITE_READONLY_RECOVERY:
        case SQLITE_READONLY_CANTINIT:
        case SQLITE_PROTOCOL:  // another process is still making the log's index
            return name +
                   ": a run that was writing to it was killed; any command of somebody who may "
                   "write to it mends that";
        case SQLITE_READONLY_DBMOVED:
            return name + ": another process removed or replaced it meanwhile; run this again";
        default:
            break;
    }
    switch (error.getErrorCode()) {
        case SQLITE_NOTADB:
            return name + ": not a SQLite database; name another file with --db";
        case SQLITE_CORRUPT:
            return fmt::format("{}: the database is damaged ({}); restore a copy", name,
                               error.what());
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return fmt::format("{}: in use by {}; waited {} seconds, try again when it is done",
                               name, lock_holder(file), busy_timeout_ms / 1000);
        case SQLITE_READONLY:
        case SQLITE_PERM:
            return closed_log(file).value_or(name +
                                             ": the file, or its folder, can't be written to");
        case SQLITE_CANTOPEN:
            return name + ": can't be opened; does its folder exist, and may you use it?";
        case SQLITE_FULL:
            return name + ": the disk is full; nothing half done was kept";
        case SQLITE_IOERR:
            return fmt::format(
                "{}: it can't be read or written ({}); is the disk full, or damaged? Nothing half "
                "done was kept",
                name, sqlite3_errstr(error.getExtendedErrorCode()));
        default:
            return name + ": " + error.what();
    }
}

}  // namespace cacheledger
