#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <filesystem>
#include <map>
#include <string>

#include "reports/engine/query/query_guard.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/engine/run/run_report.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace query_guard_test {

using namespace cacheledger;
using Catch::Matchers::EndsWith;
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

Value integer(std::int64_t value) {
    return value;
}

/// A database with a table of three specs, and the ways to ask it.
struct Specs {
    SQLite::Database database{":memory:", SQLite::OPEN_READWRITE};

    Specs() {
        database.exec(
            "CREATE TABLE spec (package TEXT, stack TEXT, n INTEGER);"
            "INSERT INTO spec VALUES ('zlib', 'hpc', 1), ('zlib', 'ml', 2), ('hdf5', 'ml', 3)");
    }
    ResultTable query(const std::string& sql, const Arguments& arguments = {}) const {
        return run_query(database, "q.sql", sql, arguments);
    }
    ResultTable report(const std::string& text, const Arguments& arguments = {}) const {
        return run_report(database, parse_report("own", "own.sql", text), arguments);
    }
};

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

TEST_CASE("A query gives a table") {
    const Specs specs;
    const auto table = specs.query("SELECT package, n FROM spec WHERE n < 3 ORDER BY n");
    CHECK(table.columns == std::vector<std::string>{"package", "n"});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[1] == std::vector<Value>{"zlib", integer(2)});
    CHECK(specs.query("SELECT n FROM spec WHERE 0").columns.size() == 1);
}

TEST_CASE("Every type of value comes out") {
    const Specs specs;
    const auto table =
        specs.query("SELECT NULL, 9223372036854775807, 0.5, 'a' || char(0), x'00fF', x''");
    CHECK(table.rows.at(0) ==
          std::vector<Value>{Value(), integer(INT64_MAX), 0.5, std::string("a\0", 2), "00ff", ""});
}

TEST_CASE("Arguments are bound by name") {
    const Specs specs;
    const Arguments arguments{
        {"a", integer(1)}, {"b", "x'; DROP TABLE spec"}, {"c", 0.5}, {"d", Value()}};
    const auto table = specs.query("SELECT :a, :b, @c, $d, :a", arguments);
    CHECK(table.rows.at(0) ==
          std::vector<Value>{integer(1), "x'; DROP TABLE spec", 0.5, Value(), integer(1)});
}

TEST_CASE("Arguments and parameters must agree") {
    const Specs specs;
    CHECK_THROWS_MATCHES(specs.query("SELECT :a, :b", {{"a", "x"}}), UsageError,
                         Message("q.sql: no value is given for the parameter :b"));
    CHECK_THROWS_MATCHES(specs.query("SELECT :a", {{"a", "x"}, {"b", "y"}}), UsageError,
                         Message("q.sql: the SQL has no parameter :b"));
    for (const auto* sql : {"SELECT ?", "SELECT ?1", "SELECT ?2, :a"}) {
        CHECK_THROWS_MATCHES(specs.query(sql, {{"a", "x"}}), UsageError,
                             Message("q.sql: parameters need names: ':name' instead of '?'"));
    }
}

TEST_CASE("Errors in the SQL name file, line and column") {
    const Specs specs;
    CHECK_THROWS_MATCHES(specs.query("SELECT 'é',\n  'é', nope\nFROM spec"), UsageError,
                         Message("q.sql:2:8: no such column: nope"));
    CHECK_THROWS_MATCHES(specs.query("SELEKT 1"), UsageError,
                         Message("q.sql:1:1: near \"SELEKT\": syntax error"));
    CHECK_THROWS_MATCHES(specs.query("SELECT 1 FROM"), UsageError,
                         Message("q.sql: incomplete input"));
    CHECK_THROWS_MATCHES(specs.query("SELECT n FROM spec LIMIT 'x'"), UsageError,
                         Message("q.sql: datatype mismatch"));
    CHECK_THROWS_MATCHES(specs.query("SELECT abs(-9223372036854775807 - 1)"), UsageError,
                         Message("q.sql: integer overflow"));
}

TEST_CASE("A query is one statement") {
    const Specs specs;
    for (const auto* sql : {"SELECT 1;", "SELECT 1 -- a;b", "SELECT 1; ;\n-- a\n /* b; */ ",
                            "SELECT 1; /* open", "-- title: a\n\nSELECT 1 /* ; */ ;\n"}) {
        CHECK(specs.query(sql).rows.size() == 1);
    }
    CHECK_THROWS_MATCHES(
        specs.query("SELECT 1;\n/* a */ SELECT 2"), UsageError,
        Message("q.sql:2:9: only one statement is allowed; a second one begins here"));
    CHECK_THROWS_AS(specs.query("SELECT 1; DROP TABLE spec"), UsageError);
    for (const auto* sql : {"", " ;", "-- nothing\n"}) {
        CHECK_THROWS_MATCHES(specs.query(sql), UsageError, Message("q.sql: there is no statement"));
    }
    CHECK_THROWS_AS(specs.query(std::string("SELECT 1\0; SELECT 2", 19)), UsageError);
}

