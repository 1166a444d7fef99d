#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/server/connection.hpp"

struct sqlite3_stmt;

/// The tables of the ledger as PostgreSQL has them, and what differs between those of a file and of
/// a server: rows as lines of PostgreSQL's COPY in its text format, exactly as the server writes
/// them: fields with tabs between them, NULL as \N. So a row of SQLite and a row of the server are
/// equal if their lines are.
namespace cacheledger {

/// A column of a table of the ledger, as PostgreSQL has it. A generated column is a plain one
/// there. Ids and flags are an "integer", which takes half the bytes of a "bigint". A ledger that
/// an earlier version of the program published keeps its "bigint".
struct LedgerColumn {
    std::string name;
    std::string type;  ///< "smallint", "integer", "bigint", "text" or "bytea"
    bool is_required = false;

    bool is_number() const;

    /// Its part of CREATE TABLE. Not `and_required`: its rows get their values later.
    std::string definition(bool and_required = true) const;
};

/// A table of the ledger that is published.
struct LedgerTable {
    std::string name;
    std::vector<LedgerColumn> columns;  ///< those of the primary key first
    std::size_t key_columns = 0;

    /// The only column of the primary key if that is a number, the id of a row; else empty.
    std::string id() const;

    /// Whether the key has numbers only, so that rows can be compared in its order.
    bool has_numeric_key() const;

    /// The names of all columns, or of those of the key, with commas between them.
    std::string column_list() const;
    std::string key_list() const;

    /// CREATE TABLE, without keys and indexes. `schema`: in quotes.
    std::string create_statement(std::string_view schema) const;

    /// What makes its primary key there, if it has one. `schema`: in quotes.
    std::string key_statement(std::string_view schema) const;
};

/// All tables that are published, in the order of the migrations: those of a ledger that this
/// program makes, but that of its states. A table refers only to earlier ones.
const std::vector<LedgerTable>& ledger_tables();

/// A table of a ledger that has this program's schema version. For a question of one table, as
/// ledger_tables() makes a ledger in memory, which takes longer than most answers.
LedgerTable table_in(SQLite::Database& ledger, const std::string& name);

/// The one of this name. Throws DatabaseError if there is none: a server named it.
const LedgerTable& ledger_table(std::string_view name);

/// A run of ingest that changes nothing else writes here when it was, and makes no new state.
inline constexpr const char* table_of_checks = "series";

/// A column that has ids of another table. The server does not hold these, so that a publish writes
/// rows in any order: publish --check does.
struct LedgerReference {
    std::string table;
    std::string column;
    std::string referred;  ///< the table, whose id it has
};

/// All references between published tables.
const std::vector<LedgerReference>& ledger_references();

/// The rows of a query of SQLite, one after the other. A text with a NUL, or with bytes that are
/// not UTF-8, can't be stored by PostgreSQL: its line has these bytes written out, "\xff".
class CopyLines {
  public:
    /// Throws SQLite::Exception.
    CopyLines(const SQLite::Database& ledger, const std::string& sql);

    /// Goes to the next row, at first to the first one. False at the end. Throws SQLite::Exception.
    bool next();

    /// The line of the row, without its end.
    const std::string& line() const { return line_; }

    /// How many texts PostgreSQL can't store as they are, so far.
    std::size_t respelled() const { return respelled_; }

  private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    void append(int column);
    void append_text(std::string_view text);

    const SQLite::Database& ledger_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    std::string line_;
    bool is_over_ = false;
    std::size_t respelled_ = 0;
};

/// The first `columns` fields of a line, with the tabs between them.
std::string_view first_fields(std::string_view line, std::size_t columns);

/// The fields of a line as they are written there. Throws DatabaseError if it has not `columns`.
std::vector<std::string_view> fields_of(std::string_view line, std::size_t columns);

/// The value of a field that is not NULL.
std::string field_text(std::string_view field);

struct LoadedRows {
    std::int64_t rows = 0;
    std::size_t respelled = 0;  ///< texts that PostgreSQL can't store as they are
};

/// Copies all rows of a table to the server, whose table is empty. `schema`: in quotes. Throws
/// SQLite::Exception and what PostgresConnection throws.
LoadedRows load_table(const SQLite::Database& ledger, PostgresConnection& connection,
                      const std::string& schema, const LedgerTable& table);

/// What it would copy. Throws SQLite::Exception.
LoadedRows count_rows(const SQLite::Database& ledger, const LedgerTable& table);

/// Whose rows are the right ones: those of the file of a ledger, or of the server.
enum class RightRows { file, server };

/// In what the rows of a published table differ from those of the ledger.
struct TableDifference {
    const LedgerTable* table = nullptr;
    std::int64_t rows = 0;       ///< of the ledger
    std::int64_t published = 0;  ///< of the server
    std::int64_t inserted = 0;   ///< rows that only the right side has
    std::int64_t updated = 0;    ///< rows with the same key and other values
    std::int64_t deleted = 0;    ///< rows that only the other side has
    std::uint64_t checksum = 0;  ///< of the ledger's rows, whatever their order
    std::uint64_t published_checksum = 0;
    std::size_t respelled = 0;  ///< texts that PostgreSQL can't store as they are

    std::vector<std::string> old_keys{};  ///< of rows that are deleted or updated, as lines of COPY
    std::string new_lines{};              ///< of rows that are inserted or updated, for COPY

    /// The number of rows that differ.
    std::int64_t changed() const { return inserted + updated + deleted; }

    bool is_empty() const { return changed() == 0; }
};

/// Compares all rows of a table. `schema`: of the published ledger, in quotes. Throws
/// SQLite::Exception and what PostgresConnection throws.
TableDifference compare_rows(const SQLite::Database& ledger, PostgresConnection& connection,
                             const std::string& schema, const LedgerTable& table,
                             RightRows right = RightRows::file);

/// Makes the server's rows those of the ledger. Only rows that differ are written.
void write_difference(PostgresConnection& connection, const std::string& schema,
                      const TableDifference& difference);

}  // namespace cacheledger
