#include "ingest/rows/specs/spec_rows.hpp"

#include <SQLiteCpp/Statement.h>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace deferred_indexes_test {

using namespace cacheledger;

namespace {

using Lines = std::vector<std::string>;

Lines rows(SQLite::Database& database, const std::string& sql) {
    Lines lines;
    SQLite::Statement query(database, sql);
    while (query.executeStep()) {
        lines.push_back(query.getColumn(0).getString());
    }
    return lines;
}

Lines schema(SQLite::Database& database) {
    return rows(
        database,
        "SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY 1");
}

Lines statistics(SQLite::Database& database) {
    return rows(database,
                "SELECT tbl || ' ' || ifnull(idx, '') || ' ' || stat FROM sqlite_stat1 ORDER BY 1");
}

}  // namespace

TEST_CASE("Deferred indexes come back as they were, with their statistics") {
    TempLedger ledger;
    const Lines schema_before = schema(ledger.database());
    const Lines statistics_before = statistics(ledger.database());
    DeferredIndexes indexes(ledger.database(), {"spec_hash", "presence_to"});
    CHECK(schema(ledger.database()).size() == schema_before.size() - 2);
    CHECK(statistics(ledger.database()).size() == statistics_before.size() - 2);
    indexes.restore();
    indexes.restore();
    CHECK(schema(ledger.database()) == schema_before);
    CHECK(statistics(ledger.database()) == statistics_before);
}

TEST_CASE("The planner knows the statistics of indexes that came back") {
    TempLedger ledger;
    const auto plan_of_package = [&] {
        SQLite::Statement query(
            ledger.database(),
            "EXPLAIN QUERY PLAN SELECT look_id FROM presence WHERE series_id = 1 "
            "AND package_id = 1 AND valid_from <= 5 ORDER BY look_id");
        query.executeStep();
        return query.getColumn(3).getString();
    };
    ledger.database().exec("ANALYZE sqlite_schema");
    const std::string before = plan_of_package();
    DeferredIndexes(ledger.database(), {"presence_from", "presence_to"}).restore();
    CHECK(plan_of_package() == before);
    CHECK(before.find("PRIMARY KEY (series_id=? AND package_id=?)") != std::string::npos);
}

TEST_CASE("A ledger has all its indexes after its first load") {
    TempLedger empty;
    TempLedger filled;
    filled.take("2025-03-01", {{"zlib", {{.hash = hash_of("a")}}}});
    CHECK(schema(filled.database()) == schema(empty.database()));
    CHECK(statistics(filled.database()) == statistics(empty.database()));
    filled.take("2025-03-02", {{"zlib", {{.hash = hash_of("b")}}}});
    CHECK(schema(filled.database()) == schema(empty.database()));
}

}  // namespace deferred_indexes_test
