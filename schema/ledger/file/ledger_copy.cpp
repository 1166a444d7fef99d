#include "schema/ledger/file/ledger_copy.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <memory>
#include <string>

#include "schema/ledger/file/database.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

namespace cacheledger {

namespace {

/// Indexes that serve ingest and forget. Without the others, reports and the questions of the pages
/// take many times as long: look_attributes is for drift, spec_hash for coverage of a lock file.
constexpr std::array<const char*, 9> indexes_of_writers = {
    "commit_snapshot_forgotten", "commit_snapshot_snapshot", "edge_kind_text", "finding_page",
    "finding_snapshot",          "node_build_hash",          "node_recipe",    "page_presence_page",
    "recipe_attributes",
};

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

void slim_down(SQLite::Database& copy) {
    copy.exec("PRAGMA journal_mode = MEMORY");
    for (const char* const index : indexes_of_writers) {
        copy.exec(std::string("DROP INDEX IF EXISTS ") + index);
    }
    // This is about the file and the runs, not about what is in it: the copies of one state are the
    // same.
    copy.exec(fmt::format("DELETE FROM {}", table_of_states));
    copy.exec("UPDATE series SET checked_at = NULL");
    // VACUUM attaches a database of its own, which connections to a ledger do not allow.
    sqlite3_limit(copy.getHandle(), SQLITE_LIMIT_ATTACHED, 1);
    copy.exec("VACUUM");
    sqlite3_limit(copy.getHandle(), SQLITE_LIMIT_ATTACHED, 0);
}

}  // namespace cacheledger
