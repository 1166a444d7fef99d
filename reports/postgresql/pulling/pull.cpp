#include "reports/postgresql/pulling/pull.hpp"

#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <string>
#include <vector>

#include "reports/engine/server/plain_table.hpp"
#include "reports/postgresql/rows/file_rows.hpp"
#include "reports/postgresql/rows/table_difference.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

namespace cacheledger {

namespace {

/// Rows come in any order of tables.
void allow_any_order(SQLite::Database& file) {
    file.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
}

/// Removes the indexes, and returns the statements that make them again. Rows are inserted in half
/// the time without. The planner's statistics would go with the indexes.
std::vector<std::string> take_indexes(SQLite::Database& file) {
    file.exec("CREATE TEMP TABLE kept_statistics AS SELECT * FROM sqlite_stat1");
    std::vector<std::string> names;
    std::vector<std::string> statements;
    for (const auto& [name, sql] : rows<std::string, std::string>(
             file,
             "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")) {
        names.push_back(name);
        statements.push_back(sql);
    }
    for (const std::string& name : names) {
        file.exec("DROP INDEX " + name);
    }
    return statements;
}

void give_back_indexes(SQLite::Database& file, const std::vector<std::string>& statements) {
    for (const std::string& statement : statements) {
        file.exec(statement);
    }
    file.exec(
        "DELETE FROM sqlite_stat1; INSERT INTO sqlite_stat1 SELECT * FROM kept_statistics; "
        "DROP TABLE kept_statistics");
}

/// Notes that the file is in this state. A ledger can come back to an earlier one (publish
/// --resync); its first state is what it is told from others by, and stays first.
void write_state(SQLite::Database& file, const LedgerState& state) {
    auto tokens = tokens_of_states(file);
    if (state.token == state.ledger_id || tokens.empty() || tokens[0] != state.ledger_id) {
        tokens = {state.ledger_id};
    }
    std::erase(tokens, state.token);
    tokens.push_back(state.token);
    file.exec("DELETE FROM ledger_state");
    const Write add(file, "INSERT INTO ledger_state (token) VALUES (?)");  // numbered from 1
    std::ranges::for_each(tokens, add);
}

/// What the server knows of the state of a file.
struct KnownState {
    bool keeps_states = false;  ///< a program that keeps them published it
    bool is_known = false;
    bool has_changes = false;  ///< of all publishes since
    std::int64_t number = 0;   ///< of the publish that made the state
};

KnownState find_state(PostgresConnection& connection, const PublishedName& name,
                      const LedgerState& state) {
    const std::string table = name.schema_of_tables() + ".publication";
    if (is_null(connection.row("SELECT to_regclass($1)", {table}).at(0))) {
        return {};
    }
    require_plain_table(connection, table);
    const auto found = connection.row(
        fmt::format("SELECT number, number > 0 AND NOT EXISTS (SELECT FROM {0} p WHERE "
                    "p.number > mine.number AND rows IS NULL) FROM (SELECT max(number) "
                    "AS number FROM {0} WHERE token = $1) mine",
                    table),
        {state.token});
    if (text_in(found, 0).empty()) {
        return {true, false, false, 0};
    }
    return {true, true, text_in(found, 1) == "1", number_in(found, 0)};
}

std::int64_t apply_changes(PostgresConnection& connection, const PublishedName& name,
                           SQLite::Database& file, std::int64_t number) {
    require_plain_table(connection, name.schema_of_tables() + ".publication_change");
    const auto changes = connection.query(
        fmt::format("SELECT table_name, old_keys, new_rows FROM {}.publication_change WHERE number "
                    "> $1 ORDER BY number, table_name, part",
                    name.schema_of_tables()),
        {number});
    for (const auto& row : changes.rows) {
        FileRows rows(file, ledger_table(text_in(row, 0)));
        rows.remove_all(text_in(row, 1));
        rows.insert_all(text_in(row, 2));
    }
    const auto counted = connection.row(
        fmt::format("SELECT coalesce(sum(rows), 0)::bigint FROM {}.publication WHERE number > $1",
                    name.schema_of_tables()),
        {number});
    return number_in(counted, 0);
}

/// Makes the rows of a table those of the server. Returns how many differed.
std::int64_t take_over(PostgresConnection& connection, const PublishedName& name,
                       SQLite::Database& file, const LedgerTable& table) {
    const auto difference = compare_rows(file, connection, name.schema(), table, RightRows::server);
    if (difference.is_empty()) {
        return 0;
    }
    FileRows rows(file, table);
    for (const std::string& key : difference.old_keys) {
        rows.remove(key);
    }
    rows.insert_all(difference.new_lines);
    return difference.changed();
}

void refuse_other(const PublishedName& name, const PublishedRow& published,
                  const LedgerState& state, const std::string& file) {
    if (published.state.ledger_id != state.ledger_id) {
        throw DatabaseError(fmt::format(
            "{}: another ledger than {} on the server; pull into another file", file, name.text()));
    }
}

[[noreturn]] void refuse_written(const PublishedName& name, const std::string& file) {
    throw DatabaseError(
        fmt::format("{}: written to since it was pulled: no state that {} was published in; pull "
                    "into another file",
                    file, name.text()));
}

PullResult bring_to_state(PostgresConnection& connection, const PublishedName& name,
                          const PublishedRow& published, SQLite::Database& file,
                          const LedgerState& state, FileOwner owner, const Progress& progress) {
    const KnownState known = find_state(connection, name, state);
    if (owner == FileOwner::user && known.keeps_states && !known.is_known) {
        refuse_written(name, file.getFilename());
    }
    PullResult result;
    if (known.has_changes) {
        result = {PullResult::Way::changes, apply_changes(connection, name, file, known.number)};
    } else {
        result.way = PullResult::Way::compared;
        std::size_t done = 0;
        for (const LedgerTable& table : ledger_tables()) {
            progress(done++, ledger_tables().size());
            result.rows += take_over(connection, name, file, table);
        }
    }
    write_state(file, published.state);
    return result;
}

}  // namespace

PublishedRow begin_pull(PostgresConnection& connection, const PublishedName& name) {
    connection.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY");
    connection.run("SET LOCAL jit = off; SET LOCAL idle_in_transaction_session_timeout = '10min'");
    PublishedRow published = require_published(connection, name);
    if (published.schema_version != newest_schema_version()) {
        throw DatabaseError(fmt::format(
            "{}: published by {} with schema {}, and this program reads schema {}; publish it with "
            "this program",
            name.text(), published.program, published.schema_version, newest_schema_version()));
    }
    return published;
}

PullResult pull_whole(PostgresConnection& connection, const PublishedName& name,
                      const PublishedRow& published, const std::filesystem::path& file,
                      const Progress& progress) {
    SQLite::Database ledger = connect(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    ledger.exec(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; PRAGMA "
        "temp_store = MEMORY");
    migrate(ledger);
    allow_any_order(ledger);
    SQLite::Transaction transaction(ledger);
    const auto indexes = take_indexes(ledger);
    PullResult result{PullResult::Way::whole, 0};
    std::size_t done = 0;
    for (const LedgerTable& table : ledger_tables()) {
        progress(done++, ledger_tables().size());
        ledger.exec("DELETE FROM " + table.name);  // what migrate() put there
        FileRows rows(ledger, table);
        require_plain_table(connection, fmt::format("{}.{}", name.schema(), table.name));
        connection.copy_out(
            fmt::format("COPY (SELECT {} FROM {}.{} ORDER BY {}) TO STDOUT", table.column_list(),
                        name.schema(), table.name, table.key_list()),
            [&](std::string_view line) {
                rows.insert(line);
                ++result.rows;
            });
    }
    give_back_indexes(ledger, indexes);
    write_state(ledger, published.state);
    transaction.commit();
    return result;
}

bool is_up_to_date(PostgresConnection& connection, const PublishedName& name,
                   const PublishedRow& published, SQLite::Database& file) {
    return schema_version(file) == published.schema_version &&
           newest_state(file) == published.state &&
           compare_rows(file, connection, name.schema(), table_in(file, table_of_checks),
                        RightRows::server)
               .is_empty();
}

PullResult pull_changes(PostgresConnection& connection, const PublishedName& name,
                        const PublishedRow& published, SQLite::Database& file, FileOwner owner,
                        const Progress& progress) {
    allow_any_order(file);
    SQLite::Transaction transaction(file, SQLite::TransactionBehavior::IMMEDIATE);
    const LedgerState state = newest_state(file);
    if (owner == FileOwner::user) {
        refuse_other(name, published, state, file.getFilename());
    }
    PullResult result;
    if (state != published.state) {
        result = bring_to_state(connection, name, published, file, state, owner, progress);
    }
    const auto runs = take_over(connection, name, file, ledger_table(table_of_checks));
    result.rows += runs;
    if (runs > 0 && result.way == PullResult::Way::nothing) {
        result.way = PullResult::Way::compared;
    }
    transaction.commit();
    if (result.way != PullResult::Way::nothing) {
        use_write_ahead_log(file);
    }
    return result;
}

}  // namespace cacheledger
