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

TEST_CASE("The views of all ledgers have the ledgers of all roles") {
    TWO_PUBLISHERS_OR_RETURN;
    CHECK(two.publish_as(two.first_url, "one").notes.empty());
    CHECK(two.publish_as(two.second_url, "two").notes.empty());
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
    Publication(second, PublishedName("two")).drop();
    CHECK(value_of(two.owner, "SELECT to_regclass('cacheledger.all_specs') IS NULL") == "1");
}

TEST_CASE(
    "A program of another version keeps the views of all ledgers, and what users made of them") {
    TWO_PUBLISHERS_OR_RETURN;
    two.publish_as(two.first_url, "one");
    two.publish_as(two.second_url, "two");
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
    two.publish_as(two.second_url, "two");
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

}  // namespace all_ledgers_test
