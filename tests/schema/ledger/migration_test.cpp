#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "schema/errors/error.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/file/migration.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace migration_test {

using namespace cacheledger;

namespace {

SQLite::Database empty_database() {
    return SQLite::Database(":memory:", SQLite::OPEN_READWRITE);
}

Lines column(SQLite::Database& database, const std::string& sql) {
    SQLite::Statement query(database, sql);
    Lines values;
    while (query.executeStep()) {
        values.push_back(query.getColumn(0).getString());
    }
    return values;
}

// What later versions of a schema may do: a table more, and a table made anew.
constexpr std::array<EmbeddedText, 3> examples = {{
    {"0001_initial", "CREATE TABLE word (text TEXT) STRICT; INSERT INTO word VALUES ('one')"},
    {"0002_numbers", "CREATE TABLE number (n INTEGER) STRICT; INSERT INTO number VALUES (1)"},
    {"0003_ids",
     "CREATE TEMP TABLE old AS SELECT text FROM word; DROP TABLE word; CREATE TABLE word (word_id "
     "INTEGER PRIMARY KEY, text TEXT) STRICT; INSERT INTO word (text) SELECT text FROM temp.old; "
     "DROP TABLE temp.old; UPDATE number SET n = (SELECT count(*) FROM word)"},
}};

constexpr std::span<const EmbeddedText> all_examples = examples;

/// A file of the first version of the examples, which has more rows than fit in a page.
std::filesystem::path first_version(const TempFolder& folder) {
    std::filesystem::path file = folder.path() / "example.db";
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database, all_examples.first(1));
    database.exec(
        "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 999) INSERT "
        "INTO word SELECT 'word ' || i FROM n");
    return file;
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

const std::string everything = "SELECT type || name || ifnull(sql, '') FROM sqlite_schema";
const std::string own_tables =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'";

}  // namespace

TEST_CASE("An empty database becomes a ledger") {
    SQLite::Database database = empty_database();
    CHECK(schema_version(database) == 0);
    migrate(database);
    CHECK(schema_version(database) == newest_schema_version());
    CHECK(newest_schema_version() == static_cast<int>(migration_texts.size()));
    CHECK(column(database, "SELECT name FROM sqlite_schema WHERE type = 'view'").size() ==
          helper_view_texts.size() + view_texts.size());
}

TEST_CASE("Migrating again changes nothing") {
    SQLite::Database database = empty_database();
    migrate(database);
    const Lines before = column(database, everything);
    const auto changes = database.execAndGet("PRAGMA schema_version").getInt();
    migrate(database);
    CHECK(column(database, everything) == before);
    CHECK(database.execAndGet("PRAGMA schema_version").getInt() == changes);
}

TEST_CASE("Views that differ are made anew, with those that are missing") {
    SQLite::Database database = empty_database();
    migrate(database);
    const Lines before = column(database, everything + " WHERE type = 'view' ORDER BY name");
    database.exec("DROP VIEW specs");
    database.exec("CREATE VIEW specs AS SELECT 1 AS old");
    database.exec("DROP VIEW pages");
    database.exec("CREATE VIEW stale AS SELECT 1 AS old");
    migrate(database);
    CHECK(column(database, everything + " WHERE type = 'view' ORDER BY name") == before);
}

TEST_CASE("A migration that fails leaves the database as it was") {
    SQLite::Database database = empty_database();
    database.exec("CREATE TABLE presence (a)");  // in the way
    const Lines before = column(database, everything);
    CHECK_THROWS_AS(migrate(database), SQLite::Exception);
    CHECK(column(database, everything) == before);
    CHECK(schema_version(database) == 0);
}

TEST_CASE("All pending migrations run, in their order") {
    const TempFolder folder;
    SQLite::Database database(first_version(folder).string(), SQLite::OPEN_READWRITE);
    CHECK(schema_version(database) == 1);
    database.exec("DROP VIEW specs");
    migrate(database, all_examples);
    CHECK(schema_version(database) == 3);
    CHECK(column(database, "SELECT text FROM word WHERE word_id IN (1, 1000)") ==
          Lines{"one", "word 999"});
    CHECK(column(database, "SELECT n FROM number") == Lines{"1000"});
    CHECK(views_are_current(database));
    CHECK_THROWS_AS(migrate(database, all_examples.first(2)), DatabaseError);
}

