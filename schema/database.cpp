#include "schema/database.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "schema/error.hpp"
#include "schema/journal.hpp"
#include "schema/lock_holder.hpp"
#include "schema/migration.hpp"
#include "schema/write_transaction.hpp"

namespace cacheledger {

namespace {

// Without a mutex, which SQLite would lock for each value that is read or bound.
constexpr int one_thread = SQLITE_OPEN_NOMUTEX;

constexpr int busy_timeout_ms = 5000;

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
    refuse_unknown_version(database);
}

void refuse_folder(const std::filesystem::path& file) {
    std::error_code unknown;
    if (std::filesystem::is_directory(file, unknown)) {
        throw DatabaseError(fmt::format("{}: a folder, not a database", file.string()));
    }
}

// A ledger may come from a stranger: its triggers (ours has none) don't run, and no SQL gets at the
// bytes of the file or loads a library. Its views stay trusted: to SQLite before 3.41 the JSON
// functions of our own are no harmless ones. reports/query_guard.hpp looks at what they call.
void distrust(SQLite::Database& database) {
    sqlite3* const handle = database.getHandle();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);  // nor makes a file: no ATTACH, no VACUUM INTO
}

void prepare_for_writing(SQLite::Database& database, const std::filesystem::path& file) {
    // Who writes knows the rows that it refers to: to have SQLite look for them once more, five
    // times for a look and twice for a presence, was a third of the time of an ingest. `check` runs
    // PRAGMA foreign_key_check.
    database.exec("PRAGMA foreign_keys = OFF");
    if (!is_empty(database)) {
        refuse_strangers(database, file);
    }
    prepare_journal(database);
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

// What SQLite takes for a file's name in a URI (https://sqlite.org/uri.html, 3.1).
std::string as_uri(const std::filesystem::path& file) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", c) : std::string(1, c);
    }
    return uri;
}

// A file, whatever its name: ":memory:" and "file:..." mean something else to SQLite.
std::string name_of_file(const std::filesystem::path& file) {
    const std::string name = file.string();
    return name.starts_with(':') || name.starts_with("file:") ? "./" + name : name;
}

// What a run that was killed while there was no log has left half written: SQLite takes it back,
// through the first connection that may write.
void roll_back_killed_run(const std::filesystem::path& file) {
    std::error_code unknown;
    if (!std::filesystem::exists(file.string() + "-journal", unknown)) {
        return;
    }
    try {
        SQLite::Database database(name_of_file(file), SQLite::OPEN_READWRITE | one_thread,
                                  busy_timeout_ms);
        schema_version(database);
    } catch (const SQLite::Exception&) {  // who reads after this gets the same error, or none
        return;
    }
}

SQLite::Database open_read_only(const std::filesystem::path& file) {
    if (is_copy_without_log(file)) {
        return {as_uri(file) + "?immutable=1",
                SQLite::OPEN_READONLY | SQLite::OPEN_URI | one_thread};
    }
    roll_back_killed_run(file);
    return {name_of_file(file), SQLite::OPEN_READONLY | one_thread, busy_timeout_ms};
}

}  // namespace

std::string describe(const SQLite::Exception& error, const std::filesystem::path& file) {
    const std::string name = file.string();
    switch (error.getExtendedErrorCode()) {
        case SQLITE_READONLY_ROLLBACK:
        case SQLITE_READONLY_RECOVERY:
        case SQLITE_READONLY_CANTINIT:
        case SQLITE_PROTOCOL:  // gave up waiting for the index of a log that is half made
            return name +
                   ": a run that was writing to it was killed; any command of somebody who may "
                   "write to it mends that";
        case SQLITE_READONLY_DBMOVED:
            return name + ": another process removed or replaced it meanwhile; run this again";
        default:
            break;
    }
    switch (error.getErrorCode()) {
        case SQLITE_NOTADB:
            return name + ": not a SQLite database; name another file with --db";
        case SQLITE_CORRUPT:
            return fmt::format("{}: the database is damaged ({}); restore a copy", name,
                               error.what());
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return fmt::format("{}: in use by {}; waited {} seconds, try again when it is done",
                               name, lock_holder(file), busy_timeout_ms / 1000);
        case SQLITE_READONLY:
        case SQLITE_PERM:
            return name + ": the file, or its folder, can't be written to";
        case SQLITE_CANTOPEN:
            return name + ": can't be opened; does its folder exist, and may you use it?";
        case SQLITE_FULL:
            return name + ": the disk is full; nothing half done was kept";
        case SQLITE_IOERR:
            return fmt::format(
                "{}: it can't be read or written ({}); is the disk full, or damaged? Nothing half "
                "done was kept",
                name, sqlite3_errstr(error.getExtendedErrorCode()));
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
        SQLite::Database database = open_read_only(file);
        distrust(database);
        database.exec("BEGIN");  // all that is read is of one state, whoever writes meanwhile
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

void remove_if_never_filled(const std::filesystem::path& file) {
    try {
        // With its own lock, so that nobody fills a file that is just being removed: the one of
        // this name, not one that was removed before. One that ever held a snapshot has a log, and
        // stays.
        SQLite::Database database(name_of_file(file), SQLite::OPEN_READWRITE);
        database.exec("BEGIN EXCLUSIVE");
        const bool has_tables = database.tableExists("snapshot");
        if (!has_moved(database) &&
            database.execAndGet("PRAGMA journal_mode").getString() == "delete" &&
            (has_tables ? database.execAndGet("SELECT count(*) FROM snapshot").getInt() == 0
                        : is_empty(database))) {
            std::filesystem::remove(file);
        }
    } catch (const SQLite::Exception&) {  // in use
        return;
    }
}

SQLite::Database open_for_writing(const std::filesystem::path& file) {
    refuse_folder(file);
    try {
        SQLite::Database database(name_of_file(file),
                                  SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | one_thread,
                                  busy_timeout_ms);
        distrust(database);
        prepare_for_writing(database, file);
        return database;
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, file));
    }
}

}  // namespace cacheledger
