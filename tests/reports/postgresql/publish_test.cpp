#include <filesystem>

#include "reports/postgresql/publishing/published_check.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "tests/reports/postgresql/published_tables.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"

namespace publish_test {

using namespace cacheledger;

namespace fs = std::filesystem;

namespace {

using Way = PublishResult::Way;

/// A ledger with three snapshots, a server with a database, and a connection that looks on.
struct Site {
    explicit Site(const postgresql_fixture::Server& server)
        : url(postgresql_fixture::new_database(server)), reader(url) {
        ledger.take("2025-03-01", {{"zlib", {{hash_of("za")}, {hash_of("zb")}}}});
        ledger.take("2025-03-02", {{"zlib", {{hash_of("za")}}}, {"hdf5", {{hash_of("ha")}}}});
        ledger.take("2025-03-03", {{"zlib", {{hash_of("zb")}}}, {"hdf5", {{hash_of("ha")}}}});
    }

    fs::path file() const { return ledger.folder().path() / "ledger.db"; }
    std::string difference() {
        return first_difference(rows_of_published(reader, "site"), rows_of_ledger(ledger));
    }
    std::string count(const std::string& table) {
        return value_of(reader, "SELECT count(*) FROM site." + table);
    }
    void copy_to(const std::string& name) {
        ledger.database().exec("PRAGMA wal_checkpoint(TRUNCATE)");
        fs::copy_file(file(), ledger.folder().path() / name);
    }
    std::string refusal(const PublishOptions& options = {}) {
        return thrown<std::exception>([&] { publish(url, ledger, options); }, "");
    }

