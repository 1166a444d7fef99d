#include "schema/sqlite/statements/describe.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "schema/sqlite/statements/connection.hpp"

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

// The process whose lock keeps these bytes of the file from being locked. The file stays open: to
// close it would release the locks that this process has on it (fcntl(2)).
std::optional<pid_t> holder_of(const std::filesystem::path& file, off_t begin, off_t length) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return std::nullopt;
    }
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = begin;
    lock.l_len = length;
    const bool is_held = fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    return is_held ? std::optional(lock.l_pid) : std::nullopt;
}

std::optional<pid_t> user_of(const std::filesystem::path& file) {
    // https://sqlite.org/walformat.html, 2.3: WAL_WRITE_LOCK, a byte of the log's index.
    constexpr off_t log_write_lock = 120;
    // WAL_READ_LOCK: who reads keeps the log, and the file, from being cut.
    constexpr off_t log_read_locks = 123;
    constexpr off_t num_log_read_locks = 5;
    // SQLite's os.h, for databases without a log: a writer locks PENDING_BYTE and RESERVED_BYTE,
    // and a reader the range at SHARED_FIRST, which keeps the writer from its commit.
    constexpr off_t pending_and_reserved = 0x40000000;
    constexpr off_t shared = pending_and_reserved + 2;
    if (const auto writer = holder_of(file.string() + "-shm", log_write_lock, 1)) {
        return writer;
    }
    if (const auto writer = holder_of(file, pending_and_reserved, 2)) {
        return writer;
    }
    if (const auto reader = holder_of(file.string() + "-shm", log_read_locks, num_log_read_locks)) {
        return reader;
    }
    return holder_of(file, shared, 510);
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

std::string lock_holder(const std::filesystem::path& file) {
    const auto process = user_of(file);
    if (!process || *process <= 0) {
        return "another process";
    }
    std::string name;
    std::getline(std::ifstream(fmt::format("/proc/{}/comm", *process)), name);
    return name.empty() ? fmt::format("process {}", *process)
                        : fmt::format("{}, process {}", name, *process);
}

}  // namespace cacheledger
