#include "reports/postgresql/schemas/published_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <string_view>
#include <thread>

#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"

namespace cacheledger {

namespace {

constexpr const char* lock_not_available = "55P03";
constexpr const char* deadlock_detected = "40P01";
constexpr const char* internal_error = "XX000";
constexpr const char* insufficient_privilege_state = "42501";
constexpr const char* feature_not_supported = "0A000";
constexpr const char* undefined_function = "42883";
constexpr int version_with_client_check = 140000;

/// Settings of the transaction that end the server's work if the client is gone. The server would
/// notice only when it sends something, and keep the lock until then.
void end_with_client(PostgresConnection& connection) {
    connection.run(
        "SET LOCAL idle_in_transaction_session_timeout = '10min';\n"
        "SET LOCAL tcp_keepalives_idle = 30; SET LOCAL tcp_keepalives_interval = 10;\n"
        "SET LOCAL tcp_keepalives_count = 3");
    if (connection.server_version() >= version_with_client_check) {
        connection.run("SET LOCAL client_connection_check_interval = '1s'");
    } else {
        connection.run("SET LOCAL statement_timeout = '10min'");
    }
}

/// Half of what a publish writes to the log of the server; only some roles may.
void compress_log(PostgresConnection& connection) {
    for (const char* const method : {"zstd", "lz4", "on"}) {  // some servers have only the last
        try {
            in_savepoint(connection, [&] {
                connection.run(fmt::format("SET LOCAL wal_compression = {}", method));
            });
            return;
        } catch (const PostgresError& error) {
            if (error.state() == insufficient_privilege_state) {
                return;
            }
        }
    }
}

/// Refuses a database that can't store every text, and a standby.
void require_fit_database(PostgresConnection& connection) {
    const auto row = connection.row(  // in no transaction, so names have their schema
        "SELECT pg_catalog.current_setting('server_encoding'), pg_catalog.pg_is_in_recovery()");
    if (text_in(row, 0) != "UTF8") {
        throw UsageError(fmt::format(
            "the database has the encoding {}, expected UTF8: CREATE DATABASE ... TEMPLATE "
            "template0 ENCODING 'UTF8'",
            text_in(row, 0)));
    }
    if (text_in(row, 1) != "0") {
        throw DatabaseError("this server is a standby, which only reads; publish to its primary");
    }
}

/// A role or a database can have other defaults. With REPEATABLE READ a publish that waited for
/// another one would not see what that one did.
void begin_to_write(PostgresConnection& connection) {
    connection.begin("ISOLATION LEVEL READ COMMITTED READ WRITE NOT DEFERRABLE");
    connection.run("SET LOCAL lock_timeout = '60s'");
    end_with_client(connection);
    compress_log(connection);
}

std::string process_with_lock(PostgresConnection& connection, int key) {
    const auto holder = connection.query(
        fmt::format("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid "
                    "= {}::oid AND objid = {}::oid AND objsubid = 2 AND database = (SELECT oid "
                    "FROM pg_database WHERE datname = current_database())",
                    application_id, static_cast<unsigned>(key)));
    return holder.rows.empty() ? ""
                               : fmt::format(" (server process {})", text_in(holder.rows[0], 0));
}

constexpr std::int64_t part_of_ledger = 10;                  // a tenth of its rows is kept
constexpr std::size_t bytes_of_part = std::size_t{1} << 22;  // the server compresses each part

/// The lines, in parts that end with a line.
std::vector<std::string_view> line_parts(std::string_view lines) {
    std::vector<std::string_view> parts;
    while (!lines.empty()) {
        const auto end =
            lines.size() <= bytes_of_part ? lines.size() - 1 : lines.find('\n', bytes_of_part);
        parts.push_back(lines.substr(0, end));
        lines.remove_prefix(end + 1);
    }
    return parts;
}

void add_publication(PostgresConnection& connection, const PublishedName& name,
                     const std::string& token, const Value& rows) {
    connection.change(
        fmt::format("INSERT INTO {0}.publication SELECT coalesce(max(number), 0) + 1, $1, "
                    "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), $2 FROM "
                    "{0}.publication",
                    name.schema_of_tables()),
        {token, rows});
}

void add_changes(PostgresConnection& connection, const PublishedName& name,
                 const TableDifference& difference) {
    std::int64_t part = 0;
    const auto add = [&](std::string_view old_keys, std::string_view new_rows) {
        connection.change(
            fmt::format("INSERT INTO {0}.publication_change SELECT max(number), $1, $2, $3, $4 "
                        "FROM {0}.publication",
                        name.schema_of_tables()),
            {difference.table->name, ++part, std::string(old_keys), std::string(new_rows)});
    };
    const std::string keys = fmt::format("{}\n", fmt::join(difference.old_keys, "\n"));
    if (!difference.old_keys.empty()) {
        for (const auto lines : line_parts(keys)) {
            add(lines, "");
        }
    }
    for (const auto lines : line_parts(difference.new_lines)) {
        add("", lines);
    }
}

/// Forgets changes, so that those that are left are whole and not too many.
void forget_changes(PostgresConnection& connection, const PublishedName& name,
                    std::int64_t most_rows) {
    connection.change(
        fmt::format(
            "UPDATE {0}.publication SET rows = NULL WHERE rows IS NOT NULL AND number <= (SELECT "
            "max(number) FROM (SELECT number, sum(rows) OVER (ORDER BY number DESC) AS rows FROM "
            "{0}.publication) newer WHERE rows > $1)",
            name.schema_of_tables()),
        {most_rows});
    connection.change(
        fmt::format("DELETE FROM {0}.publication_change WHERE number IN (SELECT number FROM "
                    "{0}.publication WHERE rows IS NULL)",
                    name.schema_of_tables()));
}

}  // namespace

bool is_locked(const PostgresError& error) {
    return error.state() == lock_not_available || error.state() == deadlock_detected ||
           error.state() == internal_error;  // what another transaction drops at this moment
}

void in_savepoint(PostgresConnection& connection, const std::function<void()>& work) {
    connection.run("SAVEPOINT work");
    try {
        work();
    } catch (const PostgresError&) {
        connection.run("ROLLBACK TO SAVEPOINT work; RELEASE SAVEPOINT work");
        throw;
    }
    connection.run("RELEASE SAVEPOINT work");
}

bool with_short_locks(PostgresConnection& connection, int tries,
                      const std::function<void()>& work) {
    const std::string before = text_in(connection.row("SELECT current_setting('lock_timeout')"), 0);
    for (int number = 0; number < tries; ++number) {
        if (number > 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        try {
            in_savepoint(connection, [&] {
                connection.run("SET LOCAL lock_timeout = '200ms'");
                work();
                connection.run(fmt::format("SET LOCAL lock_timeout = '{}'", before));
            });
            return true;
        } catch (const PostgresError& error) {
            if (!is_locked(error)) {
                throw;
            }
        }
    }
    return false;
}

void begin_publish(PostgresConnection& connection, const PublishedName& name) {
    require_fit_database(connection);
    begin_to_write(connection);
    try {
        connection.run(
            fmt::format("SELECT pg_advisory_xact_lock({}, {})", application_id, name.lock_key()));
    } catch (const PostgresError& error) {
        connection.run("ROLLBACK");
        if (error.state() == feature_not_supported || error.state() == undefined_function) {
            begin_to_write(connection);
            return;  // the row of lock_published() has to do
        }
        if (error.state() != lock_not_available) {
            throw;
        }
        throw DatabaseError(fmt::format("{}: another publish is at work{}; try again later",
                                        name.text(),
                                        process_with_lock(connection, name.lock_key())));
    }
}

void begin_check(PostgresConnection& connection) {
    connection.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY");
    end_with_client(connection);
}

std::string kept_changes_statements(const PublishedName& name) {
    return fmt::format(
        "CREATE TABLE IF NOT EXISTS {0}.publication (number bigint PRIMARY KEY, token text COLLATE "
        "\"C\" NOT NULL, published_at text COLLATE \"C\" NOT NULL, rows bigint);\n"
        "CREATE TABLE IF NOT EXISTS {0}.publication_change (number bigint, table_name text COLLATE "
        "\"C\", part integer, old_keys text COLLATE \"C\" NOT NULL, new_rows text COLLATE \"C\" "
        "NOT "
        "NULL, PRIMARY KEY (number, table_name, part));\n",
        name.schema_of_tables());
}

void keep_changes(PostgresConnection& connection, const PublishedName& name,
                  const std::string& token, const std::vector<TableDifference>& differences,
                  std::int64_t rows_of_ledger) {
    std::int64_t changed = 0;
    for (const TableDifference& difference : differences) {
        changed += difference.changed();
    }
    const std::int64_t most_rows = rows_of_ledger / part_of_ledger;
    if (changed > most_rows) {
        keep_no_changes(connection, name, token);
        return;
    }
    add_publication(connection, name, token, changed);
    for (const TableDifference& difference : differences) {
        add_changes(connection, name, difference);
    }
    forget_changes(connection, name, most_rows);
}

void keep_earlier_states(PostgresConnection& connection, const PublishedName& name,
                         const std::vector<std::string>& tokens) {
    connection.change(
        fmt::format("INSERT INTO {0}.publication SELECT (SELECT coalesce(min(number), 1) FROM "
                    "{0}.publication) - row_number() OVER (), token, '', NULL FROM "
                    "unnest(CAST($1 AS text[])) token WHERE token NOT IN (SELECT token FROM "
                    "{0}.publication)",
                    name.schema_of_tables()),
        {fmt::format("{{{}}}", fmt::join(tokens, ","))});
}

void keep_no_changes(PostgresConnection& connection, const PublishedName& name,
                     const std::string& token) {
    add_publication(connection, name, token, Value());
    forget_changes(connection, name, 0);
}

}  // namespace cacheledger
