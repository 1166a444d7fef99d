#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

/// How a ledger is kept whole while it is written: SQLite's write-ahead log, in which readers go on
/// with the state that they began with. The log and its index stay beside the file (FILE-wal, empty
/// between runs, and FILE-shm): who may only read could not make them.
namespace cacheledger {

/// What a connection that writes does about the log; has no effect until it is used.
void prepare_journal(SQLite::Database& database);

/// Turns the log on, outside of any transaction. Leaves the rollback journal where somebody else
/// has the file open, to try again another time, and on a network file system, where the log's
/// index in shared memory is not shared (https://sqlite.org/wal.html, "Overview").
void use_write_ahead_log(SQLite::Database& database);

/// The file of a database's log, be it there or not.
std::filesystem::path log_of(const SQLite::Database& database);

/// Whether the log and its index are both there.
bool has_log(const SQLite::Database& database);

/// Whether this process should make them: its user owns the database, and may write to the folder.
/// The owner may not be able to use those that another user has made.
bool should_make_log(const SQLite::Database& database);

/// Gives the log and its index the group of the database, where this user has made them: whoever
/// may write to the database by its group needs them. For root, SQLite itself does so, with the
/// owner.
void share_log(const SQLite::Database& database);

}  // namespace cacheledger
