#include "schema/ledger/file/database.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <utility>

#include "schema/errors/error.hpp"
#include "schema/errors/hint.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/ledger/file/read_only.hpp"
#include "schema/specs/constraints/target_set.hpp"
#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

namespace {

int pragma(SQLite::Database& database, const std::string& name) {
    return database.execAndGet("PRAGMA " + name).getInt();
}

// Whether the file has no tables, and no mark of a program that will use it.
bool is_empty(SQLite::Database& database) {
    return database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0 &&
           pragma(database, "application_id") == 0 && schema_version(database) == 0;
}

// The sources of the newest snapshots of a ledger, as words of a shell, and how many more there
// are; none if it can't be read. The ledger may come from a stranger: only a plain table is read,
// as a view or a generated column can compute for as long as it likes.
std::vector<std::string> newest_sources(SQLite::Database& database) {
    constexpr int most_steps = 3'000'000;  // some 50 ms
    constexpr int longest_value = 10'000;
    constexpr std::int64_t most_sources = 4;
    sqlite3* const handle = database.getHandle();
    std::vector<std::string> sources;
    std::int64_t all = 0;
    const int usual_length = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest_value);
    sqlite3_progress_handler(
        handle, most_steps, [](void*) { return 1; }, nullptr);
    try {
        const bool is_plain =
            database.execAndGet(
                        "SELECT count(*) FROM sqlite_schema WHERE name = 'snapshot' AND type = "
                        "'table' AND sql LIKE 'CREATE TABLE%'")
                    .getInt() == 1 &&
            database.execAndGet("SELECT count(*) FROM pragma_table_xinfo('snapshot') WHERE hidden")
                    .getInt() == 0;
        if (is_plain) {
            for (const auto& [source, number] : rows<std::string, std::int64_t>(
                     database,
                     "SELECT source, count(*) OVER () FROM snapshot WHERE typeof(source) = 'text' "
                     "AND length(source) <= 200 AND instr(source, char(0)) = 0 GROUP BY source "
                     "ORDER BY max(taken_at) DESC, source LIMIT ?",
                     most_sources)) {
                sources.push_back(shell_quoted(source));
                all = number;
            }
        }
        if (all > most_sources) {
            sources.push_back(fmt::format("and {} more", all - most_sources));
        }
    } catch (const SQLite::Exception&) {
        sources.clear();
    }
    sqlite3_progress_handler(handle, 0, nullptr, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, usual_length);
    return sources;
}

[[noreturn]] void refuse_development_ledger(SQLite::Database& database,
                                            const std::filesystem::path& file) {
    const auto sources = newest_sources(database);
    throw DatabaseError(fmt::format(
        "{}: written by a development version of cacheledger; move it away and load it again: "
        "{}{}",
        file.string(), command_hint({"ingest", "SOURCE..."}),
        sources.empty() ? "" : fmt::format(" (its newest sources: {})", fmt::join(sources, ", "))));
}

void refuse_strangers(SQLite::Database& database, const std::filesystem::path& file) {
    const int id = pragma(database, "application_id");
    if (id == development_application_id) {
        refuse_development_ledger(database, file);
    }
    if (id == plain_application_id) {
        throw DatabaseError(fmt::format(
            "{}: a copy for other tools (backup --plain), not a ledger; name the ledger with --db",
            file.string()));
    }
    if (id != application_id) {
        throw DatabaseError(fmt::format(
            "{}: a SQLite database, but not a ledger; name another file with --db", file.string()));
    }
    refuse_unknown_version(database, file.string());
}

// The name of a kind of file that can be neither a database nor one of SQLite's files beside it, or
// nullptr if opening may work. SQLite would wait at a FIFO until another process writes to it, and
// would make its journal beside a device.
const char* kind_of_no_file(const std::filesystem::path& file) {
    std::error_code unknown;
    switch (std::filesystem::status(file, unknown).type()) {
        case std::filesystem::file_type::directory:
            return "folder";
        case std::filesystem::file_type::fifo:
            return "FIFO";
        case std::filesystem::file_type::block:
        case std::filesystem::file_type::character:
            return "device";
        case std::filesystem::file_type::socket:
            return "socket";
        default:
            return nullptr;
    }
}

void refuse_other_than_file(const std::filesystem::path& file) {
    if (const char* const kind = kind_of_no_file(file)) {
        throw DatabaseError(fmt::format("{}: a {}, not a database", file.string(), kind));
    }
    // SQLite's files lie beside the database itself, not beside a symbolic link to it.
    std::error_code unknown;
    const auto own_file = std::filesystem::weakly_canonical(file, unknown);
    for (const char* const ending : {"-journal", "-wal", "-shm"}) {
        const std::filesystem::path beside = (unknown ? file : own_file).string() + ending;
        if (const char* const kind = kind_of_no_file(beside)) {
            throw DatabaseError(fmt::format("{}: a {}, where SQLite keeps a file of its own",
                                            beside.string(), kind));
        }
    }
}

// Other problems (a broken link, a name that is too long) are left to SQLite, which reports them
// when it opens the file.
void refuse_missing(const std::filesystem::path& file) {
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown) && !unknown) {
        throw DatabaseError(
            fmt::format("{}: no such database; --db names another; how to make one: {}",
                        file.string(), command_hint({"help", "sources"})));
    }
}

void refuse_empty(SQLite::Database& database, const std::filesystem::path& file) {
    if (is_empty(database)) {
        throw DatabaseError(fmt::format("{}: empty; how to fill it: {}", file.string(),
                                        command_hint({"help", "sources"})));
    }
}

