#include "reports/postgresql/schemas/published_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "reports/postgresql/rows/ledger_tables.hpp"
#include "reports/postgresql/schemas/published_row.hpp"
#include "reports/postgresql/views/published_views.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/text/sha256.hpp"

namespace cacheledger {

namespace {

constexpr int lock_of_functions = 0;  // beside PublishedName::lock_key()

std::string digest_of(std::string_view text) {
    constexpr std::size_t enough_digits = 32;
    return sha256_of(text).substr(0, enough_digits);
}

std::string table_statements(const PublishedName& name) {
    std::string sql;
    for (const LedgerTable& table : ledger_tables()) {
        sql += table.create_statement(name.schema());
    }
    return sql + PublishedRow::create_statement(name.schema());
}

std::string key_statements(const PublishedName& name) {
    std::string sql;
    for (const LedgerTable& table : ledger_tables()) {
        sql += fmt::format("ALTER TABLE {}.{} ADD PRIMARY KEY ({});\n", name.schema(), table.name,
                           table.key_list());
    }
    return sql;
}

/// A view for each table, by which who only reads has the tables.
std::string statements_for_views_of_tables(const PublishedName& name) {
    std::string sql;
    const auto add = [&](const std::string& table) {
        sql += fmt::format("CREATE VIEW {}.{} AS SELECT * FROM {}.{};\n", name.schema_of_tables(),
                           table, name.schema(), table);
    };
    for (const LedgerTable& table : ledger_tables()) {
        add(table.name);
    }
    add("published");
    return sql;
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

std::string all_statements(const PublishedName& name) {
    return table_statements(name) + key_statements(name) + published_indexes() + published_views() +
           statements_for_views_of_tables(name);
}

/// What the schema of the functions says of itself: that they are those of this program.
std::string comment_on_functions() {
    return "What queries on ledgers use (cacheledger publish). " +
           digest_of(compatible_functions());
}

bool has_role(PostgresConnection& connection, const std::string& role) {
    return !connection.query("SELECT FROM pg_roles WHERE rolname = $1", {role}).rows.empty();
}

/// Whether the role has all that grant() gives, so that nothing is written for it.
bool may_read(PostgresConnection& connection, const PublishedName& name, const std::string& role) {
    return connection
        .query(
            "SELECT FROM pg_views WHERE schemaname IN ($1, $2) AND NOT (has_schema_privilege($3, "
            "schemaname, 'USAGE') AND has_schema_privilege($3, $4, 'USAGE') AND "
            "has_table_privilege($3, format('%I.%I', schemaname, viewname), 'SELECT')) LIMIT 1",
            {name.text(), name.text() + " tables", role, std::string(function_schema)})
        .rows.empty();
}

void grant_views(PostgresConnection& connection, const PublishedName& name,
                 const std::string& role) {
    const std::string to = quoted_name(role);
    std::string sql = fmt::format(
        "GRANT USAGE ON SCHEMA {0}, {1}, {2} TO {3};\n"
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {2} TO {3};\n",
        name.schema(), name.schema_of_tables(), function_schema, to);
    const auto views = connection.query(
        "SELECT format('%I.%I', schemaname, viewname) FROM pg_views WHERE schemaname IN ($1, $2) "
        "ORDER BY 1",
        {name.text(), name.text() + " tables"});
    for (const auto& row : views.rows) {
        sql += fmt::format("GRANT SELECT ON {} TO {};\n", to_text(row[0]), to);
    }
    connection.run(sql);
}

bool is_without_jit(PostgresConnection& connection, const std::string& role) {
    return !connection
                .query(
                    "SELECT FROM pg_db_role_setting JOIN pg_roles r ON r.oid = setrole JOIN "
                    "pg_database d ON d.oid = setdatabase WHERE rolname = $1 AND datname = "
                    "current_database() AND 'jit=off' = ANY (setconfig)",
                    {role})
                .rows.empty();
}

std::string turn_jit_off(PostgresConnection& connection, const std::string& role) {
    const auto database = connection.query("SELECT quote_ident(current_database())");
    connection.run("SAVEPOINT jit");
    try {
        connection.run(fmt::format("ALTER ROLE {} IN DATABASE {} SET jit = off", quoted_name(role),
                                   to_text(database.rows[0][0])));
    } catch (const PostgresError& error) {
        connection.run("ROLLBACK TO SAVEPOINT jit");
        return fmt::format("jit of {} is as it was ({}); drift queries may take ten seconds", role,
                           error.what());
    }
    return "";
}

}  // namespace

std::string published_layout() {
    static const std::string layout = digest_of(all_statements(PublishedName("ledger")));
    return layout;
}

void lock_shared_schema(PostgresConnection& connection) {
    connection.run(
        fmt::format("SELECT pg_advisory_xact_lock({}, {})", application_id, lock_of_functions));
}

void make_functions(PostgresConnection& connection) {
    const auto is_current = [&] {
        const auto comment = connection.query(
            "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1",
            {std::string(function_schema)});
        return !comment.rows.empty() && to_text(comment.rows[0][0]) == comment_on_functions();
    };
    if (is_current()) {
        return;
    }
    lock_shared_schema(connection);
    if (is_current()) {
        return;
    }
    connection.run(
        fmt::format("CREATE SCHEMA IF NOT EXISTS {0};\n"
                    "SET LOCAL search_path = {0};\n{1}\n"
                    "COMMENT ON SCHEMA {0} IS {2};\n"
                    "RESET search_path",
                    function_schema, compatible_functions(), quoted_text(comment_on_functions())));
}

void make_tables(PostgresConnection& connection, const PublishedName& name) {
    connection.run(fmt::format("CREATE SCHEMA {};\nCREATE SCHEMA {};\n", name.schema(),
                               name.schema_of_tables()) +
                   table_statements(name));
}

void make_views_and_keys(PostgresConnection& connection, const PublishedName& name) {
    const std::string path =
        fmt::format("SET LOCAL search_path = {}, {};\n", name.schema(), function_schema);
    connection.run(key_statements(name) + path + published_indexes());
    std::vector<std::string> tables;
    for (const LedgerTable& table : ledger_tables()) {
        tables.push_back(fmt::format("{}.{}", name.schema(), table.name));
    }
    connection.run(fmt::format("ANALYZE {}", fmt::join(tables, ", ")));
    connection.run(path + published_views() + statements_for_views_of_tables(name) +
                   comment_statements(name) + "RESET search_path");
}

void move_aside(PostgresConnection& connection, const PublishedName& name) {
    connection.run(fmt::format("ALTER SCHEMA {} RENAME TO {};\nALTER SCHEMA {} RENAME TO {}",
                               name.schema(), name.old_schema(), name.schema_of_tables(),
                               name.old_schema_of_tables()));
}

bool has_old_schemas(PostgresConnection& connection, const PublishedName& name) {
    return !connection
                .query("SELECT FROM pg_namespace WHERE quote_ident(nspname) IN ($1, $2)",
                       {name.old_schema(), name.old_schema_of_tables()})
                .rows.empty();
}

void remove_old_schemas(PostgresConnection& connection, const PublishedName& name) {
    connection.run(fmt::format("DROP SCHEMA IF EXISTS {}, {} CASCADE", name.old_schema(),
                               name.old_schema_of_tables()));
}

std::vector<std::string> granted_roles(PostgresConnection& connection, const PublishedName& name) {
    std::vector<std::string> roles;
    const auto table = connection.query(
        "SELECT DISTINCT rolname FROM pg_namespace n, aclexplode(nspacl) a JOIN pg_roles r ON "
        "r.oid = a.grantee WHERE nspname = $1 AND a.grantee <> "
        "n.nspowner ORDER BY rolname",
        {name.text()});
    for (const auto& row : table.rows) {
        roles.push_back(to_text(row[0]));
    }
    return roles;
}

std::string grant(PostgresConnection& connection, const PublishedName& name,
                  const std::string& role) {
    if (!has_role(connection, role)) {
        throw UsageError(fmt::format("--grant {}: the server has no such role", role));
    }
    if (!may_read(connection, name, role)) {
        grant_views(connection, name, role);
    }
    return is_without_jit(connection, role) ? "" : turn_jit_off(connection, role);
}

}  // namespace cacheledger