    TempLedger ledger;
    std::string url;
    PostgresConnection reader;
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

#define SITE_OR_RETURN                                       \
    const auto* const server = postgresql_fixture::server(); \
    if (server == nullptr) {                                 \
        return;                                              \
    }                                                        \
    Site site(*server)

TEST_CASE("A ledger is published, then what changed, then nothing") {
    SITE_OR_RETURN;
    CHECK(publish(site.url, site.ledger).way == Way::all);
    CHECK(site.difference() == "");
    site.ledger.take("2025-03-04", {{"zlib", {{hash_of("zb")}, {hash_of("zc")}}}});
    const auto further = publish(site.url, site.ledger);
    CHECK(further.way == Way::differences);
    CHECK(site.difference() == "");
    const std::string before = next_transaction(site.reader);
    CHECK(publish(site.url, site.ledger).way == Way::nothing);
    CHECK(next_transaction(site.reader) == before);
}

TEST_CASE("A dry run tells what would be published, and writes nothing") {
    SITE_OR_RETURN;
    CHECK(publish(site.url, site.ledger, {.is_dry_run = true}).way == Way::all);
    CHECK(value_of(site.reader, "SELECT to_regclass('site.spec') IS NULL") == "1");
    publish(site.url, site.ledger);
    site.ledger.take("2025-03-04", {{"zlib", {{hash_of("zb")}, {hash_of("zc")}}}});
    const std::string before = next_transaction(site.reader);
    const auto told = publish(site.url, site.ledger, {.is_dry_run = true});
    CHECK(next_transaction(site.reader) == before);
    const auto done = publish(site.url, site.ledger);
    REQUIRE(told.tables.size() == done.tables.size());
    for (std::size_t i = 0; i < told.tables.size(); ++i) {
        CHECK(told.tables[i].table == done.tables[i].table);
        CHECK(told.tables[i].inserted == done.tables[i].inserted);
        CHECK(told.tables[i].updated == done.tables[i].updated);
        CHECK(told.tables[i].deleted == done.tables[i].deleted);
    }
}

TEST_CASE("A file that was restored, and a copy that went on, are refused until --resync") {
    SITE_OR_RETURN;
    publish(site.url, site.ledger);
    site.copy_to("old.db");
    const fs::path old = site.ledger.folder().path() / "old.db";
    site.ledger.take("2025-03-04", {{"zlib", {{hash_of("zc")}}}});
    publish(site.url, site.ledger);

    const auto refusal = [&](const fs::path& file) {
        try {
            publish_file(site.url, file);
        } catch (const DatabaseError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(has(refusal(old), "--resync"));
    {  // the copy goes on by itself, to as many states
        SQLite::Database copy = open_for_writing(old);
        add_state(copy);
        add_state(copy);
    }
    CHECK(has(refusal(old), "--resync"));
    CHECK(publish_file(site.url, old, {.is_resync = true}).way == Way::differences);
    CHECK(site.count("snapshot") == "3");
    CHECK(has(site.refusal(), "--resync"));
    CHECK(publish(site.url, site.ledger, {.is_resync = true}).way == Way::differences);
    CHECK(site.difference() == "");
}

TEST_CASE("Another ledger is refused until --resync") {
    SITE_OR_RETURN;
    publish(site.url, site.ledger);
    TempLedger other;
    other.take("2025-03-01", {{"zlib", {{hash_of("zx")}}}});
    CHECK_THROWS_AS(publish(site.url, other), DatabaseError);
    CHECK(publish(site.url, other, {.is_resync = true}).way == Way::differences);
    CHECK(first_difference(rows_of_published(site.reader, "site"), rows_of_ledger(other)) == "");
    CHECK(publish(site.url, other).way == Way::nothing);
}

TEST_CASE("What was changed on the server is found by --check, and mended by --resync") {
    SITE_OR_RETURN;
    publish(site.url, site.ledger);
    const auto check = [&] {
        PostgresConnection connection(site.url);
        SQLite::Database ledger = open_for_reading(site.file());
        std::string problems;
        for (const auto& table : check_published(ledger, connection, PublishedName("site"))) {
            problems += table.problem.empty() ? "" : table.table + ": " + table.problem + "\n";
            if (table.problem.empty()) {
                CHECK(table.checksum == table.published_checksum);
            }
        }
        return problems;
    };
    CHECK(check() == "");
    site.reader.run(
        "DELETE FROM site.spec WHERE spec_id = 1; UPDATE site.snapshot SET source = 'else' WHERE "
        "snapshot_id = 2; INSERT INTO site.package VALUES (99, 'none')");
    const std::string problems = check();
    CHECK(has(problems, "spec: 1 row is missing\n"));
    CHECK(has(problems, "presence: 1 spec_id is of no row of spec\n"));
    CHECK(has(problems, "snapshot: 1 row differs\n"));
    CHECK(has(problems, "package: 1 row is too much\n"));
    CHECK(publish(site.url, site.ledger).way ==
          Way::nothing);  // the row of `published` says nothing of it
    CHECK(publish(site.url, site.ledger, {.is_resync = true}).tables.size() == 3);
    CHECK(check() == "");
    site.ledger.take("2025-03-04", {{"zlib", {{hash_of("zc")}}}});
    CHECK(has(check(), "published: the ledger was written to since\n"));
}

TEST_CASE("A ledger that another program published is brought up to date where it is") {
    SITE_OR_RETURN;
    site.reader.run("CREATE ROLE anew_reader LOGIN");
    publish(site.url, site.ledger, {.roles = {"anew_reader"}});
    // An older program, whose tables had less.
    site.reader.run(
        "CREATE VIEW dash AS SELECT package, hash, target FROM site.latest_specs; "
        "CREATE PUBLICATION site_tables FOR TABLES IN SCHEMA site; "
        "DROP TABLE site.wish_spec CASCADE; "
        "ALTER TABLE site.series DROP COLUMN checked_at CASCADE; "
        "UPDATE site.published SET layout = 'older', program = 'cacheledger 0.0.1'");
    const auto told = publish(site.url, site.ledger, {.is_dry_run = true});
    const auto result = publish(site.url, site.ledger);
    CHECK(result.way == Way::differences);
    CHECK(told.notes == result.notes);
    CHECK(has(result.notes.at(0), "cacheledger 0.0.1"));
    CHECK(site.difference() == "");
    CHECK(publish(site.url, site.ledger).way == Way::nothing);
    CHECK(value_of(site.reader, "SELECT count(*) FROM dash") == "2");
    CHECK(value_of(site.reader,
                   "SELECT count(*) FROM pg_publication_tables WHERE pubname = 'site_tables' AND "
                   "tablename IN ('spec', 'series', 'wish_spec')") == "3");
    CHECK(value_of(site.reader, "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'site%'") ==
          "2");
    CHECK(value_of(site.reader,
                   "SELECT has_table_privilege('anew_reader', '\"site tables\".wish_spec', "
                   "'SELECT')") == "1");
    site.reader.run("UPDATE site.published SET schema_version = 1000");
    CHECK(has(site.refusal(), "newer"));
}

TEST_CASE("Who reads a ledger does not hold up a publish by another program") {
    SITE_OR_RETURN;
    publish(site.url, site.ledger);
    site.reader.run("UPDATE site.published SET layout = 'older'");
    PostgresConnection reader(site.url);
    reader.run("BEGIN; SELECT count(*) FROM site.specs");
    site.ledger.take("2025-03-04", {{"zlib", {{hash_of("zc")}}}});
    CHECK(has(publish(site.url, site.ledger).notes.back(), "the next publish makes them anew"));
    CHECK(site.difference() == "");
    reader.run("COMMIT");
    CHECK(publish(site.url, site.ledger).way == Way::differences);
    CHECK(publish(site.url, site.ledger).way == Way::nothing);
}

TEST_CASE("What a publish changed is kept for copies of earlier states") {
    SITE_OR_RETURN;
    publish(site.url, site.ledger);
    CHECK(
        value_of(
            site.reader,
            "SELECT count(*) FROM \"site tables\".publication WHERE rows IS NULL AND number > 0") ==
        "1");
    for (int i = 0; i < 60; ++i) {  // so that a change is a small part of the ledger
        site.ledger.database().exec(fmt::format("INSERT INTO package (name) VALUES ('p{}')", i));
    }
    add_state(site.ledger.database());
    publish(site.url, site.ledger);
    site.ledger.database().exec("UPDATE package SET name = 'q1' WHERE name = 'p1'");
    site.ledger.database().exec("DELETE FROM package WHERE name = 'p2'");
    add_state(site.ledger.database());
    publish(site.url, site.ledger);
    CHECK(value_of(site.reader,
                   "SELECT max(number) FROM \"site tables\".publication WHERE rows = 2") == "3");
    CHECK(value_of(site.reader,
                   "SELECT new_rows FROM \"site tables\".publication_change WHERE number = 3 AND "
                   "table_name = 'package' AND part = 2")
              .ends_with("\tq1"));
    CHECK(value_of(site.reader,
                   "SELECT count(*) FROM \"site tables\".publication WHERE token = (SELECT token "
                   "FROM site.published)") == "1");
}

TEST_CASE("A row that the server has twice is mended") {
    SITE_OR_RETURN;
    site.ledger.database().exec(
        "INSERT INTO edge_kind (deptypes) VALUES ('link'); INSERT INTO dependency SELECT spec_id, "
        "spec_id, 1 FROM spec");
    add_state(site.ledger.database());
    publish(site.url, site.ledger);
    site.reader.run(
        "INSERT INTO site.dependency SELECT * FROM site.dependency WHERE spec_id <> 2; INSERT INTO "
        "site.dependency SELECT * FROM site.dependency WHERE spec_id = 1");
    CHECK(site.difference() != "");
    publish(site.url, site.ledger, {.is_resync = true});
    CHECK(site.difference() == "");
}

TEST_CASE("Another role's view between those of a ledger does not hold a publish up") {
    SITE_OR_RETURN;
    const auto publisher = postgresql_fixture::new_role(*server);
    const auto reader = postgresql_fixture::new_role(*server);
    site.reader.run("GRANT CREATE ON DATABASE " +
                    value_of(site.reader, "SELECT current_database()") + " TO " + publisher);
    const std::string url = postgresql_fixture::as_role(site.url, publisher);
    publish(url, site.ledger, {.roles = {reader}});
    site.reader.run("CREATE VIEW site.theirs AS SELECT 1 AS one");
    site.reader.run("UPDATE site.published SET layout = 'older'");
    CHECK(publish(url, site.ledger).way == Way::differences);
    CHECK(publish(url, site.ledger, {.roles = {reader}}).way == Way::nothing);
}

TEST_CASE("A role that is granted a ledger reads its views and tables, and nothing else") {
    SITE_OR_RETURN;
    site.reader.run("CREATE ROLE views_reader LOGIN");
    CHECK(has(site.refusal({.roles = {"nobody_there"}}), "no such role"));
    const auto result = publish(site.url, site.ledger, {.roles = {"views_reader"}});
    CHECK(result.notes.empty());
    std::string url = site.url;
    url.replace(url.find("postgres@"), 9, "views_reader@");
    PostgresConnection role(url);
    CHECK(value_of(role, "SELECT count(*) FROM \"site tables\".spec") == "3");
    CHECK(value_of(role, "SELECT count(*) FROM site.snapshots") == "3");
    CHECK(value_of(role, "SELECT count(*) FROM site.spec_drift WHERE from_id = 1 AND to_id = 2") ==
          "2");
    CHECK(
        has(value_of(role, "SELECT obj_description('site.specs'::regclass)"), "One row for each"));
    const std::string before = next_transaction(site.reader);
    publish(site.url, site.ledger, {.roles = {"views_reader"}});
    CHECK(next_transaction(site.reader) == before);
    CHECK(value_of(role, "SELECT count(*) FROM site.spec") == "3");
    site.reader.run("CREATE TABLE site.mine ()");
    publish(site.url, site.ledger, {.roles = {"views_reader"}});
    CHECK_THROWS_AS(role.query("SELECT FROM site.mine"), PostgresError);
    CHECK_THROWS_AS(role.run("DELETE FROM \"site tables\".spec"), PostgresError);
    CHECK_THROWS_AS(role.run("CREATE TABLE site.other ()"), PostgresError);
}

TEST_CASE("A role that may only make schemas publishes all the same") {
    SITE_OR_RETURN;
    site.reader.run("CREATE ROLE plain_publisher LOGIN; CREATE ROLE plain_reader LOGIN");
    site.reader.run(
        "DO $$BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO plain_publisher', "
        "current_database()); END$$");
    std::string url = site.url;
    url.replace(url.find("postgres@"), 9, "plain_publisher@");
    const auto result = publish(url, site.ledger, {.roles = {"plain_reader"}});
    CHECK(result.notes.empty());
    CHECK(site.difference() == "");
    site.ledger.take("2025-03-04", {{"zlib", {{hash_of("zc")}}}});
    CHECK(publish(url, site.ledger).way == Way::differences);
    CHECK(site.difference() == "");
}

TEST_CASE("Who may not write by default, or is set otherwise, publishes all the same") {
    SITE_OR_RETURN;
    const std::string url =
        site.url +
        "&options=-c%20bytea_output%3Descape%20-c%20standard_conforming_strings%3Doff%20-c%20"
        "default_transaction_read_only%3Don%20-c%20default_transaction_isolation%3Dserializable";
    CHECK(publish(url, site.ledger).way == Way::all);
    CHECK(publish(url, site.ledger, {.is_resync = true}).way == Way::nothing);
    site.ledger.take("2025-03-04", {{"zlib", {{hash_of("zc")}}}});
    CHECK(publish(url, site.ledger).way == Way::differences);
    CHECK(site.difference() == "");
}

TEST_CASE("A ledger whose row of what was published is gone is refused until --resync") {
    SITE_OR_RETURN;
    publish(site.url, site.ledger);
    site.reader.run("DELETE FROM site.published");
    CHECK(has(site.refusal(), "--resync"));
    {
        PostgresConnection connection(site.url);
        SQLite::Database ledger = open_for_reading(site.file());
        CHECK(check_published(ledger, connection, PublishedName("site")).back().problem ==
              "its row is gone");
    }
    CHECK(publish(site.url, site.ledger, {.is_resync = true}).way == Way::differences);
    CHECK(site.difference() == "");
    CHECK(publish(site.url, site.ledger).way == Way::nothing);
}

TEST_CASE("A ledger that somebody reads is not dropped") {
    SITE_OR_RETURN;
    publish(site.url, site.ledger);
    PostgresConnection reader(site.url);
    reader.run("BEGIN; SELECT count(*) FROM \"site tables\".spec");
    const auto drop = [&] {
        PostgresConnection connection(site.url);
        return Publication(connection, PublishedName("site")).drop();
    };
    CHECK_THROWS_AS(drop(), DatabaseError);
    CHECK(site.difference() == "");
    reader.run("COMMIT");
    CHECK(drop().empty());
    CHECK(value_of(site.reader, "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'site%'") ==
          "0");
    CHECK_THROWS_AS(drop(), UsageError);
}

TEST_CASE("What users made of a ledger goes only if they say so") {
    SITE_OR_RETURN;
    publish(site.url, site.ledger);
    site.reader.run(
        "CREATE VIEW dash AS SELECT count(*) AS n FROM site.specs; CREATE TABLE site.mine (n int); "
        "CREATE PUBLICATION of_site FOR TABLE site.spec");
    const auto drop = [&](bool and_dependent) {
        PostgresConnection connection(site.url);
        return Publication(connection, PublishedName("site")).drop(and_dependent);
    };
    try {
        drop(false);
        FAIL("it was dropped");
    } catch (const UsageError& error) {
        CHECK(has(error.what(),
                  "the publication of_site, the table site.mine, the view public.dash"));
        CHECK(has(error.what(), "--cascade"));
    }
    CHECK(site.difference() != "");  // the table of a user is one more
    CHECK(has(drop(true).at(0), "the view public.dash"));
    CHECK(value_of(site.reader, "SELECT to_regclass('dash') IS NULL") == "1");
}

TEST_CASE("A publish leaves no setting behind in the session") {
    SITE_OR_RETURN;
    PostgresConnection connection(site.url);
    const char* const settings =
        "SELECT coalesce(string_agg(name || '=' || setting, ' ' ORDER BY name), '') FROM "
        "pg_settings WHERE source = 'session' AND name <> 'role'";
    const std::string before = value_of(connection, settings);
    {
        SQLite::Database ledger = open_for_reading(site.file());
        Publication(connection, PublishedName("site")).publish(ledger);
        check_published(ledger, connection, PublishedName("site"));
    }
    CHECK(value_of(connection, settings) == before);
}

TEST_CASE("A ledger is dropped, and only a ledger") {
    SITE_OR_RETURN;
    const auto drop = [&](const std::string& name) {
        PostgresConnection connection(site.url);
        Publication(connection, PublishedName(name)).drop();
    };
    CHECK_THROWS_AS(drop("site"), UsageError);
    publish(site.url, site.ledger);
    site.reader.run("CREATE SCHEMA stranger");
    CHECK_THROWS_AS(drop("stranger"), UsageError);
    CHECK_THROWS_AS(publish_file(site.url, site.file(), {}, "stranger"), UsageError);
    drop("site");
    CHECK(value_of(site.reader, "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'site%'") ==
          "0");
}

TEST_CASE("Names of ledgers are those that schemas can have") {
    for (const char* const name : {"spack.develop-2025_a", "E4S", "a"}) {
        CHECK_NOTHROW(PublishedName(name));
    }
    for (const char* const name : {"", "1a", "a b", "a\"b", "public", "cacheledger", "pg_x",
                                   "information_schema", "-a", "\xc3\xa4"}) {
        CHECK_THROWS_AS(PublishedName(name), UsageError);
    }
    CHECK_THROWS_AS(PublishedName(std::string(49, 'a')), UsageError);
}

TEST_CASE("Texts that PostgreSQL can't store are written out, and said") {
    SITE_OR_RETURN;
    site.ledger.database().exec(
        "UPDATE snapshot SET source = CAST(x'61ff00' AS TEXT) || char(9, 10, 92) WHERE "
        "snapshot_id = 1");
    const auto told = publish(site.url, site.ledger, {.is_dry_run = true});
    const auto result = publish(site.url, site.ledger);
    CHECK(told.notes == result.notes);
    CHECK(has(result.notes.at(0), "1 text"));
    CHECK(value_of(site.reader, "SELECT source FROM site.snapshot WHERE snapshot_id = 1") ==
          "a\\xff\\x00\t\n\\");
    CHECK(publish(site.url, site.ledger, {.is_resync = true}).tables.empty());
}

}  // namespace publish_test
