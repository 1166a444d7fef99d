#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace cacheledger
