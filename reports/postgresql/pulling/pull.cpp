#include "reports/postgresql/pulling/pull.hpp"

#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/server/plain_table.hpp"
#include "reports/postgresql/rows/ledger_rows.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

std::set<std::string> generated_columns(SQLite::Database& ledger, const std::string& table) {
    const auto names = all_values<std::string>(
        ledger, "SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 0", table);
    return {names.begin(), names.end()};
}

/// The bytes that "\x6162" writes out.
std::string bytes_of_hex(std::string_view hex) {
    const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
    std::string bytes;
    for (std::size_t i = 2; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
    }
    return bytes;
}

template <typename Work>
void for_each_line(std::string_view lines, Work work) {
    while (!lines.empty()) {
        const auto end = std::min(lines.find('\n'), lines.size());
        work(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

/// Writes rows into a table of the file of a ledger. Rows and keys are lines of COPY, with the
/// columns of the published table (reports/postgresql/rows/ledger_rows.hpp). All throw
/// SQLite::Exception, and DatabaseError for a row that the table can't have.
class FileRows {
  public:
    /// `ledger` must outlive this.
    FileRows(SQLite::Database& ledger, const LedgerTable& table) : ledger_(ledger), table_(table) {
        const auto generated = generated_columns(ledger, table.name);
        std::vector<std::string> names;
        for (const LedgerColumn& column : table.columns) {
            const bool is_generated = generated.contains(column.name);
            numbers_.push_back(is_generated ? 0 : static_cast<int>(names.size()) + 1);
            if (!is_generated) {
                names.push_back(column.name);
            }
        }
        insert_ = prepare(fmt::format(
            "INSERT OR REPLACE INTO {} ({}) VALUES ({})", table.name, fmt::join(names, ", "),
            fmt::join(std::vector<std::string>(names.size(), "?"), ", ")));
        std::vector<std::string> conditions;
        for (std::size_t column = 0; column < table.key_columns; ++column) {
            conditions.push_back(table.columns[column].name + " = ?");
        }
        remove_ = prepare(
            fmt::format("DELETE FROM {} WHERE {}", table.name, fmt::join(conditions, " AND ")));
    }

    void insert(std::string_view line) {
        const auto fields = fields_of(line, table_.columns.size());
        for (std::size_t column = 0; column < table_.columns.size(); ++column) {
            if (numbers_[column] > 0) {
                bind(insert_.get(), numbers_[column], table_.columns[column], fields[column]);
            }
        }
        run(insert_.get());
    }

    void remove(std::string_view key) {
        const auto fields = fields_of(key, table_.key_columns);
        for (std::size_t column = 0; column < table_.key_columns; ++column) {
            bind(remove_.get(), static_cast<int>(column) + 1, table_.columns[column],
                 fields[column]);
        }
        run(remove_.get());
    }

    /// The same for each of the lines, with line ends between them.
    void insert_all(std::string_view lines) {
        for_each_line(lines, [this](std::string_view line) { insert(line); });
    }

    void remove_all(std::string_view keys) {
        for_each_line(keys, [this](std::string_view key) { remove(key); });
    }

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

    Statement prepare(const std::string& sql) const {
        sqlite3_stmt* raw = nullptr;
        if (sqlite3_prepare_v2(ledger_.getHandle(), sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) {
            throw SQLite::Exception(ledger_.getHandle());
        }
        return Statement(raw);
    }

    void bind(sqlite3_stmt* statement, int number, const LedgerColumn& column,
              std::string_view field) const {
        int result = SQLITE_OK;
        const auto size = static_cast<int>(field.size());
        if (field == "\\N") {
            result = sqlite3_bind_null(statement, number);
        } else if (column.is_number()) {
            const auto value = parse_number<std::int64_t>(field);
            if (!value) {
                throw DatabaseError(
                    fmt::format("the server sent no number as {} of {}", column.name, table_.name));
            }
            result = sqlite3_bind_int64(statement, number, *value);
        } else if (column.type == "bytea") {
            const std::string bytes = bytes_of_hex(field_text(field));
            result = sqlite3_bind_blob(statement, number, bytes.data(),
                                       static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
        } else if (field.find('\\') == std::string_view::npos) {
            // The line lives until the statement has run.
            result = sqlite3_bind_text(statement, number, field.data(), size, SQLITE_STATIC);
        } else {
            const std::string text = field_text(field);
            result = sqlite3_bind_text(statement, number, text.data(),
                                       static_cast<int>(text.size()), SQLITE_TRANSIENT);
        }
        if (result != SQLITE_OK) {
            throw SQLite::Exception(ledger_.getHandle(), result);
        }
    }

    void run(sqlite3_stmt* statement) const {
        const int result = sqlite3_step(statement);
        if (result != SQLITE_DONE) {
            throw SQLite::Exception(ledger_.getHandle(), result);
        }
        sqlite3_reset(statement);
    }

    SQLite::Database& ledger_;
    const LedgerTable& table_;
    std::vector<int> numbers_;  ///< by column: of its parameter; 0 for a generated column
    Statement insert_;
    Statement remove_;
};

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
