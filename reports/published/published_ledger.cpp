#include "reports/published/published_ledger.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/layout/published_row.hpp"
#include "schema/ledger/migration.hpp"

namespace cacheledger {

namespace {

/// Why a role may do more than read; no row if it may not. Roles of which it is a member count,
/// too. $1: the schema of the ledger.
constexpr auto find_power = R"(
SELECT 'it is a superuser' AS reason FROM pg_roles WHERE rolname = current_user AND rolsuper
UNION ALL
SELECT 'it may make ' || CASE WHEN rolcreaterole THEN 'roles' ELSE 'databases' END
FROM pg_roles WHERE rolname = current_user AND (rolcreaterole OR rolcreatedb)
UNION ALL
SELECT 'it is a member of ' || rolname
FROM pg_roles
WHERE rolname LIKE 'pg\_%' AND rolname <> 'pg_database_owner' AND pg_has_role(current_user, oid, 'USAGE')
UNION ALL
SELECT 'it owns ' || nspname || '.' || relname
FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
WHERE pg_has_role(current_user, relowner, 'USAGE') AND nspname NOT LIKE 'pg\_%'
UNION ALL
SELECT 'it may make tables in the schema ' || nspname
FROM pg_namespace
WHERE has_schema_privilege(current_user, oid, 'CREATE') AND nspname NOT LIKE 'pg\_%'
UNION ALL
SELECT 'it may change ' || nspname || '.' || relname
FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema' AND relkind IN ('r', 'v', 'm', 'p', 'f')
  AND has_table_privilege(current_user, pg_class.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
UNION ALL
SELECT 'it may read the tables of the ledger, not only its views: ' || relname
FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
WHERE nspname = $1 AND relkind IN ('r', 'p') AND has_table_privilege(current_user, pg_class.oid, 'SELECT')
LIMIT 1)";

PublishedName name_of_ledger(PostgresConnection& connection, const std::string& ledger) {
    if (!ledger.empty()) {
        return PublishedName(ledger);
    }
    const auto names = published_names(connection);
    throw UsageError(
        fmt::format("--ledger: expected the name of a ledger; the database has {}",
                    names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

PublishedLedger::PublishedLedger(const std::string& url, const std::string& ledger,
                                 const PostgresConnection::IsStopped& is_stopped)
    : connection_(url, is_stopped), name_(name_of_ledger(connection_, ledger)) {
    // Without jit: compiling a query takes longer than these queries do.
    connection_.run("SET jit = off; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const PublishedRow published = require_published(connection_, name_);
    if (published.schema_version != newest_schema_version()) {
        throw DatabaseError(fmt::format(
            "{}: published by {} with schema {}, and this program reads schema {}; publish it with "
            "this program",
            name_.text(), published.program, published.schema_version, newest_schema_version()));
    }
    connection_.run("SET LOCAL search_path = " + name_.search_path());
}

void PublishedLedger::refuse_powerful_role() {
    const auto power = connection_.query(find_power, {name_.text()}).rows;
    if (!power.empty()) {
        throw UsageError(
            fmt::format("sql: the role of this connection may do more than read the views ({}); "
                        "'publish --grant ROLE' makes a role that may not",
                        to_text(power[0].at(0))));
    }
}

}  // namespace cacheledger
