#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace forget_command_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

/// A snapshot for each of these days.
void ingest_days(const Workbench& bench, const Words& days) {
    bench.write("zlib.md", page("zlib", details({entry()})));
    for (const std::string& day : days) {
        REQUIRE(bench.run({"ingest", "zlib.md", "--taken-at", day}).status == 0);
    }
}

Words names(const Workbench& bench) {
    return bench.query("SELECT name FROM snapshots ORDER BY taken_at");
}

/// A ledger of which a snapshot was removed.
void prepare(const Workbench& bench) {
    bench.write("large/zlib.md", page_of_specs("zlib", 4000));
    bench.write("small/hdf5.md", page_of_specs("hdf5", 20));
    REQUIRE(bench.run({"ingest", "large", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "small", "--taken-at", "2025-01-02"}).status == 0);
    REQUIRE(bench.run({"forget", "develop~1"}).status == 0);
}

/// Another program that has the ledger open.
class Stranger {
  public:
    explicit Stranger(const Workbench& bench) {
        REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &handle_) == SQLITE_OK);
    }
    ~Stranger() { sqlite3_close(handle_); }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;

    void run(const char* sql) {
        REQUIRE(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    }

  private:
    sqlite3* handle_ = nullptr;
};

std::uintmax_t bytes(const Workbench& bench) {
    return fs::file_size(bench.file("cacheledger.db"));
}

/// The states of the ledger, and the ids of other rows.
Words states_and_ids(const Workbench& bench) {
    Words rows = bench.query(
        "SELECT json_array(state_id, token) FROM ledger_state UNION ALL "
        "SELECT json_array('spec', spec_id, hash) FROM spec UNION ALL "
        "SELECT json_array('snapshot', snapshot_id, name) FROM snapshot UNION ALL "
        "SELECT json_array('page', page_id, hex(digest)) FROM page");
    return rows;
}

}  // namespace

TEST_CASE("forget removes what no rule keeps") {
    const Workbench bench;
    ingest_days(bench, {"2025-01-30", "2025-01-31", "2025-02-01", "2025-02-01T12:00:00"});
    const Run run = done(bench.run({"forget", "--keep-last", "1", "--keep-monthly", "2"}));
    CHECK(run.out == "forgot 2 of 4 snapshots\n");
    CHECK(run.err.empty());
    CHECK(names(bench) == Words{"develop@2025-01-31T00:00:00Z", "develop@2025-02-01T12:00:00Z"});
    CHECK(bench.run({"check"}).out == "ok\n");
    CHECK(bench.run({"forget", "--keep-last", "1", "--keep-monthly", "2"}).out ==
          "nothing to forget of 2 snapshots\n");
}

TEST_CASE("forget --dry-run removes nothing, and says why each snapshot stays") {
    const Workbench bench;
    ingest_days(bench, {"2025-01-30", "2025-01-31", "2025-02-01"});
    const std::string before = bench.database();
    const Run run = done(bench.run(
        {"forget", "--keep-daily", "1", "--keep-monthly=3", "--dry-run", "--format", "csv"}));
    CHECK(run.out ==
          "snapshot,series,taken_at,extent,kind,action,reason\n"
          "develop@2025-02-01T00:00:00Z,develop,2025-02-01T00:00:00Z,whole,pages,keep,"
          "\"daily, monthly\"\n"
          "develop@2025-01-31T00:00:00Z,develop,2025-01-31T00:00:00Z,whole,pages,keep,monthly\n"
          "develop@2025-01-30T00:00:00Z,develop,2025-01-30T00:00:00Z,whole,pages,keep,"
          "oldest monthly\n");
    CHECK(bench.run({"forget", "--keep-last", "1", "--dry-run"}).err ==
          "cacheledger: note: would forget 2 of 3 snapshots\n");
    const Run one = bench.run({"forget", "develop~1", "--dry-run", "--format", "json"});
    check_has(one.out, {"develop@2025-01-31T00:00:00Z", "\"forget\""});
    CHECK(one.err == "cacheledger: note: would forget 1 of 1 snapshot\n");
    CHECK(bench.database() == before);
    CHECK(names(bench).size() == 3);
}

TEST_CASE("forget with a format lists what it did") {
    const Workbench bench;
    ingest_days(bench, {"2025-01-30", "2025-01-31"});
    const Run run = bench.run({"forget", "--keep-last", "1", "--format", "csv"});
    INFO(run);
    CHECK(contains(run.out,
                   "develop@2025-01-30T00:00:00Z,develop,2025-01-30T00:00:00Z,whole,"
                   "pages,forget,\n"));
    CHECK(run.err == "cacheledger: note: forgot 1 of 2 snapshots\n");
    CHECK(names(bench).size() == 1);
}

