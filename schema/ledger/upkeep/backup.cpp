#include "schema/ledger/upkeep/backup.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

namespace fs = std::filesystem;

SQLite::Database open_backup(const fs::path& file, BackupKind kind) {
    if (kind == BackupKind::ledger) {
        return open_any_version(file);
    }
    SQLite::Database copy = connect(file, SQLITE_OPEN_READONLY);
    if (copy.execAndGet("PRAGMA application_id").getInt() != plain_application_id) {
        throw std::runtime_error("no plain copy");
    }
    return copy;
}

// Why the file is no backup of an earlier state of the ledger; empty if it is one.
std::string why_not_earlier(SQLite::Database& ledger, const fs::path& file, BackupKind kind) {
    SQLite::Database there = open_backup(file, kind);
    const LedgerState state = newest_state(there);
    if (state.ledger_id != newest_state(ledger).ledger_id) {
        return "another ledger";
    }
    return has_state(ledger, state) ? ""
                                    : "has what this ledger has not: this one was restored, or "
                                      "that one was written to";
}

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

void copy_state(const SQLite::Database& ledger, const fs::path& file, const Progress& progress) {
    // 4 MiB: some milliseconds.
    constexpr int pages_at_once = 1024;
    const auto page = only_value<std::size_t>(ledger, "PRAGMA page_size");
    SQLite::Database copy = connect(file, SQLITE_OPEN_READWRITE);
    // A copy that is not complete is thrown away.
    copy.exec("PRAGMA journal_mode = OFF");
    copy.exec("PRAGMA synchronous = OFF");
    {
        const std::unique_ptr<sqlite3_backup, int (*)(sqlite3_backup*)> backup(
            sqlite3_backup_init(copy.getHandle(), "main", ledger.getHandle(), "main"),
            sqlite3_backup_finish);
        int result = backup ? SQLITE_OK : copy.getExtendedErrorCode();
        while (result == SQLITE_OK) {
            result = sqlite3_backup_step(backup.get(), pages_at_once);
            const int all = sqlite3_backup_pagecount(backup.get());
            const int left = sqlite3_backup_remaining(backup.get());
            progress(static_cast<std::size_t>(all - left) * page,
                     static_cast<std::size_t>(all) * page);
        }
        if (result != SQLITE_DONE) {
            throw SQLite::Exception(sqlite3_errstr(result), result);
        }
    }
    // The state says that it has a write-ahead log, which a file alone has not.
    copy.exec("PRAGMA journal_mode = DELETE");
}

void refuse_to_replace(SQLite::Database& ledger, const fs::path& file, BackupKind kind) {
    std::error_code missing;
    const std::uintmax_t bytes = fs::file_size(file, missing);
    if (missing || bytes == 0) {
        return;
    }
    std::string problem;
    try {
        problem = why_not_earlier(ledger, file, kind);
    } catch (const std::runtime_error&) {
        problem = kind == BackupKind::ledger ? "no ledger that can be read"
                                             : "no copy that backup --plain made";
    }
    if (!problem.empty()) {
        throw UsageError(fmt::format("{}: there already, and {}; name another file, or remove it",
                                     file.string(), problem));
    }
}

void remove_files_beside(const fs::path& file) {
    const auto find = [&]() -> std::optional<fs::path> {
        for (const char* const ending : {"-wal", "-shm", "-journal"}) {
            fs::path beside = file.string() + ending;
            std::error_code missing;
            if (fs::exists(fs::symlink_status(beside, missing))) {
                return beside;
            }
        }
        return std::nullopt;
    };
    std::error_code missing;
    if (find() && fs::exists(file, missing)) {
        try {
            // The last connection removes them. Fails while another process has the file open.
            connect(file, SQLITE_OPEN_READWRITE).exec("PRAGMA journal_mode = DELETE");
        } catch (const SQLite::Exception&) {  // they stay
        }
    }
    if (const auto left = find()) {
        throw UsageError(fmt::format(
            "{}: in use, or left by another database; name another file, or remove this one",
            left->string()));
    }
}

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
