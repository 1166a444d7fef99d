#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

namespace cacheledger {

/// Whether the file was removed or renamed since it was opened: what is written would be lost with
/// it.
bool has_moved(const SQLite::Database& database);

/// A transaction that changes a ledger. It has the lock from its beginning, so that what is read in
/// it is still true when it writes. Unless it is committed, its end undoes it.
class WriteTransaction {
  public:
    /// Waits some seconds for the lock. Throws DatabaseError where the file is no longer the one
    /// that was opened, SQLite::Exception (SQLITE_BUSY) where another process keeps the lock.
    /// `database` must outlive it.
    explicit WriteTransaction(SQLite::Database& database);

    /// Throws SQLite::Exception; nothing is kept then. From its first snapshot on, a ledger has a
    /// write-ahead log: before, there is nothing to be read meanwhile, and filling it is faster.
    void commit();

  private:
    SQLite::Database& database_;
    SQLite::Transaction transaction_;
};

}  // namespace cacheledger
