#include "reports/engine/query/query_guard.hpp"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include <map>
#include <string>

#include "reports/engine/query/run_query.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace query_guard_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

/// What a query is refused for; empty where it runs.
std::string refusal(TempLedger& ledger, const std::string& sql) {
    try {
        run_query(ledger.database(), "q", sql, {});
        return "";
    } catch (const UsageError& error) {
        return error.what();
    }
}

const std::string endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ";

}  // namespace

TEST_CASE("What is more than reading is refused by its name") {
    TempLedger ledger;
    const auto tables = ledger.tables();
    const std::map<std::string, std::string> refused = {
        {"ATTACH ':memory:' AS other", "ATTACH"},
        {"DETACH main", "DETACH"},
        {"INSERT INTO stack (name) VALUES ('x')", "INSERT into stack"},
        {"UPDATE stack SET name = 'x' RETURNING name", "UPDATE of stack"},
        {"DELETE FROM stack", "DELETE from stack"},
        {"WITH x AS (SELECT 1) DELETE FROM stack", "DELETE from stack"},
        {"EXPLAIN DELETE FROM stack", "DELETE from stack"},
        {"CREATE TABLE x (a)", "a change of the schema"},
        {"CREATE TEMP TABLE x (a)", "a change of the schema"},
        {"CREATE TEMP VIEW x AS SELECT 1", "a change of the schema"},
        {"CREATE VIRTUAL TABLE temp.x USING dbstat", "a change of the schema"},
        {"DROP VIEW specs", "a change of the schema"},
        {"ALTER TABLE stack RENAME TO x", "ALTER TABLE"},
        {"UPDATE sqlite_master SET sql = ''", "q: table sqlite_master may not be modified"},
        {"ANALYZE", "ANALYZE"},
        {"REINDEX", "REINDEX"},
        {"VACUUM", "VACUUM"},
        {"VACUUM INTO 'x'", "VACUUM"},
        {"BEGIN", "BEGIN"},
        {"COMMIT", "COMMIT"},
        {"SAVEPOINT x", "SAVEPOINT"},
        {"PRAGMA user_version = 3", "PRAGMA user_version with a value"},
        {"PRAGMA journal_mode(WAL)", "PRAGMA journal_mode with a value"},
        {"PRAGMA optimize", "PRAGMA optimize"},
        {"PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"},
        {"PRAGMA writable_schema = ON", "PRAGMA writable_schema"},
        {"PRAGMA trusted_schema = ON", "PRAGMA trusted_schema"},
        {"PRAGMA temp_store_directory = '/'", "PRAGMA temp_store_directory"},
        {"PRAGMA query_only = OFF", "PRAGMA query_only with a value"},
        {"SELECT * FROM pragma_database_list", "PRAGMA database_list"},
        {"SELECT load_extension('x')", "the function load_extension()"},
        {"SELECT LOAD_EXTENSION('x', 'y')", "the function load_extension()"},
    };
    for (const auto& [sql, name] : refused) {
        INFO(sql);
        const std::string expected = name.rfind("q: ", 0) == 0
                                         ? name
                                         : "q: " + name + " is refused; only reading is allowed";
        CHECK(refusal(ledger, sql) == expected);
    }
    CHECK(ledger.tables() == tables);
}

TEST_CASE("What only reads is allowed") {
    TempLedger ledger;
    for (const std::string sql :
         {"SELECT count(*) FROM specs", "SELECT count(*) FROM spec_drift",
          "EXPLAIN SELECT * FROM specs", "EXPLAIN QUERY PLAN SELECT * FROM specs",
          "PRAGMA user_version", "PRAGMA Table_Info(spec)", "PRAGMA integrity_check",
          "SELECT * FROM pragma_table_info('spec')", "SELECT value FROM json_each('[1]')",
          "SELECT name FROM sqlite_schema", "VALUES (1)",
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i "
          "FROM n",
          "SELECT row_number() OVER (ORDER BY name) FROM pragma_function_list"}) {
        INFO(sql);
        CHECK(refusal(ledger, sql).empty());
    }
    // Only queries are under guard.
    ledger.database().exec("CREATE TEMP TABLE x (a)");
    ledger.database().exec("DROP TABLE x");
}

