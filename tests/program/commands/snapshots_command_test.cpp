#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace snapshots_command_test {

using nlohmann::json;
using namespace program;

namespace {

const std::string lock = std::string(paths::data) + "/mirrors/spack.lock";

void change(const Workbench& bench, const std::string& sql) {
    sqlite3* database = nullptr;
    const bool done = sqlite3_open(bench.file("cacheledger.db").c_str(), &database) == SQLITE_OK &&
                      sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    sqlite3_close(database);
    if (!done) {
        throw std::runtime_error(sql);
    }
}

/// As if all runs so far had been this long ago.
void age(const Workbench& bench, int days) {
    change(bench,
           "UPDATE series SET checked_at = unixepoch() - " + std::to_string(days) + " * 86400");
}

void ingest(const Workbench& bench, const std::string& tag, const std::string& moment,
            char letter = 'a', const Words& more = {}) {
    bench.write(tag + "/zlib.md", page("zlib", details({entry(letter)}), tag));
    Words words = {"ingest", tag, "--taken-at", moment};
    words.insert(words.end(), more.begin(), more.end());
    const Run run = done(bench.run(words));
}

Words names(const Workbench& bench, const Words& options) {
    Words words = {"snapshots", "--format", "json"};
    words.insert(words.end(), options.begin(), options.end());
    const Run run = done(bench.run(words));
    Words found;
    for (const json& row : json::parse(run.out)) {
        found.push_back(row["name"]);
    }
    return found;
}

/// The day that was so many days ago: 2025-03-30.
std::string day(int ago) {
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const std::chrono::year_month_day date(today - std::chrono::days(ago));
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string states(const Workbench& bench) {
    return bench.query("SELECT count(*) FROM ledger_state").at(0);
}

}  // namespace

TEST_CASE("Snapshots are chosen by series, by time and by number") {
    const Workbench bench;
    ingest(bench, "develop", "2025-01-01");
    ingest(bench, "develop", "2025-03-01", 'b');
    ingest(bench, "release", "2025-02-01");
    const std::string january = "develop@2025-01-01T00:00:00Z";
    const std::string march = "develop@2025-03-01T00:00:00Z";
    const std::string february = "release@2025-02-01T00:00:00Z";
    CHECK(names(bench, {}) == Words{january, march, february});
    CHECK(names(bench, {"--series", "develop"}) == Words{january, march});
    CHECK(names(bench, {"--series", "r*"}) == Words{february});
    CHECK(names(bench, {"--since", "2025-02-01"}) == Words{march, february});
    CHECK(names(bench, {"--since", "yesterday"}).empty());
    CHECK(names(bench, {"--limit", "2"}) == Words{march, february});
    CHECK(names(bench, {"--limit", "1", "--series", "develop"}) == Words{march});
    CHECK(names(bench, {"--limit", "0"}).size() == 3);
    CHECK(contains(bench.run({"snapshots", "--limit", "2"}).out, "2 of 3 rows"));
    check_run(bench.run({"snapshots", "--series", "develo"}),
              {.status = 2, .err = {"did you mean 'develop'?"}});
    check_run(bench.run({"snapshots", "--since", "recently"}),
              {.status = 2, .err = {"--since 'recently': expected a time"}});
}

TEST_CASE("A series that no run checked for too long is named, with exit code 1") {
    const Workbench bench;
    ingest(bench, "develop", "2025-01-01");
    ingest(bench, "release", "2025-01-01");
    CHECK(bench.run({"snapshots", "--max-age", "1h"}).status == 0);
    age(bench, 3);
    ingest(bench, "release", "2025-01-01");  // the same again
    const Run old = done(bench.run({"snapshots", "--max-age", "2d"}), 1);
    CHECK(contains(old.err, "--max-age: too old: ingest last checked the series develop at "));
    CHECK(!contains(old.err, "release"));
    CHECK(bench.run({"snapshots", "--max-age", "4 days"}).status == 0);
    CHECK(bench.run({"snapshots", "--max-age", "2d", "--series", "release"}).status == 0);
    CHECK(bench.run({"snapshots", "--max-age", "often"}).status == 2);
}

TEST_CASE("Snapshots that should be there and are missing or late are named, with exit code 1") {
    const Workbench bench;
    const std::string old = "develop-" + day(9);
    const std::string newest = "develop-" + day(3);
    ingest(bench, old, day(9));
    ingest(bench, newest, day(3), 'b');
    ingest(bench, "v1.0", "2025-01-01");
    const auto expect = [&](const Words& options) {
        Words words = {"snapshots"};
        for (const std::string& option : options) {
            words.insert(words.end(), {"--expect", option});
        }
        return bench.run(words);
    };
    for (const Words& met : {Words{"develop-*=5d", "v*"},
                             {"develop-*"},
                             {"dev*=1 week"},
                             {newest + "=5d"},
                             {old},
                             {"v1.0"},
                             {"v1.0@2025-01-01T00:00:00Z"},
                             {"*=5d"}}) {
        check_run(expect(met), {.all_err = ""});
    }
    check_run(
        expect({"develop-*=2d", "v*", "v2*=100w", "v1.0=1d", "develop"}),
        {.status = 1,
         .all_err = "cacheledger: note: --expect 'develop-*=2d': late: the newest one, " + newest +
                    ", was taken at " + day(3) +
                    "T00:00:00Z\n"
                    "cacheledger: note: --expect 'v2*=100w': missing: there is no such snapshot\n"
                    "cacheledger: note: --expect 'v1.0=1d': late: the newest one, "
                    "v1.0@2025-01-01T00:00:00Z, was taken at 2025-01-01T00:00:00Z\n"
                    "cacheledger: note: --expect 'develop': missing: there is no such snapshot\n"});
    CHECK(expect({old + "=5d"}).status == 1);
    const Run both = bench.run({"snapshots", "--expect", "v*", "--max-age", "2d"});
    CHECK(both.status == 0);
    age(bench, 3);
    CHECK(bench.run({"snapshots", "--expect", "v*", "--max-age", "2d"}).status == 1);
    CHECK(bench.run({"snapshots", "--expect", "v*", "--series", "develop-*"}).status == 1);
}

TEST_CASE("A snapshot that is dated in the future has no age") {
    const Workbench bench;
    ingest(bench, "develop", day(-20));
    const auto expect = [&](const std::string& what) {
        return bench.run({"snapshots", "--expect", what, "--format", "json"});
    };
    const Run future = done(expect("develop=4d"), 1);
    CHECK(future.err == "cacheledger: note: --expect 'develop=4d': the newest one, develop@" +
                            day(-20) + "T00:00:00Z, is dated in the future: " + day(-20) +
                            "T00:00:00Z\n");
    CHECK(json::parse(future.out)[0]["state"] == "future");
    CHECK(expect("develop").status == 0);
    ingest(bench, "develop", day(9), 'b');
    CHECK(json::parse(expect("develop=4d").out)[0]["state"] == "future");
    const Run met = expect("develop=10d");  // as there is another one
    CHECK(met.status == 0);
    CHECK(json::parse(met.out)[0]["newest"] == "develop@" + day(9) + "T00:00:00Z");
    ingest(bench, "tomorrow", day(0).substr(0, 10) + "T23:59:59Z", 'c');
    CHECK(expect("tomorrow=4d").status == 0);
}

TEST_CASE("What should be there is a row each, in JSON, too") {
    const Workbench bench;
    ingest(bench, "v1.0", "2025-01-01");
    ingest(bench, "v1.1", "2025-02-01", 'b');
    const Run run = done(bench.run({"snapshots", "--expect", "v*=2d", "--expect", "v1.0",
                                    "--expect", "develop", "--format", "json"}),
                         1);
    CHECK(json::parse(run.out) == json::parse(R"([
        {"expected": "v*", "max_age": "2d", "state": "late",
         "newest": "v1.1@2025-02-01T00:00:00Z", "series": "v1.1",
         "taken_at": "2025-02-01T00:00:00Z"},
        {"expected": "v1.0", "max_age": null, "state": "there",
         "newest": "v1.0@2025-01-01T00:00:00Z", "series": "v1.0",
         "taken_at": "2025-01-01T00:00:00Z"},
        {"expected": "develop", "max_age": null, "state": "missing",
         "newest": null, "series": null, "taken_at": null}])"));
    for (const Words& wrong : {Words{"v*=often"}, {"v*="}, {"=2d"}, {""}}) {
        check_run(bench.run({"snapshots", "--expect", wrong[0]}),
                  {.status = 2, .err = {"--expect '" + wrong[0] + "': expected "}});
    }
    CHECK(bench.run({"snapshots", "--expect", "v*", "--limit", "1"}).status == 2);
    CHECK(bench.run({"snapshots", "--expect", "v*", "--since", "2025-01-01"}).status == 2);
}

TEST_CASE("A run that changes nothing records that it was, and makes no new state") {
    const Workbench bench;
    ingest(bench, "develop", "2025-01-01");
    const std::string before = states(bench);
    const auto checked = [&] {
        return bench.query("SELECT checked_at > strftime('%Y', 'now') FROM snapshots").at(0);
    };
    const auto check_recorded = [&](const Words& command) {
        change(bench, "UPDATE series SET checked_at = 0");
        REQUIRE(checked() == "0");
        check_run(bench.run(command), {.out = {"(1 unchanged)"}});
        CHECK(checked() == "1");
        CHECK(states(bench) == before);
        CHECK(bench.snapshots() == 1);
    };
    check_recorded({"ingest", "develop", "--taken-at", "2025-01-01"});
    check_recorded({"ingest", "develop", "--taken-at", "2025-01-02", "--if-changed"});
    CHECK(bench.run({"check"}).out == "ok\n");
}

TEST_CASE("A file that can't be read is no check") {
    const Workbench bench;
    ingest(bench, "develop", "2025-01-01");
    age(bench, 3);
    bench.write("develop/zlib.md", "---\ntitle: zlib\n");
    CHECK(bench.run({"ingest", "develop"}).status == 3);
    CHECK(bench.run({"snapshots", "--max-age", "2d"}).status == 1);
}

TEST_CASE("A ledger of lock files alone answers for the newest of them, and says so") {
    const Workbench bench;
    const auto load = [&](const std::string& tag, const std::string& moment) {
        REQUIRE(bench.run({"ingest", lock, "--tag", tag, "--taken-at", moment}).status == 0);
    };
    load("env", "2025-01-01");
    load("env", "2025-01-02");
    const std::string note =
        "cacheledger: note: latest is env@2025-01-02T00:00:00Z, of the series env: the ledger has "
        "no pages and no index of a cache\n";
    for (const Words& command : {Words{"specs"},
                                 {"specs", "--at", "latest"},
                                 {"report", "coverage/summary"},
                                 {"diff"},
                                 {"why"},
                                 {"history", "zlib-ng"},
                                 {"dependents", "zlib-ng"},
                                 {"report", "drift/summary"}}) {
        check_run(bench.run(command),
                  {.out = {command[0] == "history" ? "env" : "env@2025-01-02T00:00:00Z"},
                   .all_err = note});
    }
    CHECK(bench.query("SELECT DISTINCT snapshot FROM latest_specs") ==
          Words{"env@2025-01-02T00:00:00Z"});
    check_run(bench.run({"prune", "--keep", "newest 1"}),
              {.status = 2, .err = {"is no snapshot of a cache"}});

    ingest(bench, "develop", "2024-01-01");
    const Run specs = bench.run({"specs"});
    CHECK(specs.err.empty());
    CHECK(contains(specs.out, "develop@2024-01-01T00:00:00Z"));
}

TEST_CASE("A note says if two names mean one snapshot, or if the snapshot of a moment is old") {
    const Workbench bench;
    ingest(bench, "develop", "2025-01-01");
    ingest(bench, "develop", "2025-02-01", 'b');
    const Run same = bench.run({"diff", "develop", "latest"});
    INFO(same);
    CHECK(same.err ==
          "cacheledger: note: both names mean one snapshot, develop@2025-02-01T00:00:00Z\n");
    const Run old = bench.run({"diff", "develop~1", "develop@{1 week ago}"});
    INFO(old);
    check_has(old.err, {"note: develop@{1 week ago} is develop@2025-02-01T00:00:00Z, which is ",
                        " days older than that moment; ingest last checked its series at "});
    CHECK(bench.run({"diff", "develop@{2025-01-20}", "develop"}).err.empty());
    CHECK(contains(bench.run({"specs", "--at", "develop@{2025-03-05}"}).err,
                   "which is 32 days older than that moment"));
}

}  // namespace snapshots_command_test
