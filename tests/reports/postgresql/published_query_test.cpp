#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "tests/reports/postgresql/published_bench.hpp"
#include "tests/support/catch.hpp"

namespace published_query_test {

// What commands answer of a published ledger: from a copy that follows it.
using cacheledger::PostgresConnection;
using postgresql_fixture::PublishedBench;
using program::contains;
using program::Run;
using program::Words;

namespace {}  // namespace

TEST_CASE("A query of a user's own reads the copy of a published ledger") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    const Run run = published.run_published(
        {"sql", "SELECT name FROM snapshots ORDER BY name", "--limit", "1", "--format", "csv"});
    CHECK(run.out == "name\ndevelop@2025-02-10T00:00:00Z\n");
    CHECK(published.run_published({"sql", "DELETE FROM spec"}).status == 2);
}

TEST_CASE("The copy of a published ledger follows it, and is for its user alone") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    const auto snapshots = [&] {
        return published.run_published(
            {"sql", "SELECT count(*) AS n FROM snapshots", "--format", "csv"});
    };
    CHECK(snapshots().out == "n\n5\n");
    const auto completed = [&](const Words& ledger) {
        Words words = {"complete", "--", "--db", published.url()};
        words.insert(words.end(), ledger.begin(), ledger.end());
        words.insert(words.end(), {"specs", "hd"});
        return published.bench()
            .run(words, "", {{"XDG_CACHE_HOME", published.bench().file("cache").string()}})
            .out;
    };
    CHECK(completed({"--ledger", "cache"}) == "hdf5\n");
    CHECK(completed({"--ledger=cache"}) == "hdf5\n");
    CHECK(completed({"--ledger", "other"}).empty());
    CHECK(completed({}).empty());
    const std::filesystem::path folder = published.bench().file("cache") / "cacheledger/ledgers";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".db") {
            files.push_back(entry.path());
        }
    }
    REQUIRE(files.size() == 1);
    CHECK(std::filesystem::status(files[0]).permissions() ==
          (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));

    REQUIRE(published.bench().run({"forget", "develop"}).status == 0);
    CHECK(snapshots().out == "n\n5\n");  // not published yet
    REQUIRE(published.bench().run({"publish", published.owner_url(), "--ledger", "cache"}).status ==
            0);
    CHECK(snapshots().out == "n\n4\n");

    {  // a copy that can't follow is made anew
        std::ofstream(files[0], std::ios::trunc) << "no database, and long enough to be none";
    }
    CHECK(snapshots().out == "n\n4\n");

    {  // one that another process writes to is waited for
        REQUIRE(published.bench().run({"forget", "wanted"}).status == 0);
        REQUIRE(
            published.bench().run({"publish", published.owner_url(), "--ledger", "cache"}).status ==
            0);
        SQLite::Database copy(files[0], SQLite::OPEN_READWRITE);
        const SQLite::Transaction writing(copy, SQLite::TransactionBehavior::IMMEDIATE);
        const Run busy = snapshots();
        CHECK(busy.status == 4);
        CHECK(contains(busy.err, "in use"));
    }
    CHECK(snapshots().status == 0);

    {  // one that is damaged where nothing is pulled
        SQLite::Database copy(files[0]);
        const int page = copy.execAndGet("SELECT rootpage FROM sqlite_schema WHERE name = 'spec'");
        std::fstream bytes(files[0], std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp((page - 1) * copy.execAndGet("PRAGMA page_size").getInt());
        bytes << std::string(1000, 'x');
    }
    const Run damaged = published.run_published({"check"});
    INFO(damaged);
    CHECK(damaged.status == 4);
    CHECK(contains(damaged.err, folder.string()));
    std::filesystem::remove_all(folder);
    CHECK(published.run_published({"check"}).status == 0);

    PostgresConnection owner(published.owner_url());
    owner.run("REVOKE SELECT ON ALL TABLES IN SCHEMA cache FROM " + published.role());
    const Run refused = snapshots();
    CHECK(refused.status == 4);
    CHECK(refused.out.empty());
}

TEST_CASE("The copy becomes another ledger of the name while somebody reads it") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    const auto publish = [&](const std::string& file) {
        return published.bench()
            .run({"--db", file, "publish", published.owner_url(), "--ledger", "cache", "--resync"})
            .status;
    };
    const auto hashes = [](const Run& run) { return program::lines_of(run.out); };
    const Words question = {"sql", "SELECT hash FROM specs ORDER BY snapshot, hash", "--format",
                            "csv"};
    REQUIRE(published.run_published(question).status == 0);
    const std::filesystem::path folder = published.bench().file("cache") / "cacheledger/ledgers";
    std::filesystem::path copy;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        copy = entry.path().extension() == ".db" ? entry.path() : copy;
    }
    SQLite::Database reader(copy);
    reader.exec("BEGIN");
    const int seen = reader.execAndGet("SELECT count(*) FROM spec").getInt();
    REQUIRE(published.bench().run({"forget", "wanted"}).status == 0);
    REQUIRE(publish("cacheledger.db") == 0);
    CHECK(hashes(published.run_published(question)) == hashes(published.run(question)));
    published.bench().write("other/zlib.md",
                            program::page("zlib", program::details({program::entry()})));
    REQUIRE(published.bench()
                .run({"--db", "other.db", "ingest", "other", "--taken-at", "2025-01-01"})
                .status == 0);
    REQUIRE(publish("other.db") == 0);
    const Words of_other = {"--db", "other.db"};
    Words asked = of_other;
    asked.insert(asked.end(), question.begin(), question.end());
    CHECK(hashes(published.run_published(question)) == hashes(published.run(asked)));
    CHECK(published.run_published({"check"}).out == "ok\n");
    CHECK(reader.execAndGet("SELECT count(*) FROM spec").getInt() == seen);
    reader.exec("COMMIT");
    REQUIRE(publish("cacheledger.db") == 0);
    CHECK(hashes(published.run_published(question)) == hashes(published.run(question)));
    CHECK(published.run_published({"check"}).out == "ok\n");
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
    CHECK(published.run_published({"specs", "--help"}).status == 0);
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
