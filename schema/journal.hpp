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

/// Whether the file is one with a log that can't be read as such: log and index are not there, and
/// the folder lets nobody make them (a copy on a read-only medium). Nobody can be writing to it.
bool is_copy_without_log(const std::filesystem::path& file);

}  // namespace cacheledger
