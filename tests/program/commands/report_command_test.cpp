
#include <filesystem>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/program/screen.hpp"
#include "tests/support/program/two_snapshots.hpp"

namespace report_command_test {

using namespace program;

namespace fs = std::filesystem;

TEST_CASE("report: the list needs no database") {
    const Workbench bench;
    const Run list = bench.run({"report", "--all", "--format", "csv"});
    check_done(list, "coverage/gaps,Gaps between sibling stacks,--at --package --stack --percent");
    for (const auto& file : fs::recursive_directory_iterator(fs::path(paths::source) / "sql")) {
        if (file.path().extension() == ".sql") {
            const auto name = file.path()
                                  .lexically_relative(fs::path(paths::source) / "sql")
                                  .replace_extension()
                                  .generic_string();
            INFO(name);
            CHECK(contains(list.out, "\n" + name + ","));
        }
    }
    CHECK(fs::is_empty(bench.folder()));
}

TEST_CASE("report: the short list leaves out what commands answer better, and forms") {
    const Workbench bench;
    const std::string list = bench.run({"report", "--format", "csv"}).out;
    CHECK(
        contains(list, "\ncoverage/matrix,\"Packages by stack (--by stack, compiler, target)\","));
    for (const std::string name :
         {"drift/summary", "drift/why", "coverage/wanted", "coverage/missing", "audit/dependents",
          "history/series", "coverage/matrix-targets", "coverage/compilers"}) {
        INFO(name);
        CHECK_FALSE(contains(list, "\n" + name + ","));
    }
    const std::string drift = bench.run({"report", "drift", "--format", "csv"}).out;
    CHECK(lines_of(drift).size() == 17);
    CHECK(contains(drift, "\ndrift/why,"));
    CHECK(bench.run({"report"}).err.empty());
    CHECK(contains(run_on_screen(bench, {"report"}, 80).out, "--all lists 36 more"));
    CHECK(contains(bench.run({"help", "drift/why"}).out, "The command why answers this, too."));
}

TEST_CASE("report: --by chooses the form") {
    const Filled<Workbench, ingest_two_states> bench;
    const auto of = [&](Words words) {
        words.insert(words.begin(), "report");
        return done(bench.run(words)).out;
    };
    CHECK(of({"coverage/matrix", "--by", "target"}) == of({"coverage/matrix-targets"}));
    CHECK(of({"coverage/matrix", "--by=compiler", "--stack", "ml"}) ==
          of({"coverage/matrix-compilers", "--stack", "ml"}));
    CHECK(of({"coverage/matrix", "--by", "stack"}) == of({"coverage/matrix"}));
    CHECK(of({"coverage/systems", "--by", "target"}) == of({"coverage/targets"}));
    CHECK(of({"coverage", "systems", "--by", "compiler"}) == of({"coverage/compilers"}));
    check_refused(bench.run({"report", "coverage/matrix", "--by", "os"}), 2,
                  "coverage/matrix has: stack, compiler, target");
    check_refused(bench.run({"report", "coverage/packages", "--by", "os"}), 2, "--by");
}

TEST_CASE("report: parameters as options and as --param") {
    const Filled<Workbench, ingest_two_states> bench;
    const auto csv = [&](Words words) {
        words.insert(words.begin(), "report");
        words.insert(words.end(), {"--format", "csv"});
        Words rows = lines_of(done(bench.run(words)).out);
        rows.erase(rows.begin());
        for (std::string& row : rows) {
            row = row.substr(0, row.find(','));
        }
        return rows;
    };
    const std::string name = "coverage/packages";
    CHECK(csv({name}) == Words{"cmake", "zlib"});
    CHECK(csv({name, "--at", first_snapshot}) == Words{"zlib"});
    CHECK(csv({name, "--param", "at=" + first_snapshot}) == Words{"zlib"});
    CHECK(csv({name, "--package", "c*"}) == Words{"cmake"});
    CHECK(csv({name, "--param", "package=c*"}) == Words{"cmake"});
    CHECK(csv({name, "--stack", "ml"}) == Words{"cmake"});
    CHECK(csv({name, "--stack=ml", "--package=z*"}).empty());
    CHECK(csv({"drift/packages"}) == Words{"package-added"});
    CHECK(csv({"drift/packages", "--from", second_snapshot, "--to", first_snapshot}) ==
          Words{"package-removed"});
    CHECK(csv({"drift/packages", "--from", first_snapshot, "--to", first_snapshot}).empty());
    CHECK(csv({name, "--package", "' OR 1=1 --*"}).empty());
    check_refused(bench, {{"report " + name + " --param nonsense=1", "nonsense"},
                          {"report " + name + " --nonsense 1", "nonsense"},
                          {"report coverage/gaps --percent many", "percent"},
                          {"report coverage/packages --at v9", "v9"},
                          {"report coverage/pakages", "did you mean 'coverage/packages'"},
                          {"report stacks", "did you mean"},
                          {"report something-else-altogether", "no report"}});
}

TEST_CASE("report: every one runs in every format") {
    const Filled<Workbench, ingest_two_states> bench;
    for (const std::string& line :
         lines_of(bench.run({"report", "--all", "--format", "csv"}).out)) {
        const std::string name = line.substr(0, line.find(','));
        for (const std::string format : {"table", "csv", "json", "markdown", "html"}) {
            if (name != "report") {  // the header
                const Run run = bench.run({"report", name, "--format", format});
                INFO(name << " " << format << "\n" << run);
                CHECK(run.status == 0);
                CHECK(run.err.empty());
                CHECK_FALSE(run.out.empty());
            }
        }
    }
}

TEST_CASE("report: the first snapshot of a series has none before it") {
    const Filled<Workbench, ingest_two_states> bench;
    check_refused(bench.run({"report", "drift/summary", "--to", first_snapshot}), 2,
                  "0 before " + first_snapshot);
}

TEST_CASE("report: a folder of one's own") {
    const Filled<Workbench, ingest_two_states> bench;
    bench.write("own/mine/newest.sql",
                "-- title: My own\n-- What I want to know.\n"
                "-- param: at snapshot = latest   the snapshot\n"
                "-- param: least integer = 1      at least so many\n\n"
                "SELECT package, count(*) AS n FROM specs WHERE snapshot = :at\n"
                "GROUP BY package HAVING n >= :least ORDER BY package\n");
    check_done(bench.run({"report", "--reports", "own"}), "mine/newest");
    check_done(bench.run({"report", "--reports", "own"}), "coverage/gaps");
    const Run run = bench.run({"report", "mine/newest", "--reports", "own", "--format", "csv"});
    CHECK(run.out == "package,n\ncmake,1\nzlib,1\n");
    const Run few =
        bench.run({"report", "mine/newest", "--least", "2", "--reports", "own", "--format", "csv"});
    CHECK(few.out == "package,n\n");
    check_run(bench.run({"report", "mine/newest", "--reports", "own", "--help"}),
              {.out = {"usage: cacheledger report mine/newest", "My own", "What I want to know.",
                       "--least"},
               .all_err = ""});
    check_refused(bench.run({"report", "mine/newest"}), 2, "mine/newest");
    check_refused(bench.run({"report", "--reports", "no-such-folder"}), 2, "no-such-folder");

    bench.write("bad/broken.sql", "-- title: Broken\n-- Says nothing.\n\nSELECT nonsense\n");
    const Run broken = bench.run({"report", "broken", "--reports", "bad"});
    check_refused(broken, 2, "bad/broken.sql:4:8: no such column: nonsense");
    bench.write("bad/broken.sql", "-- title: Broken\n-- Says nothing.\n\nDELETE FROM snapshot\n");
    check_refused(bench.run({"report", "broken", "--reports", "bad"}), 2, "only reading");
    bench.write("bad/broken.sql", "SELECT 1\n");
    check_refused(bench.run({"report", "broken", "--reports", "bad"}), 2, "bad/broken.sql:1: ");
    CHECK(bench.snapshots() == 2);
}

}  // namespace report_command_test
