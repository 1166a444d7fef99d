#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// Opens a database for reading, while others may write to it. Leaves no file behind that would
/// keep the owner from writing: if the write-ahead log is missing and this user should not make it,
/// opens a private copy instead. Throws SQLite::Exception, and DatabaseError, which names the file,
/// if no copy can be made.
SQLite::Database open_read_only(const std::filesystem::path& file);

/// Whether the log holds a newer state than the database, because somebody read when the run that
/// wrote it ended, and this process may move that into the database: its user owns both files, and
/// the log is of this database beyond doubt. It is not if the database was written, replaced or
/// renamed later than its log, as a backup is that was put there; or if their change counters do
/// not follow each other; or if the file system does not tell when the files were made.
bool has_kept_log(const SQLite::Database& database);

/// Moves the log that has_kept_log() into the database, and empties it. Does nothing while another
/// connection has the database open: SQLite would move what no reader needs, page by page, and the
/// database alone would be no state at all. Closes `database`, waits for nobody and never throws.
void empty_kept_log(SQLite::Database database);

}  // namespace cacheledger
