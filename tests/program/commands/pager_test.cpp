#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program/screen.hpp"

namespace pager_test {

using program::contains;
using program::Run;
using program::run_on_screen;
using program::Workbench;

namespace {

// A pager that shows that it had the text.
const std::string marking = "sed 's/^/> /'";

/// What stands after the line of progress, which a slow machine shows.
std::string answer_of(const Run& run) {
    const std::size_t removed = run.out.rfind("\x1b[K");
    return removed == std::string::npos ? run.out : run.out.substr(removed + 3);
}

}  // namespace

TEST_CASE("On a terminal rows go through the user's pager, by git's rules") {
    const Workbench bench;
    bench.ingest_samples();
    const auto shown = [&](const std::map<std::string, std::string>& environment) {
        const Run run = run_on_screen(bench, {"snapshots"}, 120, environment);
        INFO(run);
        CHECK(run.status == 0);
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
    const Workbench bench;
    bench.ingest_samples();
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
    const Workbench bench;
    bench.ingest_samples();
    const program::Words diff = {"diff", "develop~1", "develop", "--exit-code"};
    const Run colored = run_on_screen(bench, diff, 120, {{"PAGER", marking}});
    CHECK(colored.status == 1);
    CHECK(contains(colored.out, "> \x1b[1m"));
    const Run plain = run_on_screen(bench, diff, 120, {{"PAGER", marking}, {"NO_COLOR", "1"}});
    CHECK(plain.status == 1);
    CHECK_FALSE(contains(answer_of(plain), "\x1b["));
}

TEST_CASE("A pager that is left early ends the output quietly") {
    const Workbench bench;
    bench.ingest_samples();
    const program::Words many = {"sql", "SELECT a.* FROM specs a, specs b LIMIT 20000", "--format",
                                 "csv"};
    for (const std::string pager : {"head -n 1", "true", "kill -INT $$"}) {
        const Run run = run_on_screen(bench, many, 120, {{"PAGER", pager}});
        INFO(pager << "\n" << run);
        CHECK(run.status == 0);
        CHECK(program::lines_of(answer_of(run)).size() == (pager == "head -n 1" ? 1 : 0));
    }
    const Run interrupted =
        run_on_screen(bench, many, 120, {{"PAGER", "kill -INT $PPID; sed -n 1p; cat >/dev/null"}});
    INFO(interrupted);
    CHECK(interrupted.status == 0);  // Ctrl-C is for the pager
    CHECK(program::lines_of(answer_of(interrupted)).size() == 1);
}

}  // namespace pager_test
