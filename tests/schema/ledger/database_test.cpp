#include "schema/ledger/file/database.hpp"

#include <fmt/format.h>

#include "schema/errors/error.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/describe.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace database_test {

using namespace cacheledger;

namespace fs = std::filesystem;

namespace {

std::string problem_of_reading(const fs::path& file) {
    try {
        open_for_reading(file);
        return "(none)";
    } catch (const DatabaseError& error) {
        return error.what();
    }
}

std::string problem_of_writing(const fs::path& file) {
    try {
        open_for_writing(file);
        return "(none)";
    } catch (const DatabaseError& error) {
        return error.what();
    }
}

void run_sql(const fs::path& file, const std::string& sql) {
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
}

fs::path new_ledger(const TempFolder& folder) {
    const fs::path file = folder.path() / "ledger.db";
    open_for_writing(file);
    return file;
}

}  // namespace

TEST_CASE("A ledger is made by writing, and read then") {
    const TempFolder folder;
    const fs::path file = new_ledger(folder);
    SQLite::Database database = open_for_reading(file);
    CHECK(schema_version(database) == newest_schema_version());
    CHECK(database.execAndGet("PRAGMA application_id").getInt() == 0x434c6462);  // "CLdb"
    CHECK_THROWS_AS(database.exec("DELETE FROM snapshot"), SQLite::Exception);
}

TEST_CASE("An empty file becomes a ledger") {
    const TempFolder folder;
    const fs::path file = folder.write("ledger.db", "");
    CHECK(problem_of_reading(file) ==
          file.string() + ": empty; how to fill it: cacheledger help sources");
    CHECK(problem_of_writing(file) == "(none)");
    CHECK(problem_of_reading(file) == "(none)");
}

TEST_CASE("A missing ledger is not made by reading") {
    const TempFolder folder;
    const fs::path file = folder.path() / "none.db";
    CHECK(problem_of_reading(file) ==
          file.string() +
              ": no such database; --db names another; how to make one: cacheledger help sources");
    CHECK_FALSE(fs::exists(file));
    const fs::path below = folder.path() / "none/ledger.db";
    CHECK(problem_of_writing(below) ==
          below.string() + ": can't be opened; does its folder exist, and may you use it?");
}

TEST_CASE("A file that is no database is left as it is") {
    const TempFolder folder;
    const fs::path file = folder.write("page.md", "---\ntitle: zlib\n---\n");
    const std::string problem =
        file.string() + ": not a SQLite database; name another file with --db";
    CHECK(problem_of_reading(file) == problem);
    CHECK(problem_of_writing(file) == problem);
    CHECK(fs::file_size(file) == 20);
}

TEST_CASE("A folder is no database") {
    const TempFolder folder;
    const std::string problem = folder.path().string() + ": a folder, not a database";
    CHECK(problem_of_reading(folder.path()) == problem);
    CHECK(problem_of_writing(folder.path()) == problem);
}

TEST_CASE("Another program's database is left as it is") {
    const TempFolder folder;
    const fs::path file = folder.path() / "other.db";
    run_sql(file, "CREATE TABLE snapshot (a)");
    const std::string problem =
        file.string() + ": a SQLite database, but not a ledger; name another file with --db";
    CHECK(problem_of_reading(file) == problem);
    CHECK(problem_of_writing(file) == problem);
    SQLite::Database database(file.string());
    CHECK(database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 1);
    CHECK(schema_version(database) == 0);
}

TEST_CASE("An empty database that another program has marked is left as it is") {
    const TempFolder folder;
    const fs::path file = folder.path() / "other.db";
    run_sql(file, "PRAGMA application_id = 1196444487; CREATE TABLE a (a); DROP TABLE a");
    CHECK(problem_of_writing(file) ==
          file.string() + ": a SQLite database, but not a ledger; name another file with --db");
}

TEST_CASE("A ledger of a newer program is left as it is") {
    const TempFolder folder;
    const fs::path file = new_ledger(folder);
    run_sql(file, "PRAGMA user_version = 99");
    const std::string problem = fmt::format(
        "{}: written by a newer cacheledger (schema version 99, this one knows {}); "
        "update cacheledger",
        file.string(), newest_schema_version());
    CHECK(problem_of_reading(file) == problem);
    CHECK(problem_of_writing(file) == problem);
}

TEST_CASE("A ledger of a development version is refused, and its sources are named") {
    const TempFolder folder;
    const fs::path file = folder.path() / "ledger.db";
    const std::string problem =
        file.string() +
        ": written by a development version of cacheledger; move it away and load it again: "
        "cacheledger ingest SOURCE...";
    for (int version = 1; version <= 10; ++version) {
        fs::remove(file);
        run_sql(file, fmt::format("PRAGMA application_id = 0x434c6772; PRAGMA user_version = {}; "
                                  "CREATE TABLE snapshot (source TEXT, taken_at INTEGER)",
                                  version));
        CHECK(problem_of_reading(file) == problem);
        CHECK(problem_of_writing(file) == problem);
    }
    run_sql(file,
            "INSERT INTO snapshot VALUES ('oldest', 1), ('old', 2), ('pages', 3), ('it''s', 4), "
            "('a; b', 5), ('pages', 6), (char(27) || '[1m', 7), (printf('%0999d', 1), 8), "
            "(NULL, 9)");
    const std::string named =
        problem + " (its newest sources: '\x1b[1m', pages, 'a; b', 'it'\\''s', and 2 more)";
    CHECK(problem_of_reading(file) == named);
    CHECK(problem_of_writing(file) == named);
}

