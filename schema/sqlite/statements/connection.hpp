#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

/// Connections to database files, and the journal of a ledger: SQLite's write-ahead log. Readers
/// keep the state that they began with while another process writes. The log (FILE-wal, empty
/// between runs) and its index (FILE-shm) stay beside the database, because a user with only read
/// permission could not make them.
namespace cacheledger {

/// How long a connection waits for another process's lock, in milliseconds.
inline constexpr int busy_timeout_ms = 5000;

/// Opens a database file, whatever its name is (SQLite gives some names, such as ":memory:", a
/// meaning). `flags`: SQLITE_OPEN_... `timeout_ms`: how long to wait for locks, in milliseconds.
/// Throws SQLite::Exception.
SQLite::Database connect(const std::filesystem::path& file, int flags,
                         int timeout_ms = busy_timeout_ms);

/// Whether the connection may write. SQLite opens a file that is not writable as read-only, without
/// an error.
bool may_write(const SQLite::Database& database);

/// Sets how a writing connection treats the log. Has an effect only if the log is used.
void prepare_journal(SQLite::Database& database);

/// Turns the write-ahead log on. Must be called outside of a transaction. Keeps the rollback
/// journal in two cases: another process has the file open (a later call tries again), or the file
/// is on a network file system, where processes can't share the log's index
/// (https://sqlite.org/wal.html, "Overview").
void use_write_ahead_log(SQLite::Database& database);

/// The path of the database's log. The file may not exist.
std::filesystem::path log_of(const SQLite::Database& database);

/// Whether the log and its index both exist.
bool has_log(const SQLite::Database& database);

/// Whether this process should make the log and its index: its user owns the database and may write
/// to the folder. Files that another user makes might be unusable for the owner.
bool should_make_log(const SQLite::Database& database);

/// Gives the log and its index the group of the database, if this user owns them: users who may
/// write to the database through its group need these files. SQLite itself does this for root, and
/// sets the owner too.
void share_log(const SQLite::Database& database);

}  // namespace cacheledger
