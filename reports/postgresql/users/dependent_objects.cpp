#include "reports/postgresql/users/dependent_objects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/engine/server/plain_table.hpp"
#include "reports/postgresql/rows/ledger_rows.hpp"
#include "reports/postgresql/views/published_views.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

/// The names of what a publish makes in the schemas of a ledger, as an array of PostgreSQL.
std::string own_names() {
    std::vector<std::string> names = {"published", "publication", "publication_change"};
    for (const LedgerTable& table : ledger_tables()) {
        names.push_back(table.name);
    }
    for (const PublishedView& view : published_views()) {
        names.push_back(view.name);
        names.push_back("of_all_" + view.name);
    }
    return fmt::format("{{{}}}", fmt::join(names, ","));
}

/// The views and tables of a ledger, and what is in its schema of tables, which has a view for each
/// table. Another role's view may lie between them, which only that role can grant.
constexpr std::string_view what_is_read =
    "SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON n.oid = "
    "relnamespace WHERE (nspname = $2 AND relkind IN ('r', 'v') OR nspname = $1 AND (relkind = "
    "'v' OR relkind = 'r' AND EXISTS (SELECT FROM pg_class v JOIN pg_namespace m ON m.oid = "
    "v.relnamespace WHERE m.nspname = $2 AND v.relname = c.relname))) AND pg_has_role(relowner, "
    "'USAGE')";

/// Whether the role has all that grant() gives, so that nothing is written for it.
bool may_read(PostgresConnection& connection, const PublishedName& name, const std::string& role) {
    return connection
        .query(std::string(what_is_read) +
                   " AND NOT (has_schema_privilege($3, n.oid, 'USAGE') AND "
                   "has_table_privilege($3, c.oid, 'SELECT')) LIMIT 1",
               {name.text(), name.text() + " tables", role})
        .rows.empty();
}

void grant_views(PostgresConnection& connection, const PublishedName& name,
                 const std::string& role) {
    const std::string to = quoted_name(role);
    std::string sql = fmt::format("GRANT USAGE ON SCHEMA {}, {} TO {};\n", name.schema(),
                                  name.schema_of_tables(), to);
    const auto read = connection.query(std::string(what_is_read) + " ORDER BY 1",
                                       {name.text(), name.text() + " tables"});
    for (const auto& row : read.rows) {
        sql += fmt::format("GRANT SELECT ON {} TO {};\n", text_in(row, 0), to);
    }
    connection.run(sql);
}

}  // namespace

std::vector<std::string> dependent_objects(PostgresConnection& connection,
                                           const PublishedName& name) {
    const auto found = connection.query(std::string(dependent_texts.front().text),
                                        {name.text(), name.text() + " tables", own_names()});
    std::vector<std::string> objects;
    for (const auto& row : found.rows) {
        objects.push_back(text_in(row, 0));
    }
    return objects;
}

void refuse_parts_of_others(PostgresConnection& connection, const PublishedName& name) {
    const auto found = connection.query(
        fmt::format(
            "SELECT what, pg_get_userbyid(owner) FROM (SELECT format('the schema %I', nspname) AS "
            "what, nspowner AS owner FROM pg_namespace WHERE nspname IN ($1, $2) UNION ALL SELECT "
            "format('%I.%I', nspname, relname), relowner FROM pg_class c JOIN pg_namespace n ON "
            "n.oid = relnamespace WHERE nspname IN ($1, $2) AND relname = ANY (CAST($3 AS text[])) "
            "UNION ALL SELECT format('the function %I.%I', nspname, proname), proowner FROM "
            "pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname IN ($1, $2)) part "
            "WHERE NOT {} LIMIT 1",
            is_trusted("owner")),
        {name.text(), name.text() + " tables", own_names()});
    if (!found.rows.empty()) {
        const auto& row = found.rows[0];
        throw UsageError(
            fmt::format("--ledger {0}: {1} belongs to the role {2}, and publish would run what {2} "
                        "put there; publish as {2}, or choose another name",
                        name.text(), text_in(row, 0), text_in(row, 1)));
    }
}

std::vector<std::string> granted_roles(PostgresConnection& connection, const PublishedName& name) {
    std::vector<std::string> roles;
    const auto table = connection.query(
        "SELECT DISTINCT rolname FROM pg_namespace n, aclexplode(nspacl) a JOIN pg_roles r ON "
        "r.oid = a.grantee WHERE nspname = $1 AND a.grantee <> n.nspowner ORDER BY rolname",
        {name.text()});
    for (const auto& row : table.rows) {
        roles.push_back(text_in(row, 0));
    }
    return roles;
}

void grant(PostgresConnection& connection, const PublishedName& name, const std::string& role) {
    if (connection.query("SELECT FROM pg_roles WHERE rolname = $1", {role}).rows.empty()) {
        throw UsageError(fmt::format("--grant {}: the server has no such role", role));
    }
    if (!may_read(connection, name, role)) {
        grant_views(connection, name, role);
    }
}

}  // namespace cacheledger
