#include "reports/postgresql/users/dependent_objects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/engine/server/plain_table.hpp"
#include "reports/postgresql/rows/ledger_tables.hpp"
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

}  // namespace cacheledger
