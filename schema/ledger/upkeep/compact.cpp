#include "schema/ledger/upkeep/compact.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>

#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/journal.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

std::uintmax_t bytes_of(const SQLite::Database& database) {
    std::uintmax_t bytes = 0;
    for (const auto& file : {std::filesystem::path(database.getFilename()), log_of(database)}) {
        std::error_code missing;
        const std::uintmax_t size = std::filesystem::file_size(file, missing);
        bytes += missing ? 0 : size;
    }
    return bytes;
}

// Writes the log into the file, and cuts both. False if another process reads an older state. Does
// nothing where there is no log.
bool empty_log(SQLite::Database& database) {
    for (const auto& [is_busy, frames, moved] :
         rows<bool, int, int>(database, "PRAGMA wal_checkpoint(TRUNCATE)")) {
        return !is_busy;
    }
    return false;
}

// Who reads now would keep the bytes from being given back, and is only noticed by what was written
// since: one page, with the values that it has.
void refuse_readers(SQLite::Database& database) {
    WriteTransaction transaction(database);
    database.exec(fmt::format("PRAGMA user_version = {}", schema_version(database)));
    transaction.commit();
    if (!empty_log(database)) {
        throw SQLite::Exception("another process reads", SQLITE_BUSY);
    }
}

void vacuum(SQLite::Database& database) {
    // It attaches a database of its own, which connections to a ledger do not allow. That would be
    // in memory, as the other temporary files are.
    sqlite3_limit(database.getHandle(), SQLITE_LIMIT_ATTACHED, 1);
    database.exec("PRAGMA temp_store = FILE");
    database.exec("VACUUM");
    sqlite3_limit(database.getHandle(), SQLITE_LIMIT_ATTACHED, 0);
}

}  // namespace

CompactedSizes compact(SQLite::Database& database) {
    CompactedSizes sizes;
    sizes.before = bytes_of(database);
    refuse_readers(database);
    vacuum(database);
    sizes.has_readers = !empty_log(database);
    sizes.after = bytes_of(database);
    return sizes;
}

}  // namespace cacheledger
