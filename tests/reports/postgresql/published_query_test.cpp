#include "reports/engine/server/connection.hpp"
#include "tests/reports/postgresql/published_bench.hpp"
#include "tests/support/catch.hpp"

namespace published_query_test {

// The command sql on a published ledger: one statement that reads, by a role that only reads.
using cacheledger::PostgresConnection;
using postgresql_fixture::PublishedBench;
using program::contains;
using program::Run;
using program::Words;

namespace {

Run ask(const PublishedBench& published, const std::string& sql, const Words& more = {}) {
    Words words = {"sql", sql, "--format", "csv"};
    words.insert(words.end(), more.begin(), more.end());
    return published.run_published(words);
}

/// The message of a query that is refused.
std::string refusal(const PublishedBench& published, const std::string& sql,
                    const Words& more = {}) {
    const Run run = ask(published, sql, more);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    return run.err;
}

}  // namespace

TEST_CASE("A query of a user's own reads the published views") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    const std::string counted =
        "SELECT target, count(*) AS n FROM specs WHERE snapshot = :at AND package = "
        "'py-tokenizers' "
        "GROUP BY target ORDER BY n DESC";
    const Run expected = published.run({"sql", counted, "--at", "develop", "--format", "csv"});
    CHECK(expected.status == 0);
    CHECK(ask(published, counted, {"--at", "develop"}).out == expected.out);
    CHECK(ask(published, "SELECT :n::bigint + 1 AS n, ':n' AS text", {"--param", "n=4"}).out ==
          "n,text\n5,:n\n");
    CHECK(ask(published, "SELECT name FROM snapshots ORDER BY name", {"--limit", "1"}).out ==
          "name\ndevelop@2025-02-10T00:00:00Z\n");
    CHECK(ask(published, "SELECT count(*) AS n FROM cacheledger.all_snapshots").out == "n\n5\n");

    CHECK(contains(refusal(published, "SELECT 1,\n  nothing"),
                   "query:2:3: column \"nothing\" does not exist"));
    CHECK(contains(refusal(published, "SELECT 1; SELECT 2"), "multiple commands"));
    CHECK(contains(refusal(published, "SELECT :n"), "no value is given for the parameter :n"));
    CHECK(ask(published, "SELECT 1 AS a$1").out == "a$1\n1\n");
    CHECK(contains(refusal(published, "SELECT $1"), "query: $1: expected a parameter with a name"));
    CHECK(contains(refusal(published, "SELECT 1", {"--param", "n=4"}),
                   "the SQL has no parameter :n"));
    CHECK(contains(refusal(published, "SELECT pg_sleep(20)", {"--timeout", "0.3"}),
                   "stopped after 0.3 seconds"));
}

TEST_CASE("A query can't change a published ledger or leave it") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    for (const char* const sql :
         {"DELETE FROM cache.presence RETURNING spec_id", "CREATE TABLE public.t (n int)",
          "CREATE TEMP TABLE t AS SELECT 1", "COMMIT", "SET transaction_read_only = off",
          "COPY (SELECT 1) TO STDOUT", "DO $$ BEGIN END $$", "SELECT pg_read_file('PG_VERSION')",
          "SELECT * FROM cache.presence",
          "WITH d AS (DELETE FROM \"cache tables\".presence RETURNING 1) SELECT * FROM d"}) {
        INFO(sql);
        CHECK(refusal(published, sql) != "");
    }
}

TEST_CASE("A role that may do more than read runs no query of a user's own") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    const auto asked_as = [&](const std::string& url) {
        return published.bench().run({"sql", "SELECT 1 AS one", "--db", url, "--ledger", "cache"});
    };
    CHECK(asked_as(published.url()).status == 0);
    CHECK(contains(asked_as(published.owner_url()).err, "it is a superuser"));

    PostgresConnection owner(published.owner_url());
    const std::string role = postgresql_fixture::new_role(*server);
    const std::string url = postgresql_fixture::as_role(published.owner_url(), role);
    CHECK(asked_as(url).status == 4);  // nothing is granted yet
    REQUIRE(published.bench()
                .run({"publish", published.owner_url(), "--ledger", "cache", "--grant", role})
                .status == 0);
    CHECK(asked_as(url).status == 0);
    owner.run(
        "CREATE FUNCTION peek() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';"
        "REVOKE EXECUTE ON FUNCTION peek() FROM PUBLIC");
    for (const auto& [more, less, said] :
         {std::tuple("GRANT pg_read_server_files TO ", "REVOKE pg_read_server_files FROM ",
                     "it is a member of pg_read_server_files"),
          std::tuple("GRANT postgres TO ", "REVOKE postgres FROM ",
                     "it is a member of postgres, a superuser"),
          std::tuple("GRANT EXECUTE ON FUNCTION pg_read_file(text) TO ",
                     "REVOKE EXECUTE ON FUNCTION pg_read_file(text) FROM ",
                     "it may call pg_read_file, which not everyone may"),
          std::tuple("GRANT EXECUTE ON FUNCTION peek() TO ",
                     "REVOKE EXECUTE ON FUNCTION peek() FROM ",
                     "it may call public.peek, which runs with the rights of its owner"),
          std::tuple("GRANT UPDATE (size) ON cache.specs TO ",
                     "REVOKE UPDATE (size) ON cache.specs FROM ", "it may change cache.specs"),
          std::tuple("GRANT SELECT ON cache.spec TO ", "REVOKE SELECT ON cache.spec FROM ",
                     "it may read the tables of the ledger"),
          std::tuple("GRANT INSERT ON cache.specs TO ", "REVOKE INSERT ON cache.specs FROM ",
                     "it may change cache.specs"),
          std::tuple("GRANT CREATE ON SCHEMA public TO ", "REVOKE CREATE ON SCHEMA public FROM ",
                     "it may make tables in the schema public")}) {
        owner.run(more + role);
        const Run run = asked_as(url);
        CHECK(run.status == 2);
        CHECK(contains(run.err, said));
        owner.run(less + role);
    }
    CHECK(asked_as(url).status == 0);
}