TEST_CASE("A stranger's tables do not keep a development version from being refused") {
    const TempFolder folder;
    const fs::path file = folder.path() / "ledger.db";
    const std::string snapshot =
        GENERATE(as<std::string>(),
                 "CREATE VIEW snapshot AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL "
                 "SELECT i + 1 FROM n) SELECT i || '' AS source, i AS taken_at FROM n",
                 "CREATE VIEW snapshot AS SELECT hex(zeroblob(300000000)) AS source, 1 AS taken_at",
                 "CREATE TABLE snapshot (taken_at INTEGER, "
                 "source TEXT AS (hex(zeroblob(300000000)))); INSERT INTO snapshot VALUES (1)",
                 "CREATE TABLE snapshot (source TEXT, taken_at INTEGER); "
                 "INSERT INTO snapshot VALUES ('a' || char(0) || 'b', 1)",
                 "CREATE TABLE snapshot (source TEXT, taken_at INTEGER); "
                 "INSERT INTO snapshot VALUES (printf('%0999999d', 1), 1)");
    run_sql(file, "PRAGMA application_id = 0x434c6772; " + snapshot);
    CHECK_THAT(problem_of_reading(file), Catch::Matchers::EndsWith("ingest SOURCE..."));
    CHECK_THAT(problem_of_writing(file), Catch::Matchers::EndsWith("ingest SOURCE..."));
}

TEST_CASE("An empty database of a newer version is left as it is") {
    const TempFolder folder;
    const fs::path file = folder.path() / "ledger.db";
    run_sql(file, "PRAGMA user_version = 99; CREATE TABLE a (a); DROP TABLE a");
    CHECK(problem_of_writing(file) != "(none)");
}

TEST_CASE("A ledger of an older program is upgraded by writing") {
    const TempFolder folder;
    const fs::path file = folder.path() / "ledger.db";
    run_sql(file, "PRAGMA application_id = 0x434c6462; CREATE TABLE a (a); DROP TABLE a");
    CHECK(problem_of_writing(file) == "(none)");
    CHECK(problem_of_reading(file) == "(none)");
}

TEST_CASE("A ledger that is being written to is busy") {
    const TempFolder folder;
    const fs::path file = new_ledger(folder);
    SQLite::Database writer = open_for_writing(file);
    writer.exec("BEGIN IMMEDIATE");
    SQLite::Database other(file.string(), SQLite::OPEN_READWRITE);
    try {
        other.exec("BEGIN IMMEDIATE");
        FAIL("nothing thrown");
    } catch (const SQLite::Exception& error) {
        CHECK(describe(error, file) ==
              file.string() +
                  ": in use by another process; waited 5 seconds, try again when it is done");
    }
}

TEST_CASE("A damaged ledger is told") {
    const TempFolder folder;
    const fs::path file = new_ledger(folder);
    fs::resize_file(file, 6000);
    CHECK_THAT(problem_of_reading(file),
               Catch::Matchers::StartsWith(file.string() + ": the database is damaged ("));
}

TEST_CASE("A ledger is a file, whatever it is called") {
    const TempFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    for (const char* const name :
         {":memory:", "file:a?mode=memory", "file:b.db", "a b%41?x=1#y.db", "-dash.db"}) {
        INFO(name);
        CHECK(problem_of_writing(name) == "(none)");
        CHECK(fs::is_regular_file(name));
        CHECK(problem_of_reading(name) == "(none)");
    }
    fs::current_path(before);
}

TEST_CASE("A ledger of a schema version that nobody wrote is refused") {
    const TempFolder folder;
    const fs::path file = new_ledger(folder);
    run_sql(file, "PRAGMA user_version = -1000000");
    const std::string problem =
        file.string() + ": schema version -1000000, which no cacheledger writes";
    CHECK(problem_of_writing(file) == problem);
    CHECK(problem_of_reading(file) == problem);
}

TEST_CASE("The names of views in a stranger's ledger are names") {
    const TempFolder folder;
    const fs::path file = new_ledger(folder);
    const std::string made = (folder.path() / "made.db").string();
    run_sql(file, fmt::format("CREATE VIEW \"x\"\"; ATTACH '{}' AS a; CREATE TABLE a.t (b); --\" "
                              "AS SELECT 1",
                              made));
    CHECK(problem_of_writing(file) == "(none)");
    CHECK_FALSE(fs::exists(made));
}

TEST_CASE("Nothing can be attached to a ledger") {
    const TempFolder folder;
    const fs::path file = new_ledger(folder);
    SQLite::Database database = open_for_writing(file);
    const std::string made = (folder.path() / "made.db").string();
    CHECK_THROWS_AS(database.exec(fmt::format("ATTACH '{}' AS a", made)), SQLite::Exception);
    CHECK_THROWS_AS(database.exec(fmt::format("VACUUM INTO '{}'", made)), SQLite::Exception);
    CHECK_FALSE(fs::exists(made));
}

}  // namespace database_test
