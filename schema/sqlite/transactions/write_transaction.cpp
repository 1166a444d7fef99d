#include "schema/sqlite/transactions/write_transaction.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

namespace cacheledger {

bool has_moved(const SQLite::Database& database) {
    int moved = 0;
    sqlite3_file_control(database.getHandle(), nullptr, SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

WriteTransaction::WriteTransaction(SQLite::Database& database)
    : database_(database),
      transaction_(database, SQLite::TransactionBehavior::IMMEDIATE),
      changes_before_(sqlite3_total_changes64(database.getHandle())) {
    if (has_moved(database)) {
        throw DatabaseError(
            fmt::format("{}: another process removed or replaced it meanwhile; run this again",
                        database.getFilename()));
    }
}

void WriteTransaction::write_aside(const std::function<void()>& work) {
    const std::int64_t before = sqlite3_total_changes64(database_.getHandle());
    work();
    changes_before_ += sqlite3_total_changes64(database_.getHandle()) - before;
}

void WriteTransaction::commit() {
    if (sqlite3_total_changes64(database_.getHandle()) != changes_before_) {
        add_state(database_);
    }
    transaction_.commit();
    if (database_
            .execAndGet("SELECT EXISTS (SELECT 1 FROM snapshot) "
                        "OR EXISTS (SELECT 1 FROM package_repository) "
                        "OR EXISTS (SELECT 1 FROM build_time)")
            .getInt() != 0) {
        use_write_ahead_log(database_);
    }
}

}  // namespace cacheledger
