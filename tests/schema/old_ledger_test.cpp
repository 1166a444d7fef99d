#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "schema/basics/error.hpp"
#include "schema/check/check.hpp"
#include "schema/ledger/database.hpp"
#include "schema/ledger/migration.hpp"
#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_ledger.hpp"

// Ledgers that the programs of each schema version wrote: tests/data/ledgers.
using namespace cacheledger;

namespace fs = std::filesystem;

namespace {

std::string read_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

fs::path dump_of(int version) {
    return fs::path(paths::data) / fmt::format("ledgers/version-{}.sql", version);
}

fs::path restore(const TempFolder& folder, int version) {
    const fs::path file = folder.path() / fmt::format("version-{}.db", version);
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec(read_file(dump_of(version)));
    return file;
}

// What SQLite stores of a CREATE statement, without comments and white space.
std::string normalized(const std::string& sql) {
    return std::regex_replace(std::regex_replace(sql, std::regex("--[^\\n]*"), ""),
                              std::regex("\\s+"), " ");
}

using Schema = std::map<std::string, std::string>;  // CREATE statements by type and name

Schema schema_of(SQLite::Database& database, const std::string& where = "1") {
    Schema schema;
    SQLite::Statement query(
        database, "SELECT type || ' ' || name, ifnull(sql, '') FROM sqlite_schema WHERE " + where);
    while (query.executeStep()) {
        schema[query.getColumn(0).getString()] = normalized(query.getColumn(1).getString());
    }
    return schema;
}

// Version 1, which was never released, said of three columns what they refer to. Version 5 makes
// the table anew, without that.
Schema with_references_of_version_1(Schema schema) {
    std::string& presence = schema.at("table presence");
    for (const std::string name : {"package", "look", "spec"}) {
        presence = std::regex_replace(presence, std::regex(name + "_id INTEGER NOT NULL,"),
                                      fmt::format("{0}_id INTEGER NOT NULL REFERENCES {0},", name));
    }
    return schema;
}

Schema expected_schema(SQLite::Database& database, int written_by, const std::string& where) {
    const Schema schema = schema_of(database, where);
    return written_by == 1 ? with_references_of_version_1(schema) : schema;
}

}  // namespace

// Fails where a migration is added without a ledger of its version, and where one that has been
// released is edited.
TEST_CASE("Each migration makes the tables of the ledger that was kept of its version") {
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE);
    const std::string no_views = "type <> 'view'";
    for (int version = 1; version <= newest_schema_version(); ++version) {
        INFO("tests/data/ledgers/README.txt says how to make " << dump_of(version));
        REQUIRE(fs::exists(dump_of(version)));
        fresh.exec(std::string(migration_texts[static_cast<std::size_t>(version - 1)].text));
        const TempFolder folder;
        SQLite::Database kept(restore(folder, version).string(), SQLite::OPEN_READWRITE);
        CHECK(schema_version(kept) == version);
        CHECK(schema_of(kept, no_views) == expected_schema(fresh, version, no_views));
    }
}

TEST_CASE("A ledger of each version becomes like a fresh one") {
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE);
    migrate(fresh);
    for (int version = 1; version <= newest_schema_version(); ++version) {
        INFO("version " << version);
        const TempFolder folder;
        SQLite::Database upgraded = open_for_writing(restore(folder, version));
        CHECK(schema_version(upgraded) == newest_schema_version());
        CHECK(schema_of(upgraded) == schema_of(fresh));
        CHECK(find_problems(upgraded, 10) == std::vector<std::string>{});
        CHECK(upgraded.execAndGet("SELECT count(*) FROM specs").getInt() > 0);
    }
}

TEST_CASE("Commits that version 8 had handed over are not taken for those of the snapshot") {
    const TempFolder folder;
    const fs::path file = restore(folder, 8);
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
        .exec(
            "UPDATE commit_snapshot SET snapshot_id = 7");  // the source of which names one of two
    SQLite::Database upgraded = open_for_writing(file);
    CHECK(upgraded
              .execAndGet("SELECT group_concat(substr(hex(commit_id), 1, 7) || ' ' || "
                          "ifnull('(' || forgotten || ')', 'own')) FROM commit_snapshot")
              .getString() == "44B1028 (),5821C88 own");
    CHECK(find_problems(upgraded, 10) == std::vector<std::string>{});
}