TEST_CASE("forget refuses rules that keep nothing, and what is no rule") {
    const Workbench bench;
    ingest_days(bench, {"2025-01-30", "2025-01-31"});
    check_refused(bench, {{"forget --keep-last 0", "keep nothing"},
                          {"forget --keep-last 0 --keep-daily 0", "keep nothing"},
                          {"forget --dry-run", "expected a snapshot, or --keep options"},
                          {"forget develop --keep-last 1", "not both"},
                          {"forget develop --tag develop", "--tag"},
                          {"forget --keep-last 1 --tag v1", "'v1'"}});
    for (const char* const number : {"-2", "1.5", "", "all", "99999999999"}) {
        check_refused(bench.run({"forget", std::string("--keep-daily=") + number}), 2, number);
    }
    CHECK(names(bench).size() == 2);
    for (const char* const number : {"-1", "unlimited"}) {
        CHECK(bench.run({"forget", std::string("--keep-last=") + number}).out ==
              "nothing to forget of 2 snapshots\n");
    }
}

TEST_CASE("forget --tag leaves the snapshots of other tags") {
    const Workbench bench;
    ingest_days(bench, {"2025-01-30", "2025-01-31"});
    for (const char* const day : {"2025-01-01", "2025-01-02"}) {
        REQUIRE(bench.run({"ingest", "zlib.md", "--tag", "v1", "--taken-at", day}).status == 0);
    }
    CHECK(bench.run({"forget", "--keep-last", "1", "--tag", "v1"}).out ==
          "forgot 1 of 2 snapshots\n");
    CHECK(names(bench) == Words{"v1@2025-01-02T00:00:00Z", "develop@2025-01-30T00:00:00Z",
                                "develop@2025-01-31T00:00:00Z"});
}

TEST_CASE("forget of an empty ledger has nothing to forget") {
    const Workbench bench;
    ingest_days(bench, {"2025-01-30"});
    REQUIRE(bench.run({"forget", "latest"}).status == 0);
    CHECK(bench.run({"forget", "--keep-last", "1"}).out == "nothing to forget of 0 snapshots\n");
    const Workbench none;
    CHECK(none.run({"forget", "--keep-last", "1"}).status == 4);
    CHECK(none.run({"forget", "--keep-last", "1", "--dry-run"}).status == 4);
    CHECK_FALSE(none.has("cacheledger.db"));
}

TEST_CASE("A history does not bring back what a rule removed, and brings back what was named") {
    const Workbench bench;
    constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z
    git_fixture::Repository repository(bench.file("repository"));
    const auto commit = [&](int day) {
        const auto letter = static_cast<char>('a' + day);
        const std::string dated = "develop-2025-03-0" + std::to_string(day + 1);
        const auto page = [&](const std::string& tag) {
            return program::page("zlib", details({entry(letter)}), tag);
        };
        repository.write("_cache/develop/zlib/specs.md", page("develop"));
        repository.write("_cache/" + dated + "/zlib/specs.md", page(dated));
        repository.commit(first_time + day * 86400);
    };
    const Words load{"ingest", "--history", "repository"};
    for (int day = 0; day < 4; ++day) {
        commit(day);
    }
    REQUIRE(bench.run(load).status == 0);
    REQUIRE(bench.snapshots() == 8);
    REQUIRE(bench.run({"forget", "--keep-last", "1"}).out == "forgot 6 of 8 snapshots\n");
    CHECK(bench.run({"check"}).out == "ok\n");
    REQUIRE(bench.run(load).status == 0);
    CHECK(bench.snapshots() == 2);
    commit(4);
    REQUIRE(bench.run(load).status == 0);
    CHECK(bench.snapshots() == 4);
    REQUIRE(bench.run({"forget", "develop-2025-03-05"}).status == 0);
    REQUIRE(bench.run(load).status == 0);
    CHECK(bench.query("SELECT count(*) FROM snapshots WHERE name = 'develop-2025-03-05'") ==
          Words{"1"});
    CHECK(bench.run({"check"}).out == "ok\n");
}

