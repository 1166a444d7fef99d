#include "schema/ledger/migration.hpp"

#include <SQLiteCpp/Statement.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using namespace cacheledger;

namespace {

using Lines = std::vector<std::string>;

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