// A ledger may come from a stranger. So its triggers do not run (the program's own schema has
// none), and SQL can neither reach the bytes of the file nor load a library. Its views stay
// trusted, because before 3.41 SQLite treated the JSON functions that the program's own views call
// as unsafe. reports/engine/query/query_guard.hpp checks which functions are called.
void distrust(SQLite::Database& database) {
    sqlite3* const handle = database.getHandle();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    // No ATTACH and no VACUUM INTO, so SQL can't make a file.
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
}

void prepare_for_writing(SQLite::Database& database) {
    // The loader knows that the rows that it refers to exist. SQLite's own check (five lookups for
    // a look, two for a presence) took a third of the time of an ingest. `check` runs PRAGMA
    // foreign_key_check.
    database.exec("PRAGMA foreign_keys = OFF");
    // Nor are the CHECK clauses of the schema evaluated for each row: a tenth of the time of a
    // first ingest of indexes. `check` finds rows that contradict them (PRAGMA integrity_check).
    database.exec("PRAGMA ignore_check_constraints = ON");
    // 64 MiB, enough for the B-trees of a whole load: rows in random order (hashes) would otherwise
    // be written twice.
    database.exec("PRAGMA cache_size = -65536");
    // The statement journal, which would undo a failed statement with several rows: 250 MB for a
    // tag, and never read.
    database.exec("PRAGMA temp_store = MEMORY");
    // Debian's SQLite overwrites deleted rows with zeros, which doubles the writes. The rows of a
    // ledger are public.
    database.exec("PRAGMA secure_delete = OFF");
}

// 64 MiB for what a report reads twice and sorts. With SQLite's default of 2 MB, reports on the
// largest snapshots read pages again and again, and sort in files.
void prepare_for_reading(SQLite::Database& database) {
    database.exec("PRAGMA cache_size = -65536");
    database.exec("PRAGMA temp_store = MEMORY");
}

// Opens a ledger of this or an older schema version. All reads see one state, even if another
// process writes meanwhile.
SQLite::Database open_state(const std::filesystem::path& file) {
    SQLite::Database database = open_read_only(file);
    distrust(database);
    database.exec("BEGIN");
    refuse_empty(database, file);
    refuse_strangers(database, file);
    return database;
}

// `if_missing`: SQLITE_OPEN_CREATE, or 0 if the ledger must exist.
SQLite::Database open_writable(const std::filesystem::path& file, int if_missing) {
    refuse_other_than_file(file);
    try {
        SQLite::Database database = connect(file, SQLITE_OPEN_READWRITE | if_missing);
        distrust(database);
        // Checked before the first read, which would make a log that the owner can't write to.
        if (!may_write(database)) {
            throw SQLite::Exception("read-only", SQLITE_READONLY);
        }
        // What is refused stays as it is, even if its writer was killed and left a log.
        sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
        prepare_journal(database);
        if (if_missing == 0) {
            refuse_empty(database, file);
        }
        if (!is_empty(database)) {
            refuse_strangers(database, file);
        }
        sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
        share_log(database);
        prepare_for_writing(database);
        migrate(database);
        learn_targets(database);
        return database;
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, file));
    }
}

}  // namespace

void prepare_to_read_stranger(SQLite::Database& database) {
    distrust(database);
    prepare_for_reading(database);
}

SQLite::Database open_any_version(const std::filesystem::path& file) {
    refuse_missing(file);
    refuse_other_than_file(file);
    try {
        return open_state(file);
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, file));
    }
}

SQLite::Database open_for_reading(const std::filesystem::path& file, KeptLog log) {
    SQLite::Database database = open_any_version(file);
    try {
        if (schema_version(database) < newest_schema_version()) {
            throw DatabaseError(fmt::format(
                "{}: written by an older cacheledger; the next command that writes upgrades it",
                file.string()));
        }
        if (log == KeptLog::is_emptied && has_kept_log(database)) {
            empty_kept_log(std::move(database));
            return open_for_reading(file, KeptLog::stays);
        }
        prepare_for_reading(database);
        use_own_views(database);
        learn_targets(database);
        return database;
    } catch (const SQLite::Exception& error) {
        throw DatabaseError(describe(error, file));
    }
}

void remove_if_never_filled(const std::filesystem::path& file) {
    try {
        // The exclusive lock keeps others from filling the file while it is removed. has_moved()
        // makes sure that the lock is on the file with this name. A ledger that ever held a
        // snapshot, a package repository or build times has a write-ahead log, and stays.
        SQLite::Database database = connect(file, SQLITE_OPEN_READWRITE, 0);
        prepare_journal(database);
        database.exec("BEGIN EXCLUSIVE");
        const bool has_tables = database.tableExists("snapshot");
        if (!has_moved(database) &&
            database.execAndGet("PRAGMA journal_mode").getString() == "delete" &&
            (has_tables ? database.execAndGet("SELECT (SELECT count(*) FROM snapshot) + "
                                              "(SELECT count(*) FROM package_repository)")
                                  .getInt() == 0
                        : is_empty(database))) {
            std::filesystem::remove(file);
        }
    } catch (const SQLite::Exception&) {  // in use
        return;
    }
}

SQLite::Database open_for_writing(const std::filesystem::path& file) {
    return open_writable(file, SQLITE_OPEN_CREATE);
}

SQLite::Database open_existing_for_writing(const std::filesystem::path& file) {
    refuse_missing(file);
    return open_writable(file, 0);
}

}  // namespace cacheledger