TEST_CASE("A snapshot that is removed by its name does not bring back what a rule removed") {
    const Workbench bench;
    constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z
    git_fixture::Repository repository(bench.file("repository"));
    for (int day = 0; day < 5; ++day) {
        const std::string details = program::details({entry(static_cast<char>('a' + day))});
        repository.write("_cache/develop/zlib/specs.md", page("zlib", details, "develop"));
        repository.commit(first_time + day * 86400);
    }
    const Words load{"ingest", "--history", "repository"};
    REQUIRE(bench.run(load).status == 0);
    REQUIRE(bench.run({"forget", "--keep-last", "2"}).status == 0);
    const Words kept = names(bench);
    for (const std::string& name : kept) {
        INFO(name);
        REQUIRE(bench.run({"forget", name}).status == 0);
        CHECK(bench.run({"check"}).out == "ok\n");
        REQUIRE(bench.run(load).status == 0);
        CHECK(names(bench) == kept);
    }
}

TEST_CASE("compact gives the bytes of what was removed back to the disk") {
    const Filled<Workbench, prepare> bench;
    const Words content = bench.content();
    const Words states = states_and_ids(bench);
    const std::uintmax_t before = bytes(bench);
    const Run run = done(bench.run({"compact"}));
    CHECK(run.err.empty());
    CHECK(contains(run.out, "compacted cacheledger.db: "));
    CHECK(bytes(bench) * 2 < before);
    CHECK(bench.read("cacheledger.db-wal").empty());
    CHECK(bench.content() == content);
    CHECK(states_and_ids(bench) == states);
    CHECK(bench.run({"check"}).out == "ok\n");
    const std::uintmax_t small = bytes(bench);
    CHECK(bench.run({"compact"}).status == 0);
    CHECK(bytes(bench) == small);
}

TEST_CASE("The program depends on no row number that compact may change") {
    const Filled<Workbench, prepare> bench;
    // VACUUM keeps the numbers of rows that a column names, and there are none WITHOUT ROWID.
    CHECK(bench.query("SELECT t.name FROM pragma_table_list t WHERE t.schema = 'main' "
                      "AND t.type = 'table' AND t.wr = 0 AND t.name NOT LIKE 'sqlite%' "
                      "AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) c "
                      "WHERE c.pk = 1 AND c.type = 'INTEGER')") == Words{});
}

TEST_CASE("compact of a ledger that somebody reads or writes changes nothing, and says who does") {
    const Filled<Workbench, prepare> bench;
    const std::uintmax_t before = bytes(bench);
    for (const char* const begin : {"BEGIN; SELECT count(*) FROM spec", "BEGIN IMMEDIATE"}) {
        Stranger stranger(bench);
        stranger.run(begin);
        const Run run = done(bench.run({"compact"}), 4);
        REQUIRE(run.errors().size() == 1);
        check_has(run.err, {"cacheledger.db: in use by ", "process " + std::to_string(getpid())});
        CHECK(bytes(bench) == before);
        CHECK(bench.run({"check"}).out == "ok\n");
    }
    {
        Stranger idle(bench);
        idle.run("SELECT count(*) FROM spec");
        CHECK(bench.run({"compact"}).status == 0);
    }
    CHECK(bytes(bench) < before);
}

TEST_CASE("Who begins to read while the ledger is compacted is not held up") {
    const Filled<Workbench, prepare> bench;
    const Words content = bench.content();
    const auto compacting = bench.start_until_write({"compact"}, 30);
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Stranger> reader(std::in_place, bench);
    reader->run("BEGIN; SELECT count(*) FROM spec");
    CHECK(bench.content() == content);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
    compacting->signal(SIGCONT);
    const Run run = done(compacting->wait(), 4);
    CHECK(run.errors().size() == 1);
    check_has(run.err, {"compacted, but ", "process " + std::to_string(getpid())});
    const std::uintmax_t before = bytes(bench);
    reader.reset();
    CHECK(bench.content() == content);
    REQUIRE(bench.run({"ingest", "small", "--taken-at", "2025-01-03"}).status == 0);
    CHECK(bytes(bench) * 2 < before);
    CHECK(bench.read("cacheledger.db-wal").empty());
    CHECK(bench.run({"check"}).out == "ok\n");
}

TEST_CASE("compact of no ledger is an error") {
    const Workbench bench;
    CHECK(bench.run({"compact"}).status == 4);
    bench.write("cacheledger.db", "");
    check_run(bench.run({"compact"}), {.status = 4, .err = {"empty"}});
    bench.write("cacheledger.db", "no database");
    CHECK(bench.run({"compact"}).status == 4);
    CHECK(bench.run({"compact", "word"}).status == 2);
}

TEST_CASE("compact of a ledger without snapshots works") {
    const Filled<Workbench, prepare> bench;
    REQUIRE(bench.run({"forget", "latest"}).status == 0);
    CHECK(bench.run({"compact"}).status == 0);
    CHECK(bench.run({"check"}).out == "ok\n");
}

}  // namespace forget_command_test
