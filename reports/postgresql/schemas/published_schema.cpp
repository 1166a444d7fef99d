#include "reports/postgresql/schemas/published_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/ledger_rows.hpp"
#include "reports/postgresql/views/published_views.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/text/sha256.hpp"

namespace cacheledger {

namespace {

/// A column of a table or view on the server.
struct ViewColumn {
    std::string name;
    std::string type;  ///< as PostgreSQL writes it: "bigint"
};

/// The columns of tables and views, in their order.
using ViewColumns = std::map<std::string, std::vector<ViewColumn>>;

/// What a view selects from `v`: first the columns that it has, then those that it gets.
std::string selected(const std::vector<std::string>& columns, const ViewColumns& there,
                     const std::string& view) {
    std::vector<std::string> words;
    const auto found = there.find(view);
    const auto& old = found == there.end() ? std::vector<ViewColumn>() : found->second;
    for (const ViewColumn& column : old) {
        const std::string name = quoted_name(column.name);
        const bool is_known = std::ranges::count(columns, column.name) > 0;
        const bool is_unknown_text = !is_known && column.type == "text";
        words.push_back(fmt::format("CAST({} AS {}){} AS {}", is_known ? "v." + name : "NULL",
                                    column.type, is_unknown_text ? " COLLATE \"C\"" : "", name));
    }
    for (const std::string& column : columns) {
        if (std::ranges::count(old, column, &ViewColumn::name) == 0) {
            words.push_back("v." + quoted_name(column));
        }
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> column_names_of(const LedgerTable& table) {
    std::vector<std::string> names;
    for (const LedgerColumn& column : table.columns) {
        names.push_back(column.name);
    }
    return names;
}

/// What tables and public views are, and what the columns of public views mean.
std::string comment_statements(const PublishedName& name) {
    std::string sql;
    for (const SchemaPart& part : schema_parts()) {
        if (!part.is_public) {
            continue;
        }
        const std::string view = fmt::format("{}.{}", name.schema(), part.name);
        sql += fmt::format("COMMENT ON VIEW {} IS {};\n", view,
                           quoted_text(comment_words(part.comment)));
        for (const auto& [column, text] : part.texts) {
            sql += fmt::format("COMMENT ON COLUMN {}.{} IS {};\n", view, quoted_name(column),
                               quoted_text(text));
        }
    }
    return sql;
}

/// The statements that make the views of a published ledger, with their comments:
///
/// - the public views and those for reports, in its schema;
/// - in "NAME tables" a view for each table, by which who only reads has the tables;
/// - there, too, of_all_X for each public view X: its rows for who may read it, and none for
///   others. Everybody may read these, so that they can be parts of the views over all ledgers. A
///   barrier keeps PostgreSQL from moving the condition into those, where it would hide which
///   ledger a part is of, and every ledger would be read.
///
/// `there`, `there_of_tables`: what the two schemas have. A view keeps what it has, in its order
/// and of its type; a column that this program does not know is NULL from now on.
std::string view_statements(const PublishedName& name, const ViewColumns& there,
                            const ViewColumns& there_of_tables) {
    const std::string schema = name.schema();
    const std::string of_tables = name.schema_of_tables();
    std::string sql;
    for (const PublishedView& view : published_views()) {
        sql += fmt::format(
            "CREATE OR REPLACE VIEW {}.{} AS\nSELECT {} FROM (\n{}) v WHERE {}.without_jit();\n",
            schema, view.name, selected(view.columns, there, view.name), view.query, of_tables);
        if (view.is_public) {
            const std::string all = "of_all_" + view.name;
            sql += fmt::format(
                "CREATE OR REPLACE VIEW {0}.{1} WITH (security_barrier) AS\nSELECT {2} FROM "
                "{3}.{4} v WHERE has_schema_privilege({5}::regnamespace, 'USAGE') AND "
                "has_table_privilege({6}::regclass, 'SELECT');\nGRANT SELECT ON {0}.{1} TO "
                "PUBLIC;\n",
                of_tables, all, selected(view.columns, there_of_tables, all), schema, view.name,
                quoted_text(schema), quoted_text(fmt::format("{}.{}", schema, view.name)));
        }
    }
    const auto add = [&](const std::string& table, const std::vector<std::string>& columns) {
        sql += fmt::format(
            "CREATE OR REPLACE VIEW {0}.{1} AS SELECT {2} FROM {3}.{1} v WHERE "
            "{0}.without_jit();\n",
            of_tables, table, selected(columns, there_of_tables, table), schema);
    };
    for (const LedgerTable& table : ledger_tables()) {
        add(table.name, column_names_of(table));
    }
    add("published",
        {"one_row", "ledger_id", "token", "schema_version", "layout", "program", "published_at"});
    return sql + comment_statements(name);
}

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