TEST_CASE("A statement that would write is refused, on a database that may be written too") {
    const Specs specs;
    for (const auto* sql :
         {"DELETE FROM spec", "DELETE FROM spec RETURNING n", "CREATE TABLE t (a)", "VACUUM",
          "PRAGMA user_version = 3", "WITH a AS (SELECT 1) INSERT INTO spec (n) SELECT * FROM a",
          "BEGIN", "ATTACH ':memory:' AS other"}) {
        CHECK_THROWS_WITH(specs.query(sql), EndsWith(" is refused; only reading is allowed"));
    }
    CHECK(specs.query("SELECT * FROM spec").rows.size() == 3);
    CHECK(specs.query("PRAGMA user_version").rows.at(0).at(0) == integer(0));
}

TEST_CASE("The database's failures are no usage errors") {
    SECTION("locked") {
        const std::string shared = "file:runner_test?mode=memory&cache=shared";
        const int flags = SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_URI;
        SQLite::Database writer(shared, flags);
        writer.exec("CREATE TABLE spec (n)");
        const SQLite::Database reader(shared, flags);
        SQLite::Transaction transaction(writer);
        writer.exec("INSERT INTO spec VALUES (1)");
        CHECK_THROWS_AS(run_query(reader, "q.sql", "SELECT n FROM spec", {}), SQLite::Exception);
    }
    SECTION("not a database") {
        const SQLite::Database binary(std::filesystem::canonical("/proc/self/exe").string());
        CHECK_THROWS_AS(run_query(binary, "q.sql", "SELECT * FROM sqlite_schema", {}),
                        SQLite::Exception);
    }
}

TEST_CASE("A report runs with its defaults") {
    const Specs specs;
    const std::string text =
        "-- title: T\n"
        "-- param: package glob = *\n"
        "-- param: stack text = null\n"
        "-- param: least integer = 2\n"
        "SELECT n FROM spec WHERE package GLOB :package AND (:stack IS NULL OR stack = :stack)"
        " AND n >= :least";
    CHECK(specs.report(text).rows.size() == 2);
    CHECK(specs.report(text, {{"package", "zl*"}}).rows.size() == 1);
    CHECK(specs.report(text, {{"stack", "hpc"}, {"least", integer(0)}}).rows.size() == 1);
    CHECK_THROWS_MATCHES(specs.report(text, {{"pakage", "*"}}), UsageError,
                         Message("the report 'own' has no parameter 'pakage'"));
}

TEST_CASE("A snapshot's default is for the caller to look up") {
    const Specs specs;
    const std::string text = "-- title: T\n-- param: at snapshot = latest\nSELECT :at";
    CHECK(specs.report(text, {{"at", integer(7)}}).rows.at(0).at(0) == integer(7));
    CHECK_THROWS_MATCHES(specs.report(text), UsageError,
                         Message("own.sql: no value is given for the parameter :at"));
    CHECK(specs.report("-- title: T\n-- param: at snapshot = null\nSELECT :at").rows.size() == 1);
}

TEST_CASE("A report declares the parameters it uses, and no others") {
    const Specs specs;
    CHECK_THROWS_MATCHES(specs.report("-- title: T\n-- param: a text = x\nSELECT 1"), UsageError,
                         Message("own.sql: the SQL has no parameter :a"));
    CHECK_THROWS_MATCHES(specs.report("-- title: T\nSELECT :a"), UsageError,
                         Message("own.sql: no value is given for the parameter :a"));
    CHECK_THROWS_MATCHES(specs.report("-- title: T\n-- what\nSELECT nope"), UsageError,
                         Message("own.sql:3:8: no such column: nope"));
}

TEST_CASE("A report may be pivoted") {
    const Specs specs;
    const auto table =
        specs.report("-- title: T\n-- pivot: package stack n\nSELECT * FROM spec ORDER BY n");
    CHECK(table.columns == std::vector<std::string>{"package", "hpc", "ml"});
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[1] == std::vector<Value>{"hdf5", Value(), integer(3)});
    CHECK_THROWS_MATCHES(
        specs.report("-- title: T\n-- pivot: package target n\nSELECT * FROM spec"), UsageError,
        Message("own.sql: pivot: the query gives no column 'target'"));
}

TEST_CASE("A report of one's own over the view of drift can't ask for a pattern of stacks") {
    const Specs specs;
    const std::string text =
        "-- title: T\n-- param: stack glob = null\nSELECT * FROM stack_drift WHERE stack IS :stack";
    CHECK_THROWS_MATCHES(
        specs.report(text, {{"stack", "ml-*"}}), UsageError,
        Message("own.sql: the view stack_drift takes the name of a stack, not the pattern 'ml-*'"));
}

}  // namespace query_guard_test
