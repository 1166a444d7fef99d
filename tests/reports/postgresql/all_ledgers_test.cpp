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

TEST_CASE("The views of all ledgers have those that who made them may read") {
    TWO_PUBLISHERS_OR_RETURN;
    CHECK(two.publish_as(two.first_url, "one").notes.empty());
    CHECK(says(two.publish_as(two.second_url, "two").notes, two.first_role));
    CHECK(says(two.publish_as(two.first_url, "three").notes, "leave out two"));
    CHECK(two.names(two.owner) == "one three");
    two.publish_as(two.second_url, "two", {.roles = {two.first_role}});
    two.publish_as(two.first_url, "one");
    CHECK(two.names(two.owner) == "one three two");

    const std::string before = next_transaction(two.owner);
    CHECK(two.publish_as(two.first_url, "one").way == Way::nothing);
    CHECK(next_transaction(two.owner) == before);

    {  // its views are gone with the ledger, as who drops it may not change them
        PostgresConnection connection(two.second_url);
        Publication(connection, PublishedName("two")).drop();
    }
    two.publish_as(two.first_url, "one");
    CHECK(two.names(two.owner) == "one three");
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
    CHECK(two.names(two.owner) == "three two");
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
