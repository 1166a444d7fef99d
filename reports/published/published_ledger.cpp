#include "reports/published/published_ledger.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

constexpr auto find_ledgers = R"(
SELECT nspname
FROM pg_namespace
WHERE to_regclass(quote_ident(nspname) || '.published') IS NOT NULL
ORDER BY nspname COLLATE "C")";

[[noreturn]] void refuse_unknown(PostgresConnection& connection, const std::string& ledger) {
    std::vector<std::string> names;
    for (const auto& row : connection.query(find_ledgers).rows) {
        names.push_back(to_text(row.at(0)));
    }
    const std::string known = names.empty() ? std::string("none was published there")
                                            : fmt::format("there are: {}", fmt::join(names, ", "));
    throw UsageError(ledger.empty()
                         ? fmt::format("--ledger: expected the name of a ledger; {}", known)
                         : fmt::format("--ledger: no ledger '{}'; {}", ledger, known));
}

}  // namespace

std::string schema_of_tables(const std::string& ledger) {
    return ledger + " tables";
}

PublishedLedger::PublishedLedger(const std::string& url, const std::string& ledger,
                                 const PostgresConnection::IsStopped& is_stopped)
    : connection_(url, is_stopped), ledger_(ledger) {
    // Without jit: compiling a query takes longer than these queries do.
    connection_.run("SET jit = off; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const ResultTable found =
        connection_.query("SELECT to_regclass($1) IS NOT NULL",
                          {quoted_name(schema_of_tables(ledger)) + ".published"});
    if (ledger.empty() || found.rows.at(0).at(0) != Value(std::int64_t{1})) {
        refuse_unknown(connection_, ledger);
    }
    connection_.run(fmt::format("SET LOCAL search_path = {}, {}, cacheledger",
                                quoted_name(schema_of_tables(ledger)), quoted_name(ledger)));
    const Value version =
        connection_.query("SELECT schema_version FROM published").rows.at(0).at(0);
    if (version != Value(std::int64_t{newest_schema_version()})) {
        throw DatabaseError(
            fmt::format("the ledger '{}' was published by another version of cacheledger (schema "
                        "{}, here {}); publish it with this one",
                        ledger, to_text(version), newest_schema_version()));
    }
}

void PublishedLedger::refuse_powerful_role() {
    const auto power = connection_.query(find_power, {ledger_}).rows;
    if (!power.empty()) {
        throw UsageError(
            fmt::format("sql: the role of this connection may do more than read the views ({}); "
                        "'publish --grant ROLE' makes a role that may not",
                        to_text(power[0].at(0))));
    }
}

}  // namespace cacheledger
