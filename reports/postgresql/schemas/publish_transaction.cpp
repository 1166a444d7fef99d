#include "reports/postgresql/schemas/publish_transaction.hpp"

#include <fmt/format.h>

#include <chrono>
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

}  // namespace cacheledger
