#include "schema/ledger/file/ledger_copy.hpp"

#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <memory>

#include "schema/ledger/file/database.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/connection.hpp"

namespace cacheledger {

namespace {

void copy_pages(const SQLite::Database& ledger, const SQLite::Database& copy) {
    const std::unique_ptr<sqlite3_backup, int (*)(sqlite3_backup*)> backup(
        sqlite3_backup_init(copy.getHandle(), "main", ledger.getHandle(), "main"),
        sqlite3_backup_finish);
    const int result = backup ? sqlite3_backup_step(backup.get(), -1) : copy.getErrorCode();
    if (result != SQLITE_DONE) {
        throw SQLite::Exception(sqlite3_errstr(result), result);
    }
}

void prepare_copy(SQLite::Database& copy) {
    prepare_to_read_stranger(copy);
    migrate(copy);  // the views may be of another version of the program, or a stranger's
}

SQLite::Database open_memory() {
    return {":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX};
}

void prepare_memory(SQLite::Database& ledger) {
    prepare_copy(ledger);
    // Rows may be added before those that they refer to. `check` asks about files only.
    ledger.exec("PRAGMA foreign_keys = OFF");
    ledger.exec("PRAGMA ignore_check_constraints = ON");
}

}  // namespace

SQLite::Database copy_ledger(const SQLite::Database& ledger, const std::filesystem::path& file) {
    SQLite::Database copy = connect(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    copy.exec("PRAGMA synchronous = OFF");
    copy_pages(ledger, copy);
    prepare_copy(copy);
    return copy;
}

SQLite::Database open_copy(const std::filesystem::path& file) {
    SQLite::Database copy = connect(file, SQLITE_OPEN_READWRITE);
    prepare_to_read_stranger(copy);
    return copy;
}

SQLite::Database copy_in_memory(const SQLite::Database& ledger) {
    SQLite::Database copy = open_memory();
    copy_pages(ledger, copy);
    prepare_memory(copy);
    return copy;
}

SQLite::Database empty_in_memory() {
    SQLite::Database ledger = open_memory();
    prepare_memory(ledger);
    return ledger;
}

}  // namespace cacheledger