TEST_CASE("A guard leaves the guard outside of it as it was") {
    TempLedger ledger;
    TempLedger other;
    const auto writes = [](TempLedger& into) {
        try {
            into.database().exec("CREATE TEMP TABLE x (a); DROP TABLE x");
            return true;
        } catch (const SQLite::Exception&) {
            return false;
        }
    };
    const auto value_bytes = [&] {
        return sqlite3_limit(ledger.database().getHandle(), SQLITE_LIMIT_LENGTH, -1);
    };
    const int bytes_before = value_bytes();
    {
        const QueryGuard outer(ledger.database());
        {
            const QueryGuard of_other(other.database());
            const QueryGuard inner(ledger.database());
            CHECK_FALSE(writes(ledger));
            CHECK_FALSE(writes(other));
            CHECK(inner.refused() == "a change of the schema");
        }
        CHECK(outer.refused().empty());
        CHECK(refusal(ledger, "SELECT count(*) FROM specs").empty());  // under a guard of its own
        CHECK_FALSE(writes(ledger));
        CHECK(outer.refused() == "a change of the schema");
        CHECK(writes(other));
        CHECK(value_bytes() == most_value_bytes);
    }
    CHECK(writes(ledger));
    CHECK(value_bytes() == bytes_before);
}

TEST_CASE("A query takes no more memory than it may") {
    TempLedger ledger;
    const std::string too_big =
        "q: a text, BLOB or row of more than 64 MiB; ask for less at a time";
    CHECK(refusal(ledger, "SELECT length(zeroblob(60000000))").empty());
    CHECK(refusal(ledger, "SELECT zeroblob(2000000000)") == too_big);
    CHECK(refusal(ledger, "SELECT group_concat(zeroblob(1000000)) FROM (" + endless +
                              "i FROM n LIMIT 100)") == too_big);
    CHECK(refusal(ledger, endless + "zeroblob(30000000) AS a FROM n") ==
          "q: the result takes more than 1024 MiB of memory; ask for fewer rows");
    CHECK(refusal(ledger, endless + "randomblob(30000000) AS a FROM n ORDER BY a") ==
          "q: it takes more than 1024 MiB of memory; ask for less at a time");
    CHECK(refusal(ledger, "SELECT 'a' LIKE '" + std::string(2000, '%') + "'") ==
          "q: LIKE or GLOB pattern too complex");
    CHECK(refusal(ledger, "SELECT count(*) FROM specs").empty());  // it still works
}

TEST_CASE("Rows are taken up to a number") {
    TempLedger ledger;
    const ResultTable cut = run_query(ledger.database(), "q", endless + "i FROM n", {}, 3);
    CHECK(cut.rows.size() == 3);
    CHECK(cut.is_cut);
    const ResultTable whole =
        run_query(ledger.database(), "q", endless + "i FROM n LIMIT 3", {}, 3);
    CHECK(whole.rows.size() == 3);
    CHECK_FALSE(whole.is_cut);
}

TEST_CASE("A progress handler interrupts a query, and the view of drift within it") {
    TempLedger ledger;
    ledger.take("2025-01-01", {{"zlib", {{hash_of("a")}}}});
    ledger.take("2025-01-02", {{"zlib", {{hash_of("b")}}}});
    const auto stop = [](void* left) { return --*static_cast<int*>(left) < 0 ? 1 : 0; };
    for (int looks = 0; looks < 300; looks += 7) {
        int left = looks;
        sqlite3_progress_handler(ledger.database().getHandle(), 10, stop, &left);
        CHECK_THROWS_AS(run_query(ledger.database(), "q",
                                  endless + "count(*) FROM n CROSS JOIN spec_drift d WHERE "
                                            "d.from_id + d.to_id + n.i > 0",
                                  {}),
                        Interrupted);
        sqlite3_progress_handler(ledger.database().getHandle(), 0, nullptr, nullptr);
    }
    CHECK(run_query(ledger.database(), "q", "SELECT * FROM spec_drift", {}).rows.size() == 4);
}

}  // namespace query_guard_test
