#pragma once

#include <SQLiteCpp/Database.h>

#include <filesystem>

namespace cacheledger {

/// Opens a ledger to read from it. The file must exist and be a ledger of this program's schema
/// version. All that is read through it is of one state, whoever writes meanwhile. Throws
/// DatabaseError, naming the file, where it can't be used.
SQLite::Database open_for_reading(const std::filesystem::path& file);

/// Opens a ledger to write to it, makes it where it is missing or empty, and brings an older one up
/// to date. Throws DatabaseError, naming the file, where it can't be used: not a database, another
/// program's, written by a newer version, not writable.
SQLite::Database open_for_writing(const std::filesystem::path& file);

/// The same for a ledger that is there: it never makes one.
SQLite::Database open_existing_for_writing(const std::filesystem::path& file);

/// Removes a ledger that never held a snapshot, unless another process is writing to it: what a run
/// that failed has made would hide the failure from the next command.
void remove_if_never_filled(const std::filesystem::path& file);

}  // namespace cacheledger
