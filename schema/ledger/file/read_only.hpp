#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// Opens a database for reading, while others may write to it. Leaves no file behind that would
/// keep the owner from writing: if the write-ahead log is missing and this user should not make it,
/// opens a private copy instead. Throws SQLite::Exception, and DatabaseError, which names the file,
/// if no copy can be made.
SQLite::Database open_read_only(const std::filesystem::path& file);

/// Whether the write-ahead log has bytes: a writer is at work, was killed, or could not empty the
/// log at its end because somebody read.
bool log_has_bytes(const SQLite::Database& database);

/// Empties the log, so that the file alone is the newest state, if this user may write to the
/// database. Never waits for a lock, and never throws: what can't be moved, because somebody reads
/// an older state or the disk is full, stays in the log.
void empty_log_if_possible(const SQLite::Database& database);

}  // namespace cacheledger
