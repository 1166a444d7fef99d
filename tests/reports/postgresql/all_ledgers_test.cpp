#include <fmt/format.h>

#include <chrono>

#include "tests/reports/postgresql/published_tables.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"

namespace all_ledgers_test {

// The views over all ledgers of a database: which ledgers they have, and for whom.
using namespace cacheledger;

namespace {

using Way = PublishResult::Way;

/// A database into which two roles publish, and a connection of its owner.
struct TwoPublishers {
    explicit TwoPublishers(const postgresql_fixture::Server& server)
        : url(postgresql_fixture::new_database(server)),
          first_role(postgresql_fixture::new_role(server)),
          second_role(postgresql_fixture::new_role(server)),
          first_url(postgresql_fixture::as_role(url, first_role)),
          second_url(postgresql_fixture::as_role(url, second_role)),
          owner(url) {
        owner.run(
            fmt::format("DO $$BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO {}, {}', "
                        "current_database()); END$$",
                        first_role, second_role));
        ledger.take("2025-03-01", {{"zlib", {{hash_of("za")}}}});
    }

    PublishResult publish_as(const std::string& role_url, const std::string& name,
                             const PublishOptions& options = {}) {
        return publish_file(role_url, ledger.folder().path() / "ledger.db", options, name);
    }
    /// As the role that published first: takes in the ledgers of the second.
    void trust_second() {
        PostgresConnection(first_url).run(
            "GRANT EXECUTE ON FUNCTION cacheledger.make_views_of_all_ledgers TO " + second_role);
    }
    std::string names(PostgresConnection& connection) {
        return value_of(connection,
                        "SELECT string_agg(ledger, ' ' ORDER BY ledger) FROM "
                        "cacheledger.all_snapshots");
    }

