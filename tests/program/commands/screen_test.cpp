#include "tests/support/program/screen.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace screen_test {

using program::contains;
using program::lines_of;
using program::Run;
using program::run_on_screen;
using program::Words;
using program::Workbench;

TEST_CASE("Names of snapshots can be typed from a screen of 60, 80 and 200 columns") {
    const Workbench bench;
    bench.ingest_samples();
    for (const int width : {60, 80, 200}) {
        const Run run = run_on_screen(bench, {"snapshots"}, width);
        INFO(run);
        CHECK(contains(run.out, "develop@2025-02-10T00:00:00Z"));
        CHECK(contains(run.out, "develop@2025-03-10T00:00:00Z"));
        for (const std::string& line : lines_of(run.out)) {
            CHECK(line.size() <= static_cast<std::size_t>(width));
        }
    }
}

TEST_CASE("Reports fit screens of 60, 80 and 200 columns") {
    const Workbench bench;
    bench.ingest_samples();
    const Words reports = {"coverage/matrix",   "coverage/redundancy", "coverage/summary",
                           "coverage/versions", "drift/rebuilt",       "drift/specs",
                           "history/growth",    "sizes/drift"};
    for (const std::string& report : reports) {
        for (const int width : {60, 80, 200}) {
            const Run run = run_on_screen(bench, {"report", report}, width);
            INFO(report << "\n" << run);
            CHECK(run.status == 0);
            for (const std::string& line : lines_of(run.out)) {
                const auto dots = [](const std::string& text) {  // "·" is two bytes, one column
                    std::size_t count = 0;
                    for (auto at = text.find("·"); at != std::string::npos;
                         at = text.find("·", at + 1)) {
                        ++count;
                    }
                    return count;
                };
                CHECK(line.size() - dots(line) <= static_cast<std::size_t>(width));
            }
        }
    }
}

TEST_CASE("A build takes at most two lines of a screen of 80 columns") {
    const Workbench bench;
    bench.ingest_samples();
    const Words command = {"specs", "py-safetensors", "--limit", "100"};
    const auto lines_on = [&](int width) {
        return lines_of(run_on_screen(bench, command, width).out).size();
    };
    CHECK(lines_on(80) <= 220);
    CHECK(lines_on(200) <= 120);
}

TEST_CASE("A command that takes long says so on a screen, and removes the line") {
    const Workbench bench;
    bench.ingest_samples();
    const Words endless = {"sql",
                           "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                           "SELECT count(*) FROM n",
                           "--timeout", "2.4"};
    const Run run = run_on_screen(bench, endless, 80);
    INFO(run);
    CHECK(contains(run.out, "asking the ledger: 2 s"));
    CHECK(contains(run.out, "\x1b[Kcacheledger: "));
}

TEST_CASE("A report of sizes says why no size is known") {
    const Workbench bench;
    bench.ingest_samples();
    for (const std::string report : {"packages", "stacks", "drift", "rebuilt"}) {
        const Run run = bench.run({"report", "sizes/" + report});
        INFO(run);
        CHECK(contains(run.out, "\nNo size is known: only a mirror of layout 3"));
        CHECK(run.err.empty());
        CHECK(bench.run({"report", "sizes/" + report, "--format", "csv"}).err.empty());
    }
}

TEST_CASE("Every report takes a limit of rows, and says of how many") {
    const Workbench bench;
    bench.ingest_samples();
    const Run table = bench.run({"report", "drift/specs", "--limit", "2"});
    CHECK(table.out.ends_with("\n2 of 390 rows\n"));
    CHECK(table.err.empty());
    const Run csv = bench.run({"report", "drift/specs", "--limit", "2", "--format", "csv"});
    CHECK(lines_of(csv.out).size() == 3);
    CHECK(csv.errors() == Words{"cacheledger: note: 2 of 390 rows (--limit)"});
    for (const std::string all : {"0", "390"}) {
        const Run whole = bench.run({"report", "drift/specs", "--limit", all});
        CHECK(whole.out == bench.run({"report", "drift/specs"}).out);
    }
    CHECK(bench.run({"report", "drift/specs", "--limit", "-1"}).status == 2);
    // A report's own parameter of this name stays what it is.
    bench.write("mine/n.sql",
                "-- title: N\n-- param: limit integer = 3   most\n"
                "SELECT name FROM snapshots WHERE :limit = 3\n");
    CHECK(lines_of(bench.run({"report", "n", "--reports", "mine", "--format", "csv"}).out).size() ==
          3);
}

}  // namespace screen_test
