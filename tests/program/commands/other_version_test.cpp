#include <sqlite3.h>

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace other_version_test {

// The program on ledgers that it does not read.
using program::Run;
using program::Words;
using program::Workbench;

namespace {

void ingest(const Workbench& bench) {
    bench.write("zlib.md", program::page("zlib", program::details({program::entry()})));
    REQUIRE(bench.run({"ingest", "zlib.md", "--taken-at", "2025-03-01"}).status == 0);
}

void execute(const Workbench& bench, const std::string& sql) {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
}

const std::vector<Words> commands = {
    {"ingest", "zlib.md"},
    {"forget", "develop"},
    {"compact"},
    {"backup", "copy.db"},
    {"check"},
    {"snapshots"},
    {"report", "coverage/summary"},
    {"diff", "develop~1", "develop"},
    {"prune", "--keep", "newest 1"},
    {"sql", "SELECT 1"},
};

/// Every command says the problem of the ledger in one line, and leaves it byte for byte.
void check_is_refused(const Workbench& bench, const std::string& problem) {
    const std::string before = bench.database();
    for (const Words& command : commands) {
        const Run run = bench.run(command);
        INFO(command[0] << '\n' << run);
        CHECK(run.status == 4);
        CHECK(run.out.empty());
        CHECK(run.errors() == Words{problem});
    }
    CHECK(bench.database() == before);
    CHECK_FALSE(bench.has("copy.db"));
}

}  // namespace

TEST_CASE("A forget never makes a ledger") {
    const Workbench bench;
    const Run missing = bench.run({"forget", "develop"});
    INFO(missing);
    CHECK(missing.status == 4);
    CHECK(missing.errors() == Words{"cacheledger: cacheledger.db: no such database; --db names "
                                    "another; how to make one: cacheledger help sources"});
    CHECK_FALSE(bench.has("cacheledger.db"));
    bench.write("cacheledger.db", "");
    const Run empty = bench.run({"forget", "develop"});
    INFO(empty);
    CHECK(empty.status == 4);
    CHECK(empty.errors() ==
          Words{"cacheledger: cacheledger.db: empty; how to fill it: cacheledger help sources"});
    CHECK(bench.database().empty());
}

TEST_CASE("A ledger of a newer version is refused by every command, and left byte for byte") {
    const Workbench bench;
    ingest(bench);
    execute(bench, "PRAGMA user_version = 99");
    check_is_refused(bench,
                     "cacheledger: cacheledger.db: written by a newer cacheledger (schema version "
                     "99, this one knows 6); update cacheledger");
}

TEST_CASE("A ledger of a development version is refused by every command, and left as it is") {
    const Workbench bench;
    ingest(bench);
    execute(bench, "PRAGMA application_id = 0x434c6772; PRAGMA user_version = 10");
    check_is_refused(bench,
                     "cacheledger: cacheledger.db: written by a development version of "
                     "cacheledger; move it away and load it again: cacheledger ingest SOURCE... "
                     "(its newest sources: zlib.md)");
    CHECK(bench.run({"--db", "cacheledger.db", "check"}).err ==
          "cacheledger: cacheledger.db: written by a development version of cacheledger; move it "
          "away and load it again: cacheledger --db cacheledger.db ingest SOURCE... (its newest "
          "sources: "
          "zlib.md)\n");
}

}  // namespace other_version_test
