#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

#include <cstdint>
#include <functional>

namespace cacheledger {

/// Whether the file was removed or renamed after it was opened. Writes to it would be lost.
bool has_moved(const SQLite::Database& database);

/// A transaction that changes a ledger. It takes the write lock at its beginning, so what it reads
/// stays true until it writes. The destructor rolls it back unless commit() was called.
class WriteTransaction {
  public:
    /// Waits up to the timeout of the connection for the lock. Throws DatabaseError if the file was
    /// removed or renamed after it was opened, and SQLite::Exception (SQLITE_BUSY) if another
    /// process keeps the lock. `database` must outlive the transaction.
    explicit WriteTransaction(SQLite::Database& database);

    /// Throws SQLite::Exception, and then nothing is kept. Notes a new state of the ledger if
    /// anything changed but by write_aside() (schema/sqlite/transactions/ledger_state.hpp). Turns
    /// on the write-ahead log if the ledger has a snapshot, a package repository or build times: an
    /// empty ledger has nothing that others could read meanwhile, and is filled faster without a
    /// log.
    void commit();

    /// Does what makes no new state of the ledger.
    void write_aside(const std::function<void()>& work);

  private:
    SQLite::Database& database_;
    SQLite::Transaction transaction_;
    std::int64_t changes_before_;
};

}  // namespace cacheledger
