#include "reports/postgresql/rows/ledger_rows.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

namespace cacheledger {

namespace {

/// It has six times the rows of any other. Its primary key would be larger than the table is in the
/// file: an index by spec does, in which PostgreSQL writes each spec once
/// (reports/postgresql/views/indexes.sql).
constexpr std::string_view table_of_edges = "dependency";

/// Ids count from 1, and are far below 2^31. Counts and moments are what public views show.
std::string integer_type(std::string_view column) {
    constexpr std::array<std::string_view, 5> flags{"came", "went", "external", "form",
                                                    "read_again"};
    if (column.starts_with("is_") || std::ranges::count(flags, column) > 0) {
        return "smallint";
    }
    // Reports shift the id of a package by 32 bits (sql/coverage/summary.sql).
    return column.ends_with("_id") && column != "package_id" ? "integer" : "bigint";
}

std::string postgresql_type(const std::string& table, const std::string& column,
                            const std::string& type) {
    if (type == "INTEGER") {
        return integer_type(column);
    }
    if (type == "TEXT") {
        return "text";
    }
    if (type == "BLOB") {
        return "bytea";
    }
    throw std::logic_error(fmt::format("{}: no type of PostgreSQL is known for {}", table, type));
}

std::vector<LedgerTable> read_tables() {
    SQLite::Database ledger(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(ledger);
    std::vector<LedgerTable> tables;
    for (const auto& [name] :
         rows<std::string>(ledger,
                           "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE "
                           "'sqlite@_%' ESCAPE '@' ORDER BY rowid")) {
        if (name != table_of_states && name != table_of_progress) {
            tables.push_back(table_in(ledger, name));
        }
    }
    return tables;
}

/// A column with the name of another table's id has its ids.
std::vector<LedgerReference> read_references() {
    std::vector<LedgerReference> references;
    for (const LedgerTable& table : ledger_tables()) {
        for (const LedgerColumn& column : table.columns) {
            for (const LedgerTable& other : ledger_tables()) {
                // A node has the id of its spec.
                if (&other != &table && other.name != "node" && other.id() == column.name) {
                    references.push_back({table.name, column.name, other.name});
                }
            }
        }
    }
    references.push_back({"dependency", "dependency_id", "spec"});
    references.push_back({"dependency", "spec_id", "node"});
    return references;
}

template <typename Columns>
std::string list_of(const Columns& columns) {
    std::vector<std::string> names;
    names.reserve(std::size(columns));
    for (const LedgerColumn& column : columns) {
        names.push_back(column.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool LedgerColumn::is_number() const {
    return type == "smallint" || type == "integer" || type == "bigint";
}

std::string LedgerColumn::definition(bool and_required) const {
    // SQLite compares texts byte by byte.
    return fmt::format("{} {}{}{}", name, type, type == "text" ? " COLLATE \"C\"" : "",
                       is_required && and_required ? " NOT NULL" : "");
}

std::string LedgerTable::id() const {
    return key_columns == 1 && has_numeric_key() ? columns.front().name : "";
}

bool LedgerTable::has_numeric_key() const {
    return std::ranges::all_of(columns.begin(),
                               columns.begin() + static_cast<std::ptrdiff_t>(key_columns),
                               &LedgerColumn::is_number);
}

std::string LedgerTable::column_list() const {
    return list_of(columns);
}

std::string LedgerTable::key_list() const {
    return list_of(
        std::vector(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(key_columns)));
}

std::string LedgerTable::create_statement(std::string_view schema) const {
    std::vector<std::string> lines;
    lines.reserve(columns.size());
    for (const LedgerColumn& column : columns) {
        lines.push_back(column.definition());
    }
    return fmt::format("CREATE TABLE {}.{} ({});\n", schema, name, fmt::join(lines, ", "));
}

std::string LedgerTable::key_statement(std::string_view schema) const {
    if (name == table_of_edges) {
        return fmt::format("ALTER TABLE {}.{} REPLICA IDENTITY FULL;\n", schema, name);
    }
    return fmt::format("ALTER TABLE {}.{} ADD PRIMARY KEY ({}){};\n", schema, name, key_list(),
                       id().empty() ? "" : " WITH (fillfactor = 100)");  // new ids come last
}

LedgerTable table_in(SQLite::Database& ledger, const std::string& name) {
    LedgerTable table{name, {}, 0};
    std::vector<std::pair<int, LedgerColumn>> key;
    std::vector<LedgerColumn> others;
    for (const auto& [of_column, type, is_not_null, place_in_key] :
         rows<std::string, std::string, bool, int>(
             ledger, "SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?)", name)) {
        LedgerColumn column{of_column, postgresql_type(name, of_column, type),
                            is_not_null || place_in_key > 0};
        if (place_in_key > 0) {
            key.emplace_back(place_in_key, std::move(column));
        } else {
            others.push_back(std::move(column));
        }
    }
    std::ranges::sort(key, {}, &std::pair<int, LedgerColumn>::first);
    for (auto& [place, column] : key) {
        table.columns.push_back(std::move(column));
    }
    table.key_columns = table.columns.size();
    std::ranges::move(others, std::back_inserter(table.columns));
    return table;
}

const std::vector<LedgerTable>& ledger_tables() {
    static const std::vector<LedgerTable> tables = read_tables();
    return tables;
}

const LedgerTable& ledger_table(std::string_view name) {
    const auto found = std::ranges::find(ledger_tables(), name, &LedgerTable::name);
    if (found == ledger_tables().end()) {
        throw DatabaseError(
            fmt::format("the server names the table {}, which no ledger has", name));
    }
    return *found;
}

const std::vector<LedgerReference>& ledger_references() {
    static const std::vector<LedgerReference> references = read_references();
    return references;
}

}  // namespace cacheledger
