#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// What becomes of a log that a run could not empty at its end, since somebody read
/// (schema/ledger/file/read_only.hpp).
enum class KeptLog { is_emptied, stays };

/// Opens an existing ledger for reading. The file must have this program's schema version. All
/// reads through the connection see one state, even if another process writes meanwhile. Throws
/// DatabaseError, which names the file, if it can't be used; then it stays as it is.
SQLite::Database open_for_reading(const std::filesystem::path& file,
                                  KeptLog log = KeptLog::is_emptied);

/// Like open_for_reading(), but takes ledgers of older schema versions, too, and makes no views.
SQLite::Database open_any_version(const std::filesystem::path& file);

/// Opens a ledger for writing. Makes it if it is missing or empty, and upgrades an older one.
/// Throws DatabaseError, which names the file, if it can't be used: it is not a database, it
/// belongs to another program, a newer version wrote it, or it is not writable.
SQLite::Database open_for_writing(const std::filesystem::path& file);

/// Like open_for_writing(), but never makes a ledger: throws DatabaseError if it is missing or
/// empty.
SQLite::Database open_existing_for_writing(const std::filesystem::path& file);

/// Sets how a connection reads a ledger that may come from a stranger: only the program's own SQL
/// changes anything, and no SQL reaches other files. open_for_reading() does this, too.
void prepare_to_read_stranger(SQLite::Database& database);

/// Removes a ledger that never held a snapshot, a package repository or build times, unless another
/// process is writing to it. A run that fails calls this for a ledger that it made: an empty ledger
/// would hide the failure from the next command.
void remove_if_never_filled(const std::filesystem::path& file);

}  // namespace cacheledger