    TempLedger ledger;
    std::string url;
    std::string first_role;
    std::string second_role;
    std::string first_url;
    std::string second_url;
    PostgresConnection owner;
};

bool says(const std::vector<std::string>& notes, const std::string& part) {
    for (const std::string& note : notes) {
        if (note.find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

}  // namespace

#define TWO_PUBLISHERS_OR_RETURN                             \
    const auto* const server = postgresql_fixture::server(); \
    if (server == nullptr) {                                 \
        return;                                              \
    }                                                        \
    TwoPublishers two(*server)

TEST_CASE("The views of all ledgers have the ledgers of the roles that are trusted by name") {
    TWO_PUBLISHERS_OR_RETURN;
    CHECK(two.publish_as(two.first_url, "one").notes.empty());
    CHECK(says(two.publish_as(two.second_url, "two").notes,
               "the role " + two.first_role + " made them"));
    CHECK(says(two.publish_as(two.first_url, "one").notes, "leave out two"));
    CHECK(two.names(two.owner) == "one");
    two.trust_second();
    CHECK(two.publish_as(two.first_url, "one").notes.empty());
    CHECK(two.names(two.owner) == "one two");

    const std::string before = next_transaction(two.owner);
    CHECK(two.publish_as(two.first_url, "one").way == Way::nothing);
    CHECK(two.publish_as(two.second_url, "two").way == Way::nothing);
    CHECK(next_transaction(two.owner) == before);

    PostgresConnection connection(two.first_url);
    CHECK(two.names(connection) == "one");  // what is granted, and no more
    two.publish_as(two.second_url, "two", {.roles = {two.first_role}});
    CHECK(two.names(connection) == "one two");

    Publication(connection, PublishedName("one")).drop();
    CHECK(two.names(two.owner) == "two");
    PostgresConnection second(two.second_url);
    CHECK_THROWS_AS(Publication(second, PublishedName("two")).drop(), UsageError);  // in the views
}

TEST_CASE(
    "A program of another version keeps the views of all ledgers, and what users made of them") {
    TWO_PUBLISHERS_OR_RETURN;
    two.publish_as(two.first_url, "one");
    two.trust_second();
    two.publish_as(two.second_url, "two");
    two.publish_as(two.first_url, "one");
    two.owner.run(
        "CREATE VIEW dash AS SELECT ledger, name, packages FROM cacheledger.all_snapshots");
    const auto seen = [&] {
        return value_of(two.owner, "SELECT string_agg(ledger, ' ' ORDER BY ledger) FROM dash");
    };
    // An older program: a view has one column less, and the columns stand otherwise.
    two.owner.run(
        "UPDATE one.published SET layout = 'older'; DROP VIEW \"one tables\".of_all_wishes "
        "CASCADE; "
        "DROP VIEW one.wishes; CREATE VIEW one.wishes AS SELECT 1::bigint AS old, ''::text COLLATE "
        "\"C\" AS stack; ALTER VIEW one.wishes OWNER TO " +
        two.first_role);
    CHECK(two.publish_as(two.first_url, "one").notes.size() == 1);
    CHECK(
        value_of(two.owner,
                 "SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid "
                 "= 'one.wishes'::regclass") ==
        "old stack spec package valid_from valid_to path spec_group conditions");
    CHECK(value_of(two.owner, "SELECT count(*) FROM one.wishes") == "0");
    CHECK(two.names(two.owner) == "one two");
    CHECK(seen() == "one two");
    CHECK(
        value_of(two.owner,
                 "SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid "
                 "= 'cacheledger.all_wishes'::regclass") ==
        "ledger stack spec package valid_from valid_to path spec_group conditions");

    // What an older program made of them is made again.
    two.owner.run(
        "CREATE OR REPLACE VIEW cacheledger.all_snapshots AS SELECT 'none'::text COLLATE "
        "\"C\" AS ledger, v.* FROM one.snapshots v");
    CHECK(seen() == "none");
    two.publish_as(two.first_url, "one");
    CHECK(seen() == "one two");
}

TEST_CASE("Who asks for one ledger reads no other") {
    TWO_PUBLISHERS_OR_RETURN;
    for (const char* const name : {"one", "two", "three"}) {
        two.publish_as(two.url, name, {.roles = {two.first_role}});
    }
    PostgresConnection reader(two.first_url);
    reader.run("BEGIN; SET LOCAL jit_above_cost = 0; SET LOCAL enable_nestloop = on");
    for (const char* const view : {"specs", "latest_specs", "spec_drift", "changes"}) {
        const auto plan =
            reader.query(fmt::format("EXPLAIN (VERBOSE, ANALYZE) SELECT count(*) FROM "
                                     "cacheledger.all_{} WHERE ledger = 'two'",
                                     view));
        std::string text;
        for (const auto& row : plan.rows) {
            text += to_text(row[0]) + "\n";
        }
        INFO(text);
        CHECK(text.find("two.") != std::string::npos);
        CHECK(text.find("one.") == std::string::npos);
        CHECK(text.find("three.") == std::string::npos);
        CHECK(text.find("JIT") == std::string::npos);
    }
}

TEST_CASE("The views of all ledgers show nobody what he may not read") {
    TWO_PUBLISHERS_OR_RETURN;
    two.publish_as(two.url, "one", {.roles = {two.first_role}});
    two.publish_as(two.url, "two");
    two.owner.run("GRANT USAGE ON SCHEMA two TO " + two.first_role);
    PostgresConnection reader(two.first_url);
    CHECK(two.names(reader) == "one");
    PostgresConnection stranger(two.second_url);
    CHECK(two.names(stranger).empty());
}

TEST_CASE("Schemas that are no ledger, or of another program, do not hold a publish up") {
    TWO_PUBLISHERS_OR_RETURN;
    two.owner.run("CREATE SCHEMA x; CREATE SCHEMA \"x tables\"");
    CHECK(two.publish_as(two.url, "one").notes.empty());
    CHECK(two.names(two.owner) == "one");
    two.publish_as(two.url, "two");
    two.owner.run(
        "ALTER VIEW one.snapshots RENAME COLUMN name TO other_name; "
        "CREATE VIEW two.more AS SELECT 1 AS n");
    CHECK(two.publish_as(two.url, "three").way == Way::all);
    CHECK(two.names(two.owner) == "one three two");
}

TEST_CASE("Who reads the views of all ledgers does not hold a publish up") {
    TWO_PUBLISHERS_OR_RETURN;
    two.publish_as(two.url, "one");
    PostgresConnection reader(two.url);
    reader.run("BEGIN; SELECT count(*) FROM cacheledger.all_snapshots");
    const auto begin = std::chrono::steady_clock::now();
    CHECK(says(two.publish_as(two.url, "two").notes, "the next publish tries again"));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK(two.names(reader) == "one");
    reader.run("COMMIT");
    CHECK(two.publish_as(two.url, "two").way == Way::nothing);
    CHECK(two.names(reader) == "one two");
}

/// Where functions of the hostile role, which is the second one, write who ran them.
const std::string marker =
    "CREATE SCHEMA hostile; GRANT USAGE ON SCHEMA hostile TO PUBLIC; CREATE TABLE hostile.marker "
    "(who text); GRANT ALL ON hostile.marker TO PUBLIC; CREATE FUNCTION hostile.mark() RETURNS "
    "boolean LANGUAGE plpgsql AS $$BEGIN INSERT INTO hostile.marker VALUES (current_user); RETURN "
    "true; END$$;";
const char* const marked = "SELECT count(*) FROM hostile.marker";

TEST_CASE("A publish calls no function that another role has put in its way") {
    TWO_PUBLISHERS_OR_RETURN;
    PostgresConnection hostile(two.second_url);
    hostile.run(marker);
    const std::string schema =
        "CREATE SCHEMA cacheledger; GRANT ALL ON SCHEMA cacheledger TO PUBLIC;";
    const auto function = [](const std::string& rights, const std::string& type) {
        return fmt::format(
            "CREATE FUNCTION cacheledger.make_views_of_all_ledgers(left_out {} DEFAULT '') RETURNS "
            "boolean LANGUAGE plpgsql {} AS $$-- version 99999999999999999999\nBEGIN RETURN "
            "hostile.mark(); END$$;",
            type, rights);
    };
    // A trigger of SECURITY DEFINER that runs at the end of the transaction has the rights of the
    // caller.
    const std::string later =
        "CREATE TABLE hostile.t (n int); CREATE FUNCTION hostile.fire() RETURNS trigger LANGUAGE "
        "plpgsql AS $$BEGIN PERFORM hostile.mark(); RETURN NULL; END$$; CREATE CONSTRAINT TRIGGER "
        "t AFTER INSERT ON hostile.t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "
        "hostile.fire(); CREATE FUNCTION cacheledger.make_views_of_all_ledgers(left_out text "
        "DEFAULT '') RETURNS boolean LANGUAGE sql SECURITY DEFINER AS 'INSERT INTO hostile.t "
        "VALUES (1); SELECT true'";
    for (const std::string& statements :
         {function("", "text"), function("SECURITY DEFINER", "text"), function("", "varchar"),
          later, std::string("SELECT 1")}) {
        INFO(statements);
        hostile.run("DROP SCHEMA IF EXISTS cacheledger CASCADE;" + schema + statements);
        for (const std::string& url : {two.url, two.first_url}) {
            const std::string name = url == two.url ? "supers" : "plain";
            CHECK(says(two.publish_as(url, name).notes,
                       "the role " + two.second_role + " made them"));
        }
        CHECK(value_of(two.owner, marked) == "0");
        hostile.run("DROP TABLE IF EXISTS hostile.t");
    }

    // In the names that a session looks up first.
    hostile.run(
        "CREATE SCHEMA postgres; GRANT USAGE ON SCHEMA postgres TO PUBLIC; CREATE FUNCTION "
        "postgres.joined(a name, b text) RETURNS text LANGUAGE sql AS $$SELECT "
        "hostile.mark()::text$$; CREATE OPERATOR postgres.|| (LEFTARG = name, RIGHTARG = text, "
        "FUNCTION = postgres.joined)");
    two.publish_as(two.url, "supers");
    CHECK(value_of(two.owner, marked) == "0");
}

TEST_CASE("A publish takes no schema of another role for its ledger") {
    TWO_PUBLISHERS_OR_RETURN;
    PostgresConnection hostile(two.second_url);
    hostile.run(marker);
    const std::string published =
        "(true, '', '', 0, 'x', '', '')) v(one_row, ledger_id, token, schema_version, layout, "
        "program, published_at) WHERE hostile.mark()";
    hostile.run(
        "CREATE SCHEMA site; GRANT ALL ON SCHEMA site TO PUBLIC; CREATE SCHEMA \"site "
        "tables\"; GRANT ALL ON SCHEMA \"site tables\" TO PUBLIC; CREATE VIEW "
        "site.published AS SELECT * FROM (VALUES " +
        published +
        "; CREATE VIEW \"site tables\".published AS SELECT * FROM "
        "site.published; GRANT ALL ON site.published, \"site tables\".published TO PUBLIC");
    CHECK_THROWS_AS(two.publish_as(two.url, "site"), UsageError);
    CHECK_THROWS_AS(two.publish_as(two.url, "site", {.is_dry_run = true}), DatabaseError);
    PostgresConnection owner(two.url);
    CHECK_THROWS_AS(Publication(owner, PublishedName("site")).drop(), DatabaseError);
    CHECK(value_of(two.owner, marked) == "0");
}

TEST_CASE("The views of all ledgers run nothing of a role that nobody trusts") {
    TWO_PUBLISHERS_OR_RETURN;
    two.publish_as(two.first_url, "one");
    PostgresConnection hostile(two.second_url);
    hostile.run(marker +
                "CREATE SCHEMA \"two tables\"; GRANT USAGE ON SCHEMA \"two tables\" TO PUBLIC; "
                "CREATE VIEW \"two tables\".of_all_snapshots AS SELECT hostile.mark()::text AS "
                "name; GRANT SELECT ON \"two tables\".of_all_snapshots TO PUBLIC");
    CHECK_THROWS_AS(hostile.run("SELECT cacheledger.make_views_of_all_ledgers()"), PostgresError);
    two.publish_as(two.first_url, "one");
    CHECK(two.names(two.owner) == "one");
    CHECK(value_of(two.owner, marked) == "0");
}

TEST_CASE("A view that can't be a part of those of all ledgers is a note") {
    TWO_PUBLISHERS_OR_RETURN;
    two.publish_as(two.first_url, "one");
    two.trust_second();
    std::string columns = "1 AS c0";
    for (int column = 1; column < 1600; ++column) {
        columns += fmt::format(", 1 AS c{}", column);
    }
    PostgresConnection(two.second_url)
        .run(
            "CREATE SCHEMA \"two tables\"; GRANT USAGE ON SCHEMA \"two tables\" TO PUBLIC; "
            "CREATE VIEW \"two tables\".of_all_snapshots AS SELECT " +
            columns + "; GRANT SELECT ON \"two tables\".of_all_snapshots TO PUBLIC");
    two.ledger.take("2025-03-02", {{"zlib", {{hash_of("zb")}}}});
    const auto result = two.publish_as(two.first_url, "one");
    CHECK(result.way == Way::differences);
    CHECK(says(result.notes, "are as they were"));
    two.owner.run("UPDATE one.published SET layout = 'older'");
    CHECK(says(two.publish_as(two.first_url, "one").notes, "are as they were"));
}

}  // namespace all_ledgers_test
