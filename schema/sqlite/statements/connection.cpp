#include "schema/sqlite/statements/connection.hpp"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

namespace cacheledger {

namespace {

// SQLite gives the names ":memory:" and "file:..." a meaning of their own.
std::string name_of_file(const std::filesystem::path& file) {
    const std::string name = file.string();
    return name.starts_with(':') || name.starts_with("file:") ? "./" + name : name;
}

namespace fs = std::filesystem;

bool is_on_network(const std::string& file) {
    // NFS, SMB, SMB2, CIFS, AFS, Ceph, 9P, FUSE, Lustre, GPFS, BeeGFS. The numbers are from Linux's
    // magic.h and from the headers of Lustre and IBM.
    constexpr std::array<unsigned, 11> network{0x6969,     0x517b,     0xfe534d42, 0xff534d42,
                                               0x5346414f, 0x00c36400, 0x01021997, 0x65735546,
                                               0x0bd00bd0, 0x47504653, 0x19830326};
    struct statfs about {};
    return statfs(file.c_str(), &about) == 0 &&
           std::ranges::count(network, static_cast<unsigned>(about.f_type)) != 0;
}

// SQLite follows symbolic links: its files lie beside the database itself.
fs::path file_beside(const SQLite::Database& database, const char* ending) {
    return fs::path(sqlite3_db_filename(database.getHandle(), "main")) += ending;
}

}  // namespace

SQLite::Database connect(const std::filesystem::path& file, int flags, int timeout_ms) {
    // NOMUTEX: SQLite would otherwise lock a mutex for each value that is read or bound.
    return {name_of_file(file), flags | SQLITE_OPEN_NOMUTEX, timeout_ms};
}

bool may_write(const SQLite::Database& database) {
    return sqlite3_db_readonly(database.getHandle(), "main") == 0;
}

void prepare_journal(SQLite::Database& database) {
    int keep = 1;
    sqlite3_file_control(database.getHandle(), nullptr, SQLITE_FCNTL_PERSIST_WAL, &keep);
    database.exec("PRAGMA journal_size_limit = 0");  // bytes that are kept of the log
}

void use_write_ahead_log(SQLite::Database& database) {
    if (is_on_network(database.getFilename())) {
        return;
    }
    // The change of mode must not wait for readers.
    const int timeout = database.execAndGet("PRAGMA busy_timeout").getInt();
    database.setBusyTimeout(0);
    try {
        database.exec("PRAGMA journal_mode = WAL");
        database.execAndGet("PRAGMA user_version");  // makes the log and its index
        share_log(database);
    } catch (const SQLite::Exception&) {
        // Another process has the file open. Nothing is lost: the next commit tries again.
    }
    database.setBusyTimeout(timeout);
}

fs::path log_of(const SQLite::Database& database) {
    return file_beside(database, "-wal");
}

bool has_log(const SQLite::Database& database) {
    std::error_code unknown;
    return fs::exists(log_of(database), unknown) &&
           fs::exists(file_beside(database, "-shm"), unknown);
}

bool should_make_log(const SQLite::Database& database) {
    const fs::path file = file_beside(database, "");
    struct stat about {};
    return stat(file.c_str(), &about) == 0 && about.st_uid == geteuid() &&
           access(file.parent_path().c_str(), W_OK) == 0;
}

void share_log(const SQLite::Database& database) {
    struct stat about {};
    if (stat(file_beside(database, "").c_str(), &about) != 0) {
        return;
    }
    for (const char* const ending : {"-wal", "-shm"}) {
        // Fails if the file belongs to another user, or this user is not in the group.
        [[maybe_unused]] const int result =
            lchown(file_beside(database, ending).c_str(), static_cast<uid_t>(-1), about.st_gid);
    }
}

}  // namespace cacheledger