TEST_CASE("A migration that is interrupted anywhere leaves the file byte for byte") {
    const TempFolder folder;
    const std::filesystem::path file = first_version(folder);
    const std::string before = bytes_of(file);
    bool is_done = false;
    int interruptions = 0;
    for (int steps = 1; !is_done && steps < 10'000'000; steps += steps / 4 + 1) {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
        sqlite3_progress_handler(
            database.getHandle(), steps, [](void*) { return 1; }, nullptr);
        try {
            migrate(database, all_examples);
            is_done = true;
        } catch (const SQLite::Exception&) {
            sqlite3_progress_handler(database.getHandle(), 0, nullptr, nullptr);
            ++interruptions;
            CHECK(schema_version(database) == 1);
            CHECK(bytes_of(file) == before);
        }
    }
    CHECK(is_done);
    CHECK(interruptions > 20);
    CHECK(bytes_of(file) != before);
}

TEST_CASE("A migration that fails at its end leaves the file byte for byte") {
    const TempFolder folder;
    const std::filesystem::path file = first_version(folder);
    {  // all migrations have passed when the last view is in the way
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
        const std::string view(view_texts.back().name);
        database.exec("DROP VIEW " + view + "; CREATE TABLE " + view + " (a)");
    }
    const std::string before = bytes_of(file);
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
    CHECK_THROWS_AS(migrate(database, all_examples), SQLite::Exception);
    CHECK(bytes_of(file) == before);
}

TEST_CASE("Every table is strict") {
    SQLite::Database database = empty_database();
    migrate(database);
    CHECK(column(database,
                 "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict "
                 "AND name NOT GLOB 'sqlite_*'") == Lines{});
}

// The member tables stand right below their set.
TEST_CASE("Every table has a comment, but for those that join") {
    SQLite::Database database = empty_database();
    migrate(database);
    std::set<std::string> commented;
    for (const EmbeddedText& migration : migration_texts) {
        const std::string text(migration.text);
        const std::regex with_comment("--[^\\n]*\\nCREATE TABLE (\\w+)");
        for (std::sregex_iterator found(text.begin(), text.end(), with_comment), end; found != end;
             ++found) {
            commented.insert((*found)[1]);
        }
    }
    for (const std::string& table : column(database, own_tables)) {
        INFO(table);
        CHECK((commented.contains(table) || table.ends_with("_set_member")));
    }
}

TEST_CASE("Every view has a comment") {
    for (const auto& views : {helper_view_texts, view_texts}) {
        for (const EmbeddedText& view : views) {
            INFO(view.name);
            CHECK(view.text.starts_with("-- "));
        }
    }
}

TEST_CASE("The parts of the schema are all tables and views, the public views first") {
    const auto parts = schema_parts();
    REQUIRE(parts.size() > view_texts.size());
    for (std::size_t i = 0; i < view_texts.size(); ++i) {
        CHECK(parts[i].name == view_texts[i].name);
    }
    SQLite::Database ledger = empty_database();
    migrate(ledger);
    std::set<std::string> names;
    for (const SchemaPart& part : parts) {
        names.insert(part.name);
    }
    const auto there =
        column(ledger,
               "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB "
               "'sqlite_*'");
    CHECK(names == std::set<std::string>(there.begin(), there.end()));
    CHECK(names.size() == parts.size());
}

TEST_CASE("The statements of the parts make a schema with their columns and indexes") {
    SQLite::Database made = empty_database();
    const auto parts = schema_parts();
    for (const SchemaPart& part : parts) {
        made.exec(part.sql);
    }
    for (const SchemaPart& part : parts) {
        INFO(part.name);
        CHECK_FALSE(part.columns.empty());
        CHECK(column(made, "SELECT name FROM pragma_table_xinfo('" + part.name + "')") ==
              part.columns);
    }
    SQLite::Database ledger = empty_database();
    migrate(ledger);
    const std::string indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name";
    CHECK(column(made, indexes) == column(ledger, indexes));
}

TEST_CASE("The parts say what a row is, but for tables that join") {
    for (const SchemaPart& part : schema_parts()) {
        INFO(part.name);
        CHECK((part.comment.starts_with("-- ") || part.name.ends_with("_set_member")));
    }
}

}  // namespace migration_test