TEST_CASE("A report of a user's own needs such a role, too") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    published.bench().write("own/peek.sql", "-- title: Peek\n-- Looks.\nSELECT 1 AS one\n");
    published.bench().write("own/odd.sql", "-- title: Odd\n-- Looks.\nSELECT nothing\n");
    const auto report_as = [&](const std::string& url, const std::string& name) {
        return published.bench().run({"report", name, "--reports",
                                      published.bench().file("own").string(), "--format", "csv",
                                      "--db", url, "--ledger", "cache"});
    };
    CHECK(report_as(published.url(), "peek").out == "one\n1\n");
    CHECK(contains(report_as(published.owner_url(), "peek").err, "it is a superuser"));
    CHECK(report_as(published.owner_url(), "coverage/summary").status == 0);
    CHECK(contains(report_as(published.url(), "odd").err, "odd.sql: column \"nothing\""));
}

TEST_CASE("A role counts as what it can become") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    const auto refusal_of = [&](const std::string& role) {
        const Run run = published.bench().run(
            {"sql", "SELECT 1 AS one", "--db",
             postgresql_fixture::as_role(published.owner_url(), role), "--ledger", "cache"});
        CHECK(run.status == 2);
        return run.err;
    };
    PostgresConnection owner(published.owner_url());
    const auto role_with_views = [&] {
        const std::string role = postgresql_fixture::new_role(*server);
        REQUIRE(published.bench()
                    .run({"publish", published.owner_url(), "--ledger", "cache", "--grant", role})
                    .status == 0);
        return role;
    };
    // A query can take these roles by set_config('role', ...).
    const std::string member = role_with_views();
    owner.run("ALTER ROLE " + member + " NOINHERIT; GRANT pg_read_server_files TO " + member);
    CHECK(contains(refusal_of(member), "it is a member of pg_read_server_files"));
    const std::string disguised = role_with_views();
    owner.run("ALTER ROLE " + disguised + " SUPERUSER; ALTER ROLE " + disguised +
              " SET role = " + role_with_views());
    CHECK(contains(refusal_of(disguised), "it is a superuser"));
}

TEST_CASE("A ledger that is not there is said with those that are") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    const auto said = [&](const Words& ledger) {
        Words words = {"snapshots", "--db", published.url()};
        words.insert(words.end(), ledger.begin(), ledger.end());
        const Run run = published.bench().run(words);
        CHECK(run.status == 2);
        return run.err;
    };
    CHECK(contains(said({}), "--ledger: expected the name of a ledger; the database has cache"));
    CHECK(contains(said({"--ledger", "other"}), "it has cache"));
    CHECK(contains(said({"--ledger", "'; DROP"}), "expected a letter"));
    const Run run = published.run_published({"forget", "develop"});
    CHECK(run.status == 2);
    CHECK(contains(run.err, "forget works on the file of a ledger"));
}

TEST_CASE("The views over all ledgers are made again by another role when they are gone") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);  // one ledger, of the owner of the database
    PostgresConnection owner(published.owner_url());
    owner.run(
        "DROP SCHEMA cacheledger CASCADE; CREATE SCHEMA other; CREATE SCHEMA \"other tables\"");
    const std::string publisher = postgresql_fixture::new_role(*server);
    owner.run("DO $$BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO " + publisher +
              "', current_database()); END$$");
    const std::string url = postgresql_fixture::as_role(published.owner_url(), publisher);
    const Run run = published.bench().run({"publish", url, "--ledger", "second"});
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    const std::string ledgers = "SELECT DISTINCT ledger FROM cacheledger.all_snapshots";
    CHECK(owner.query(ledgers).rows.size() == 2);
    PostgresConnection second(url);  // who may read its own alone
    const auto rows = second.query(ledgers).rows;
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].at(0) == cacheledger::Value("second"));
}

}  // namespace published_query_test
