#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "tests/paths.hpp"
#include "tests/reports/postgresql/published_bench.hpp"
#include "tests/support/catch.hpp"

namespace published_command_test {

// The commands that ask a ledger say the same of a file and of what was published of it.
// What commands answer of a published ledger: from a copy that follows it.
using cacheledger::PostgresConnection;
using postgresql_fixture::PublishedBench;
using program::contains;
using program::Run;
using program::Words;

namespace {}  // namespace

namespace {

/// Runs a command on both, and compares all that it says.
void compare(const PublishedBench& both, const Words& words) {
    const Run expected = both.run(words);
    const Run run = both.run_published(words);
    std::string line;
    for (const std::string& word : words) {
        line += word + " ";
    }
    INFO(line);
    CHECK(run.status == expected.status);
    CHECK(run.out == expected.out);
    CHECK(both.without_database(run.err) == expected.err);
}

/// For a parameter without a default, a value that the ledger has.
Words required(const std::string& parameters) {
    Words words;
    const auto takes = [&](const std::string& name) {
        return (parameters + " ").find("--" + name + " ") != std::string::npos;
    };
    for (const auto& [name, value] :
         {std::pair("spec", "zlib-ng"), std::pair("lock", "wanted"), std::pair("other", "e4s*")}) {
        if (takes(name)) {
            words.insert(words.end(), {std::string("--") + name, value});
        }
    }
    if (takes("other")) {
        words.insert(words.end(), {"--stack", "ml-linux-x86_64-rocm"});
    }
    return words;
}

}  // namespace

TEST_CASE("Commands say the same of a published ledger") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench both(*server);
    const std::vector<Words> commands = {
        {"snapshots"},
        {"specs", "hdf5"},
        {"specs", "hdf5", "--at", "site~1"},
        {"specs", "--limit", "7", "--at", "develop"},
        {"specs", "--format", "csv"},
        {"specs", "hdf5", "%gcc"},
        {"specs", "hdf5", "^zlib-ng@2.2"},
        {"specs", "hdf5", "%nvhpc"},
        {"specs", "target=x86_64_v3", "--at", "develop"},
        {"specs", "py-tokenizers %gcc@13", "--limit", "3", "--at", "develop"},
        {"specs", "py-tokenizers@0.20 target=zen4", "--at", "develop"},
        {"specs", "/grcfiz6"},
        {"specs", "/iazcpnf"},
        {"specs", "/iazcpnf", "--format", "json"},
        {"specs", "nothing"},
        {"specs", "hdf5", "--stack", "none*"},
        {"history", "hdf5"},
        {"history", "py-ml-dtypes", "--series", "develop"},
        {"history", "/lmptodo"},
        {"history", "zlib-ng", "--format", "json"},
        {"history", "nothing"},
        {"history", "%gcc@13"},
        {"history", "--stack", "ml-linux-*", "--series", "develop"},
        {"diff"},
        {"diff", "develop~1", "develop"},
        {"diff", "develop~1", "develop", "--format", "json"},
        {"diff", "site~1", "site", "--format", "json"},
        {"diff", "develop", "site"},
        {"diff", "develop", "--target", "x86_64_v3", "--by", "package"},
        {"diff", "site", "--package", "hdf5+mpi", "--summary"},
        {"diff", "nowhere"},
        {"why"},
        {"why", "site~1", "site", "--all"},
        {"why", "develop"},
        {"why", "/iazcpnf", "/grcfiz6", "--format", "json"},
        {"why", "site", "--package", "netcdf-c"},
        {"report", "coverage/targets", "--at", "develop", "--target", "x86_64_v3:"},
        {"report", "coverage/packages", "--package", "py-*", "--at", "develop"},
        {"report", "coverage/packages", "--package", "zlib-ng %gcc"},
        {"report", "drift/summary", "--from", "develop~1", "--to", "develop"},
        {"report", "drift/specs", "--from", "site~1", "--to", "site", "--format", "json"},
        {"report", "drift/summary", "--from", "develop~1", "--to", "develop", "--stack", "e4s*"},
        {"report", "drift/variants", "--package", "hdf5 target=x86_64_v3"},
        {"report", "coverage/targets", "--compiler", "nothing"},
        {"report", "coverage/targets", "--at", "nothing"},
        {"report", "coverage/stale", "--days", "9223372036854775807"},
        {"report", "history/growth", "--format", "svg"},
        {"report", "coverage/targets", "--at", "develop", "--sql"},
        {"dependents", "zlib-ng", "--at", "site"},
        {"coverage", std::string(paths::data) + "/mirrors/spack.lock", "--at", "site"},
        {"prune", "--keep", "develop"},
        {"check"},
        {"sql", "SELECT package, count(*) AS n FROM latest_specs GROUP BY package"},
        {"diff", std::string(paths::data) + "/mirrors/spack.lock", "wanted"},
    };
    for (const Words& words : commands) {
        compare(both, words);
    }
}

TEST_CASE("A report is printed for PostgreSQL from a file and from a published ledger") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench both(*server);
    Words words = {"report", "coverage/packages", "--package", "zlib-ng %gcc", "--sql",
                   "--for",  "postgresql"};
    const Run published = both.run_published(words);
    const std::string path = "SET search_path = \"cache tables\", \"cache\";\n";
    CHECK(published.out == path + both.run(words).out);
    words.insert(words.end(), {"--ledger", "cache"});
    CHECK(both.run(words).out == published.out);
    cacheledger::PostgresConnection reader(both.url());
    CHECK_NOTHROW(reader.run(published.out));
    CHECK(both.run({"report", "drift/why", "--sql", "--for", "postgresql"}).status == 2);
    CHECK(both.run({"report", "coverage/targets", "--for", "postgresql"}).status == 2);
    CHECK(both.run({"report", "coverage/targets", "--sql", "--for", "mysql"}).status == 2);
    CHECK(both.run({"report", "coverage/targets", "--sql", "--ledger", "cache"}).status == 2);
}

TEST_CASE("Every report says the same of a published ledger") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench both(*server);
    const Words lines = program::lines_of(both.run({"report", "--all", "--format", "csv"}).out);
    CHECK(lines.size() > 45);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::string name = lines[i].substr(0, lines[i].find(','));
        const std::string parameters = lines[i].substr(lines[i].rfind(',') + 1);
        for (const char* const snapshot : {"develop", "site"}) {
            Words words = {"report", name, "--format", "json"};
            for (const char* const option : {"--at", "--to"}) {
                if ((parameters + " ").find(std::string(option) + " ") != std::string::npos) {
                    words.insert(words.end(), {option, snapshot});
                }
            }
            const Words more = required(parameters);
            words.insert(words.end(), more.begin(), more.end());
            compare(both, words);
        }
    }
}

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

}  // namespace published_command_test
