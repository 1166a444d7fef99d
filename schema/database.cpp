#include "schema/database.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "schema/error.hpp"
#include "schema/migration.hpp"

namespace cacheledger {

namespace {

// Without a mutex, which SQLite would lock for each value that is read or bound.
constexpr int one_thread = SQLITE_OPEN_NOMUTEX;

constexpr int busy_timeout_ms = 5000;

// "CLgr": marks the file as a ledger, so that another program's database is never migrated.
constexpr int application_id = 0x434c6772;

int pragma(SQLite::Database& database, const std::string& name) {
    return database.execAndGet("PRAGMA " + name).getInt();
}

// No tables, and no mark of a program that has plans with the file.
bool is_empty(SQLite::Database& database) {
    return database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0 &&
           pragma(database, "application_id") == 0 && schema_version(database) == 0;
}

void refuse_strangers(SQLite::Database& database, const std::filesystem::path& file) {
    if (pragma(database, "application_id") != application_id) {
        throw DatabaseError(fmt::format(
            "{}: a SQLite database, but not a ledger; name another file with --db", file.string()));
    }
    const int version = schema_version(database);
    if (version > newest_schema_version()) {
        throw DatabaseError(fmt::format(
            "{}: written by a newer cacheledger (schema version {}, this one knows {}); update "
            "cacheledger",
            file.string(), version, newest_schema_version()));
    }
}

void refuse_folder(const std::filesystem::path& file) {
    std::error_code unknown;
    if (std::filesystem::is_directory(file, unknown)) {
        throw DatabaseError(fmt::format("{}: a folder, not a database", file.string()));
    }
}

void prepare_for_writing(SQLite::Database& database, const std::filesystem::path& file) {
    // Who writes knows the rows that it refers to: to have SQLite look for them once more, five
    // times for a look and twice for a presence, was a third of the time of an ingest. `check` runs
    // PRAGMA foreign_key_check.
    database.exec("PRAGMA foreign_keys = OFF");
    if (is_empty(database)) {
        database.exec(fmt::format("PRAGMA application_id = {}", application_id));
    } else {
        refuse_strangers(database, file);
    }
    // Room for the B-trees of a whole load, so that rows in random order (hashes) are not written
    // twice.
    database.exec("PRAGMA cache_size = -65536");
    // What a statement with several rows would undo if it failed: 250 MB a tag, never read.
    database.exec("PRAGMA temp_store = MEMORY");
    // Debian's SQLite overwrites deleted rows with zeros, which doubles the writes of a ledger
    // whose rows are public.
    database.exec("PRAGMA secure_delete = OFF");
    migrate(database);
}

// Room for what a report reads twice, and for what it sorts: with SQLite's 2 MB the reports on the
// largest snapshots would read pages again and again, and sort through files.
void prepare_for_reading(SQLite::Database& database) {
    database.exec("PRAGMA cache_size = -65536");
    database.exec("PRAGMA temp_store = MEMORY");
}

}  // namespace

std::string describe(const SQLite::Exception& error, const std::filesystem::path& file) {
    const std::string name = file.string();
    switch (error.getErrorCode()) {
        case SQLITE_NOTADB:
            return name + ": not a SQLite database; name another file with --db";
        case SQLITE_CORRUPT:
            return fmt::format("{}: the database is damaged ({}); restore a copy", name,
                               error.what());
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return name + ": another process is writing to it; try again when it is done";
        case SQLITE_READONLY:
        case SQLITE_PERM:
            return name + ": the file, or its folder, can't be written to";
        case SQLITE_CANTOPEN:
            return name + ": can't be opened; does its folder exist, and may you use it?";
        case SQLITE_FULL:
            return name + ": the disk is full; nothing half done was kept";
        default:
            return name + ": " + error.what();
    }
}

SQLite::Database open_for_reading(const std::filesystem::path& file) {
    // A link that leads nowhere, a name too long: opening says what is wrong.
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown) && !unknown) {
        throw DatabaseError(
            fmt::format("{}: no such database; 'cacheledger ingest' makes one, --db names another",
                        file.string()));
    }
    refuse_folder(file);
    try {
        SQLite::Database database(file.string(), SQLite::OPEN_READONLY | one_thread,
                                  busy_timeout_ms);
        if (is_empty(database)) {
            throw DatabaseError(
                fmt::format("{}: empty; 'cacheledger ingest' fills it", file.string()));
        }
        refuse_strangers(database, file);
        if (schema_version(database) < newest_schema_version()) {
            throw DatabaseError(fmt::format(
                "{}: written by an older cacheledger; the next 'cacheledger ingest' upgrades it",
                file.string()));
        }
        prepare_for_reading(database);
        return database;
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, file));
    }
}

SQLite::Database open_for_writing(const std::filesystem::path& file) {
    refuse_folder(file);
    try {
        SQLite::Database database(file.string(),
                                  SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | one_thread,
                                  busy_timeout_ms);
        prepare_for_writing(database, file);
        return database;
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, file));
    }
}

}  // namespace cacheledger
