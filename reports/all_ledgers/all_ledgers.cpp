#include "reports/all_ledgers/all_ledgers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    const auto ledgers = published_names(connection);
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
        return "";
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
