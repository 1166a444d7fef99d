#include "reports/postgresql/publishing/published_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/postgresql/rows/ledger_rows.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

using Problems = std::vector<std::string>;

void add_rows_that_differ(Problems& problems, const TableDifference& difference) {
    const auto add = [&](std::int64_t count, std::string_view one, std::string_view several) {
        if (count > 0) {
            problems.push_back(counted(count, one, several));
        }
    };
    add(difference.inserted, "row is missing", "rows are missing");
    add(difference.deleted, "row is too much", "rows are too many");
    add(difference.updated, "row differs", "rows differ");
}

void add_ids_of_nothing(Problems& problems, PostgresConnection& connection,
                        const std::string& schema, const std::string& table) {
    for (const LedgerReference& reference : ledger_references()) {
        if (reference.table != table) {
            continue;
        }
        const auto found = connection.row(fmt::format(
            "SELECT count(*) FROM {0}.{1} t WHERE t.{2} IS NOT NULL AND NOT EXISTS (SELECT FROM "
            "{0}.{3} r WHERE r.{4} = t.{2})",
            schema, table, reference.column, reference.referred,
            ledger_table(reference.referred).id()));
        if (const auto count = number_in(found, 0); count > 0) {
            problems.push_back(fmt::format("{} {} {} no row of {}", grouped(count),
                                           reference.column, words_for(count, "is of", "are of"),
                                           reference.referred));
        }
    }
}

CheckedTable check_table(const SQLite::Database& ledger, PostgresConnection& connection,
                         const std::string& schema, const LedgerTable& table) {
    const auto difference = compare_rows(ledger, connection, schema, table);
    Problems problems;
    add_rows_that_differ(problems, difference);
    add_ids_of_nothing(problems, connection, schema, table.name);
    return {table.name,
            difference.rows,
            difference.published,
            fmt::format("{:016x}", difference.checksum),
            fmt::format("{:016x}", difference.published_checksum),
            fmt::format("{}", fmt::join(problems, "; "))};
}

std::string problem_of_state(SQLite::Database& ledger, const PublishedRow& published) {
    const LedgerState state = newest_state(ledger);
    if (published.layout.empty()) {
        return "its row is gone";
    }
    if (published.state.ledger_id != state.ledger_id) {
        return "it was published from another ledger";
    }
    if (!has_state(ledger, published.state)) {
        return "it was published from a state that this ledger does not come from";
    }
    return published.state == state ? "" : "the ledger was written to since";
}

}  // namespace

std::vector<CheckedTable> check_published(SQLite::Database& ledger, PostgresConnection& connection,
                                          const PublishedName& name, const Progress& progress) {
    begin_check(connection);
    const PublishedRow published = require_published(connection, name);
    if (!published.layout.empty() && published.schema_version != newest_schema_version()) {
        throw DatabaseError(
            fmt::format("{}: published by another program ({}), with other tables; publish it "
                        "with this one",
                        name.text(), published.program));
    }
    std::vector<CheckedTable> tables;
    for (const LedgerTable& table : ledger_tables()) {
        progress(tables.size(), ledger_tables().size());
        tables.push_back(check_table(ledger, connection, name.schema(), table));
    }
    tables.push_back({"published", 1, 1, newest_state(ledger).token, published.state.token,
                      problem_of_state(ledger, published)});
    connection.run("ROLLBACK");
    return tables;
}

}  // namespace cacheledger
