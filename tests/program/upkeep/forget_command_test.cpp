#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace forget_command_test {

using program::contains;
using program::Run;
using program::Words;
using program::Workbench;

namespace {

/// A snapshot for each of these days.
void ingest_days(const Workbench& bench, const Words& days) {
    bench.write("zlib.md", program::page("zlib", program::details({program::entry()})));
    for (const std::string& day : days) {
        REQUIRE(bench.run({"ingest", "zlib.md", "--taken-at", day}).status == 0);
    }
}

Words names(const Workbench& bench) {
    return bench.query("SELECT name FROM snapshots ORDER BY taken_at");
}

void check_refused(const Run& run, const std::string& why) {
    INFO(run);
    CHECK(run.status == 2);
    CHECK(run.out.empty());
    REQUIRE(run.errors().size() == 1);
    CHECK(contains(run.err, why));
}

}  // namespace

TEST_CASE("forget removes what no rule keeps") {
    const Workbench bench;
    ingest_days(bench, {"2025-01-30", "2025-01-31", "2025-02-01", "2025-02-01T12:00:00"});
    const Run run = bench.run({"forget", "--keep-last", "1", "--keep-monthly", "2"});
    INFO(run);
    CHECK(run.status == 0);
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
    const Run run = bench.run(
        {"forget", "--keep-daily", "1", "--keep-monthly=3", "--dry-run", "--format", "csv"});
    INFO(run);
    CHECK(run.status == 0);
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
    CHECK(contains(one.out, "develop@2025-01-31T00:00:00Z"));
    CHECK(contains(one.out, "\"forget\""));
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
    check_refused(bench.run({"forget", "--keep-last", "0"}), "keep nothing");
    check_refused(bench.run({"forget", "--keep-last", "0", "--keep-daily", "0"}), "keep nothing");
    check_refused(bench.run({"forget", "--dry-run"}), "expected a snapshot, or --keep options");
    check_refused(bench.run({"forget", "develop", "--keep-last", "1"}), "not both");
    check_refused(bench.run({"forget", "develop", "--tag", "develop"}), "--tag");
    check_refused(bench.run({"forget", "--keep-last", "1", "--tag", "v1"}), "'v1'");
    for (const char* const number : {"-2", "1.5", "", "all", "99999999999"}) {
        check_refused(bench.run({"forget", std::string("--keep-daily=") + number}), number);
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
            return program::page("zlib", program::details({program::entry(letter)}), tag);
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
        const std::string details =
            program::details({program::entry(static_cast<char>('a' + day))});
        repository.write("_cache/develop/zlib/specs.md", program::page("zlib", details, "develop"));
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

}  // namespace forget_command_test
