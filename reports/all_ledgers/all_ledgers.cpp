#include "reports/all_ledgers/all_ledgers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "reports/layout/published_name.hpp"
#include "reports/layout/published_row.hpp"
#include "reports/layout/published_schema.hpp"
#include "schema/ledger/migration.hpp"

namespace cacheledger {

namespace {

constexpr const char* insufficient_privilege = "42501";
constexpr const char* invalid_table_definition = "42P16";  // of a view with other columns

std::string name_of_all(std::string_view view) {
    return fmt::format("{}.all_{}", function_schema, view);
}

/// Asked once for each ledger, not for each row: without the right, the ledger is not read at all.
std::string rows_of(const std::string& ledger, std::string_view view) {
    return fmt::format(
        "SELECT {} COLLATE \"C\" AS ledger, t.* FROM {}.{} t WHERE has_schema_privilege({}, "
        "'USAGE')",
        quoted_text(ledger), PublishedName(ledger).schema(), view, quoted_text(ledger));
}

/// Whether this role may read the views of the ledger. The owner of a view over them has to.
bool may_read_views(PostgresConnection& connection, const std::string& ledger) {
    std::vector<std::string> names;
    for (const EmbeddedText& view : view_texts) {
        names.emplace_back(view.name);
    }
    const auto readable = connection.query(
        "SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = $1 AND "
        "relname = ANY (CAST($2 AS text[])) AND has_schema_privilege(n.oid, 'USAGE') AND "
        "has_table_privilege(c.oid, 'SELECT')",
        {ledger, fmt::format("{{{}}}", fmt::join(names, ","))});
    return readable.rows.size() == names.size();
}

std::string make_statements(const std::vector<std::string>& ledgers) {
    std::string sql;
    for (const EmbeddedText& view : view_texts) {
        std::vector<std::string> parts;
        parts.reserve(ledgers.size());
        for (const std::string& ledger : ledgers) {
            parts.push_back(rows_of(ledger, view.name));
        }
        sql += fmt::format(
            "CREATE OR REPLACE VIEW {0} AS\n{1};\nGRANT SELECT ON {0} TO PUBLIC;\n"
            "COMMENT ON VIEW {0} IS 'The view {2} of all ledgers';\n",
            name_of_all(view.name), fmt::join(parts, "\nUNION ALL\n"), view.name);
    }
    return sql + fmt::format("GRANT USAGE ON SCHEMA {} TO PUBLIC", function_schema);
}

std::string drop_statements() {
    std::string sql;
    for (const EmbeddedText& view : view_texts) {
        sql += fmt::format("DROP VIEW IF EXISTS {};\n", name_of_all(view.name));
    }
    return sql;
}

}  // namespace

std::string make_views_of_all_ledgers(PostgresConnection& connection) {
    lock_shared_schema(connection);
    std::vector<std::string> ledgers = published_names(connection);
    const auto others = std::stable_partition(
        ledgers.begin(), ledgers.end(),
        [&](const std::string& ledger) { return may_read_views(connection, ledger); });
    const std::vector<std::string> left_out(others, ledgers.end());
    ledgers.erase(others, ledgers.end());
    connection.run("SAVEPOINT all_ledgers");
    try {
        if (ledgers.empty()) {
            connection.run(drop_statements());
            return "";
        }
        try {
            connection.run(make_statements(ledgers));
        } catch (const PostgresError& error) {
            if (error.state() != invalid_table_definition) {
                throw;
            }
            connection.run("ROLLBACK TO SAVEPOINT all_ledgers");
            connection.run(drop_statements() + make_statements(ledgers));
        }
        return left_out.empty()
                   ? ""
                   : fmt::format(
                         "the views {} leave out {}, which this role may not read; who "
                         "published it can change that (--grant)",
                         name_of_all("..."), fmt::join(left_out, ", "));
    } catch (const PostgresError& error) {
        if (error.state() != insufficient_privilege) {
            throw;
        }
        connection.run("ROLLBACK TO SAVEPOINT all_ledgers");
        return fmt::format("the views {} are as they were ({}); their owner makes them anew",
                           name_of_all("..."), error.what());
    }
}

}  // namespace cacheledger
