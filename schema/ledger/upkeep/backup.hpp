#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>

#include "schema/text/progress.hpp"

namespace cacheledger {

/// Copies the one state that `ledger` reads into the file, which must be there and be empty.
/// `ledger` must be in a transaction: others may write to it meanwhile, however often, and nothing
/// of that is in the copy. The copy is a whole ledger of the same identity in one file, without a
/// write-ahead log. It is not synced to the disk. `progress` counts bytes. Throws
/// SQLite::Exception about the file.
void copy_state(const SQLite::Database& ledger, const std::filesystem::path& file,
                const Progress& progress);

/// What a backup is: a whole ledger, or a copy for other tools (ledger_copy.hpp).
enum class BackupKind { ledger, plain };

/// Whether a backup of `ledger` may take the place of the file: there is none, it is empty, or it
/// is a backup of the same kind of an earlier or the same state of this ledger. Throws UsageError,
/// which names the file, if it is anything else.
void refuse_to_replace(SQLite::Database& ledger, const std::filesystem::path& file,
                       BackupKind kind);

/// Makes SQLite's files beside the database (FILE-wal, FILE-shm, FILE-journal) go, as they would
/// be taken for those of a file that takes its place. Throws UsageError, which names them, if they
/// stay: somebody has the database open, or there is none to which they belong.
void remove_files_beside(const std::filesystem::path& file);

/// How many bytes a ledger takes on the disk, with its log.
struct CompactedSizes {
    std::uintmax_t before = 0;
    std::uintmax_t after = 0;
    bool has_readers = false;  ///< somebody reads the state before: its bytes stay until a later
                               ///< command that writes
};

/// Rewrites the file without the pages that nothing uses (VACUUM), and gives their bytes back to
/// the disk. What the tables have stays, the ids and the states (ledger_state) among it. Needs
/// room for two copies of what is left: one in SQLite's folder for temporary files, one in the
/// write-ahead log. Throws SQLite::Exception, and then the ledger is as it was: SQLITE_BUSY if
/// another process reads or writes, SQLITE_FULL, SQLITE_INTERRUPT. Throws DatabaseError if the file
/// was removed or renamed after it was opened.
CompactedSizes compact(SQLite::Database& database);

}  // namespace cacheledger
