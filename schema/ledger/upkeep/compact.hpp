#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>

namespace cacheledger {

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
