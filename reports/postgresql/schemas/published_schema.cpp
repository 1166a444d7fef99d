#include "reports/postgresql/schemas/published_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "reports/postgresql/schemas/kept_changes.hpp"
#include "reports/postgresql/schemas/published_row.hpp"
#include "reports/postgresql/schemas/view_statements.hpp"
#include "reports/postgresql/views/published_views.hpp"
#include "schema/text/sha256.hpp"

namespace cacheledger {

namespace {

std::string digest_of(std::string_view text) {
    constexpr std::size_t enough_digits = 32;
    return sha256_of(text).substr(0, enough_digits);
}

std::string schema_statements(const PublishedName& name) {
    return fmt::format(
        "CREATE SCHEMA IF NOT EXISTS {0};\nCREATE SCHEMA IF NOT EXISTS {1};\n"
        "GRANT USAGE ON SCHEMA {1} TO PUBLIC;\n",
        name.schema(), name.schema_of_tables());
}

std::string table_statements(const PublishedName& name) {
    std::string sql;
    for (const LedgerTable& table : ledger_tables()) {
        sql += table.create_statement(name.schema());
    }
    return sql + PublishedRow::create_statement(name.schema()) + kept_changes_statements(name);
}

/// The names of the columns of all tables and views in a schema, in their order.
ViewColumns columns_in(PostgresConnection& connection, const std::string& schema) {
    ViewColumns columns;
    const auto found = connection.query(
        "SELECT relname, attname, format_type(atttypid, atttypmod) FROM pg_attribute JOIN pg_class "
        "c ON c.oid = attrelid WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = "
        "$1) AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped ORDER BY relname, "
        "attnum",
        {schema});
    for (const auto& row : found.rows) {
        columns[text_in(row, 0)].push_back({text_in(row, 1), text_in(row, 2)});
    }
    return columns;
}

std::string all_statements(const PublishedName& name) {
    std::string sql = table_statements(name);
    for (const LedgerTable& table : ledger_tables()) {
        sql += table.key_statement(name.schema());
    }
    return sql + published_indexes() + compatible_functions(name.schema_of_tables()) +
           view_statements(name, {}, {});
}

bool is_there(const ViewColumns& columns, const std::string& table, const std::string& name) {
    const auto found = columns.find(table);
    return found != columns.end() && std::ranges::count(found->second, name, &ViewColumn::name) > 0;
}

/// The columns of the table that the server lacks.
std::vector<LedgerColumn> missing_columns(const ViewColumns& there, const LedgerTable& table) {
    std::vector<LedgerColumn> missing;
    for (const LedgerColumn& column : table.columns) {
        if (!is_there(there, table.name, column.name)) {
            missing.push_back(column);
        }
    }
    return missing;
}

}  // namespace

std::string published_layout() {
    constexpr const char* rights = "who reads the views reads the tables, too";
    static const std::string layout = digest_of(all_statements(PublishedName("ledger")) + rights);
    return layout;
}

void make_tables(PostgresConnection& connection, const PublishedName& name) {
    connection.run(schema_statements(name) + table_statements(name));
}

void make_keys(PostgresConnection& connection, const PublishedName& name) {
    std::string sql;
    std::vector<std::string> tables;
    for (const LedgerTable& table : ledger_tables()) {
        sql += table.key_statement(name.schema());
        tables.push_back(fmt::format("{}.{}", name.schema(), table.name));
    }
    connection.run(fmt::format("{}SET LOCAL search_path = {};\n{}\nANALYZE {}", sql, name.schema(),
                               published_indexes(), fmt::join(tables, ", ")));
}

std::vector<LedgerTable> incomplete_tables(PostgresConnection& connection,
                                           const PublishedName& name) {
    const ViewColumns there = columns_in(connection, name.text());
    std::vector<LedgerTable> incomplete;
    for (const LedgerTable& table : ledger_tables()) {
        if (!missing_columns(there, table).empty()) {
            incomplete.push_back(table);
        }
    }
    return incomplete;
}

void complete_tables(PostgresConnection& connection, const PublishedName& name) {
    const ViewColumns there = columns_in(connection, name.text());
    std::string sql = schema_statements(name) + kept_changes_statements(name);
    for (const LedgerTable& table : ledger_tables()) {
        if (!there.contains(table.name)) {
            sql += table.create_statement(name.schema()) + table.key_statement(name.schema());
            continue;
        }
        for (const LedgerColumn& column : missing_columns(there, table)) {
            sql += fmt::format("ALTER TABLE {}.{} ADD COLUMN {};\n", name.schema(), table.name,
                               column.definition(false));
        }
    }
    connection.run(sql);
}

void require_values(PostgresConnection& connection, const PublishedName& name) {
    const auto found = connection.query(
        "SELECT relname, attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE "
        "relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind = 'r' AND "
        "attnum > 0 AND NOT attisdropped AND NOT attnotnull",
        {name.text()});
    std::string sql;
    for (const auto& row : found.rows) {
        for (const LedgerTable& table : ledger_tables()) {
            for (const LedgerColumn& column : table.columns) {
                if (column.is_required && table.name == text_in(row, 0) &&
                    column.name == text_in(row, 1)) {
                    sql += fmt::format("ALTER TABLE {}.{} ALTER COLUMN {} SET NOT NULL;\n",
                                       name.schema(), table.name, column.name);
                }
            }
        }
    }
    connection.run(sql);
}

void make_views(PostgresConnection& connection, const PublishedName& name) {
    const ViewColumns views = columns_in(connection, name.text());
    const ViewColumns views_of_tables = columns_in(connection, name.text() + " tables");
    connection.run(compatible_functions(name.schema_of_tables()) +
                   fmt::format("\nSET LOCAL search_path = {}, {};\n{}", name.schema(),
                               name.schema_of_tables(), published_indexes()) +
                   view_statements(name, views, views_of_tables));
}

}  // namespace cacheledger