// The snapshot 5 is of develop-2025-03-30, and names its source.
TEST_CASE("Of dated tags, version 8 says whose the commits were that it had handed over") {
    const TempFolder folder;
    const fs::path file = restore(folder, 8);
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
        .exec(
            "UPDATE snapshot SET source = 'repository@44b102811808628624dc8d91ec02f2a02b650b88' "
            "WHERE snapshot_id = 5;"
            "UPDATE commit_snapshot SET snapshot_id = 5, tag = 'develop-2025-03-30';"
            "INSERT INTO commit_snapshot SELECT commit_id, path, 'develop-2025-03-23', 5, 1 "
            "FROM commit_snapshot WHERE hex(commit_id) LIKE '44B1028%';"
            "UPDATE commit_snapshot SET tags_touched = 2 WHERE hex(commit_id) LIKE '44B1028%'");
    SQLite::Database upgraded = open_for_writing(file);
    CHECK(upgraded
              .execAndGet("SELECT group_concat(substr(hex(commit_id), 1, 7) || ' ' || "
                          "substr(tag, 9) || ' ' || ifnull(forgotten, 'own')) "
                          "FROM commit_snapshot")
              .getString() ==
          "44B1028 2025-03-23 develop-2025-03-23,44B1028 2025-03-30 own,"
          "5821C88 2025-03-30 own");
    CHECK(find_problems(upgraded, 10) == std::vector<std::string>{});
}

TEST_CASE("The compiler that was called by a name that no package has gets the right one") {
    const TempFolder folder;
    const fs::path file = restore(folder, 9);
    {
        SQLite::Database old(file.string(), SQLite::OPEN_READWRITE);
        old.exec(
            "UPDATE compiler SET name = 'intel-oneapi-compiler-classic', "
            "spec = 'intel-oneapi-compiler-classic@' || version WHERE compiler_id = 1");
        REQUIRE(old.execAndGet("SELECT count(*) FROM look WHERE compiler_id = 1").getInt() > 0);
    }
    const bool has_both = GENERATE(false, true);
    if (has_both) {  // one spec of a look is said to be of a compiler with the right name
        SQLite::Database old(file.string(), SQLite::OPEN_READWRITE);
        old.exec(
            "INSERT INTO compiler (compiler_id, name, version, spec, sort_key) SELECT 99, "
            "'intel-oneapi-compilers-classic', version, 'intel-oneapi-compilers-classic@' || "
            "version, 'later' FROM compiler WHERE compiler_id = 1;"
            "CREATE TEMP TABLE moved AS SELECT spec_id, look_id FROM spec JOIN look USING "
            "(look_id) "
            "WHERE compiler_id = 1 LIMIT 1;"
            "INSERT INTO look (look_id, package_id, version_id, arch_id, compiler_id, "
            "variant_set_id) SELECT 99, package_id, version_id, arch_id, 99, variant_set_id "
            "FROM look WHERE look_id = (SELECT look_id FROM moved);"
            "UPDATE spec SET look_id = 99 WHERE spec_id = (SELECT spec_id FROM moved);"
            "UPDATE presence SET look_id = 99 WHERE spec_id = (SELECT spec_id FROM moved)");
    }
    SQLite::Database upgraded = open_for_writing(file);
    CHECK(upgraded.execAndGet("SELECT count(*) FROM compiler WHERE spec LIKE 'intel%classic%'")
              .getInt() == 1);
    CHECK(upgraded.execAndGet("SELECT name FROM compiler WHERE spec LIKE 'intel%classic%'")
              .getString() == "intel-oneapi-compilers-classic");
    CHECK(upgraded.execAndGet("SELECT count(*) FROM specs WHERE compiler LIKE 'intel%classic@%'")
              .getInt() > 0);
    CHECK(find_problems(upgraded, 10) == std::vector<std::string>{});
}

TEST_CASE("A ledger of an older version is told to who only reads") {
    const TempFolder folder;
    const fs::path file = restore(folder, 1);
    const std::string before = read_file(file);
    CHECK_THROWS_WITH(open_for_reading(file),
                      file.string() +
                          ": written by an older cacheledger; the next command that "
                          "writes upgrades it");
    CHECK(read_file(file) == before);
}

// All migrations have passed when the last view is in the way.
TEST_CASE("An upgrade that fails at its end leaves the file byte for byte") {
    const TempFolder folder;
    const fs::path file = restore(folder, 1);
    const std::string last_view(view_texts.back().name);
    {
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
        database.exec(fmt::format("DROP VIEW IF EXISTS {0}; CREATE TABLE {0} (a)", last_view));
    }
    const std::string before = read_file(file);
    CHECK_THROWS_AS(open_for_writing(file), DatabaseError);
    CHECK(read_file(file) == before);
}

TEST_CASE("A ledger of the next version is refused, and left byte for byte") {
    const TempFolder folder;
    const fs::path file = restore(folder, newest_schema_version());
    const int next = newest_schema_version() + 1;
    SQLite::Database(file.string(), SQLite::OPEN_READWRITE)
        .exec(fmt::format("PRAGMA user_version = {}", next));
    const std::string before = read_file(file);
    const std::string problem = fmt::format(
        "{}: written by a newer cacheledger (schema version {}, this one knows {}); update "
        "cacheledger",
        file.string(), next, newest_schema_version());
    CHECK_THROWS_WITH(open_for_reading(file), problem);
    CHECK_THROWS_WITH(open_for_writing(file), problem);
    CHECK(read_file(file) == before);
}
