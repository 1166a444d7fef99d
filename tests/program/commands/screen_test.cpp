#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/screen.hpp"

namespace screen_test {

using namespace program;

namespace {

// A pager that shows that it had the text.
const std::string marking = "sed 's/^/> /'";

/// What stands after the line of progress, which a slow machine shows.
std::string answer_of(const Run& run) {
    const std::size_t removed = run.out.rfind("\x1b[K");
    return removed == std::string::npos ? run.out : run.out.substr(removed + 3);
}

}  // namespace

TEST_CASE("Names of snapshots can be typed from a screen of 60, 80 and 200 columns") {
    const SampleBench bench;
    for (const int width : {60, 80, 200}) {
        const Run run = run_on_screen(bench, {"snapshots"}, width);
        INFO(run);
        check_has(run.out, {"develop@2025-02-10T00:00:00Z", "develop@2025-03-10T00:00:00Z"});
        for (const std::string& line : lines_of(run.out)) {
            CHECK(line.size() <= static_cast<std::size_t>(width));
        }
    }
}

TEST_CASE("Reports fit screens of 60, 80 and 200 columns") {
    const SampleBench bench;
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
    const SampleBench bench;
    const Words command = {"specs", "py-safetensors", "--limit", "100"};
    const auto lines_on = [&](int width) {
        return lines_of(run_on_screen(bench, command, width).out).size();
    };
    CHECK(lines_on(80) <= 220);
    CHECK(lines_on(200) <= 120);
}

TEST_CASE("A command that takes long says so on a screen, and removes the line") {
    const SampleBench bench;
    const Words endless = {"sql",
                           "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
                           "SELECT count(*) FROM n",
                           "--timeout", "2.4"};
    const Run run = run_on_screen(bench, endless, 80);
    INFO(run);
    check_has(run.out, {"asking the ledger: 2 s", "\x1b[Kcacheledger: "});
}

TEST_CASE("A report of sizes says why no size is known") {
    const SampleBench bench;
    for (const std::string report : {"packages", "stacks", "drift", "rebuilt"}) {
        const Run run = bench.run({"report", "sizes/" + report});
        INFO(run);
        CHECK(contains(run.out, "\nNo size is known: only a mirror of layout 3"));
        CHECK(run.err.empty());
        CHECK(bench.run({"report", "sizes/" + report, "--format", "csv"}).err.empty());
    }
}

TEST_CASE("Every report takes a limit of rows, and says of how many") {
    const SampleBench bench;
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

TEST_CASE("On a terminal rows go through the user's pager, by git's rules") {
    const SampleBench bench;
    const auto shown = [&](const std::map<std::string, std::string>& environment) {
        const Run run = done(run_on_screen(bench, {"snapshots"}, 120, environment));
        CHECK(contains(run.out, "develop@2025-03-10T00:00:00Z"));
        return run.out;
    };
    CHECK(contains(shown({{"PAGER", marking}}), "> name"));
    CHECK(contains(shown({{"CACHELEDGER_PAGER", marking}, {"PAGER", "cat"}}), "> name"));
    CHECK_FALSE(contains(shown({{"CACHELEDGER_PAGER", ""}, {"PAGER", marking}}), ">"));
    CHECK_FALSE(contains(shown({{"CACHELEDGER_PAGER", "cat"}, {"PAGER", marking}}), ">"));
    CHECK_FALSE(contains(shown({{"PAGER", "no-such-pager -x"}}), "not found"));
    CHECK(contains(shown({{"PAGER", "cat; echo $LESS"}}), "\nFRX\n"));
    CHECK(contains(shown({{"PAGER", "cat; echo $LESS"}, {"LESS", "S"}}), "\nS\n"));
}

TEST_CASE("A pipe, --output and --no-pager go without a pager") {
    const SampleBench bench;
    const std::map<std::string, std::string> pager = {{"PAGER", marking}};
    CHECK_FALSE(contains(run_on_screen(bench, {"--no-pager", "snapshots"}, 120, pager).out, ">"));
    CHECK_FALSE(contains(
        run_on_screen(bench, {"--db", "cacheledger.db", "--no-pager", "snapshots"}, 120, pager).out,
        ">"));
    CHECK_FALSE(contains(bench.run({"snapshots"}, "", pager).out, ">"));
    CHECK(run_on_screen(bench, {"snapshots", "--output", "x.txt"}, 120, pager).out.empty());
    CHECK_FALSE(contains(bench.read("x.txt"), ">"));
    CHECK(bench.run({"snapshots", "--no-pager"}).status == 2);  // it stands before the command
}

TEST_CASE("A pager changes neither colours nor the exit code") {
    const SampleBench bench;
    const Words diff = {"diff", "develop~1", "develop", "--exit-code"};
    check_run(run_on_screen(bench, diff, 120, {{"PAGER", marking}}),
              {.status = 1, .out = {"> \x1b[1m"}});
    const Run plain = run_on_screen(bench, diff, 120, {{"PAGER", marking}, {"NO_COLOR", "1"}});
    CHECK(plain.status == 1);
    CHECK_FALSE(contains(answer_of(plain), "\x1b["));
}

TEST_CASE("A pager that is left early ends the output quietly") {
    const SampleBench bench;
    const Words many = {"sql", "SELECT a.* FROM specs a, specs b LIMIT 20000", "--format", "csv"};
    for (const std::string pager : {"head -n 1", "true", "kill -INT $$"}) {
        const Run run = run_on_screen(bench, many, 120, {{"PAGER", pager}});
        INFO(pager << "\n" << run);
        CHECK(run.status == 0);
        CHECK(lines_of(answer_of(run)).size() == (pager == "head -n 1" ? 1 : 0));
    }
    const Run interrupted = done(run_on_screen(
        bench, many, 120,
        {{"PAGER", "kill -INT $PPID; sed -n 1p; cat >/dev/null"}}));  // Ctrl-C is for the pager
    CHECK(lines_of(answer_of(interrupted)).size() == 1);
}

}  // namespace screen_test
