#include "schema/ledger/description/schema_parts.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/file/migration.hpp"
#include "tests/support/catch.hpp"

namespace schema_parts_test {

using namespace cacheledger;

namespace {

std::vector<std::string> column(SQLite::Database& database, const std::string& sql) {
    SQLite::Statement query(database, sql);
    std::vector<std::string> values;
    while (query.executeStep()) {
        values.push_back(query.getColumn(0).getString());
    }
    return values;
}

SQLite::Database empty_database() {
    return SQLite::Database(":memory:", SQLite::OPEN_READWRITE);
}

}  // namespace

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

}  // namespace schema_parts_test
