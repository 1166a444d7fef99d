#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/program/screen.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace packages_command_test {

using program::contains;
using program::Words;

namespace {

constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z
const std::string recipes = "repos/spack_repo/builtin/packages/";

/// A folder to run in, with a package repository called `packages`.
struct Bench {
    program::Workbench bench;
    mutable git_fixture::Repository repository{bench.file("packages")};

    Bench() {
        repository.write(recipes + "zlib/package.py", "version('1.3')");
        repository.write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib, cmake]\n");
        repository.commit(first_time, {}, "zlib: new package");
    }
};

/// What the run printed, without its time.
std::string without_time(const std::string& out) {
    return out.substr(0, out.rfind(", "));
}

}  // namespace

TEST_CASE("ingest reads a package repository, and later what is new") {
    const Bench bench;
    const auto first = bench.bench.run({"ingest", "packages"});
    CHECK(first.status == 0);
    CHECK(first.err.empty());
    CHECK(without_time(first.out) == "1 new commit, 1 recipe changed, 1 stack with 2 wishes");
    const auto again = bench.bench.run({"ingest", "packages"});
    CHECK(again.status == 0);
    CHECK(contains(again.err, "packages is in the ledger up to its last commit"));
    CHECK(without_time(again.out) == "0 new commits, 0 recipes changed, 1 stack with 2 wishes");
    bench.repository.write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib\n");
    bench.repository.commit(first_time + 60);
    const auto broken = bench.bench.run({"ingest", "packages"});
    CHECK(broken.status == 0);
    CHECK(without_time(broken.out) == "1 new commit, 0 recipes changed, 1 stack with 2 wishes");
    CHECK(contains(broken.err, "cacheledger: note: stacks/e4s/spack.yaml:"));
    CHECK(bench.bench.query("SELECT package, subject FROM recipe_commits") ==
          Words{"zlib,zlib: new package"});
    CHECK(bench.bench.query("SELECT stack, spec, valid_from FROM wishes ORDER BY spec") ==
          Words{"e4s,cmake,2025-03-01T00:00:00Z", "e4s,zlib,2025-03-01T00:00:00Z"});
    CHECK(bench.bench.run({"check"}).out == "ok\n");
}

TEST_CASE("A ledger with nothing but a package repository is one") {
    const Bench bench;
    REQUIRE(bench.bench.run({"ingest", "packages"}).status == 0);
    for (const Words& words :
         {Words{"snapshots"}, Words{"check"}, Words{"backup", "copy.db"}, Words{"compact"},
          Words{"sql", "SELECT * FROM wishes"}, Words{"report", "history/series"}}) {
        const auto run = bench.bench.run(words);
        INFO(run);
        CHECK(run.status == 0);
    }
    CHECK(bench.bench.run({"ingest", "nothing"}).status == 3);
    CHECK(bench.bench.has("cacheledger.db"));
}

TEST_CASE("Options of snapshots are refused for a package repository") {
    const Bench bench;
    for (const Words& options :
         {Words{"--tag", "x"}, Words{"--taken-at", "2025-03-01"}, Words{"--partial"},
          Words{"--replace"}, Words{"--if-changed"}, Words{"--ref", "x"}, Words{"--map-url", "a=b"},
          Words{"--keep-going"}}) {
        Words words{"ingest", "packages"};
        words.insert(words.end(), options.begin(), options.end());
        const auto run = bench.bench.run(words);
        INFO(run);
        CHECK(run.status == 2);
        CHECK(contains(run.err,
                       options[0] + " is for snapshots, and a package repository makes none"));
    }
    bench.bench.write("page.md", program::page("zlib", program::details({program::entry()})));
    const auto mixed = bench.bench.run({"ingest", "page.md", "packages"});
    CHECK(mixed.status == 2);
    CHECK(contains(mixed.err, "packages is a package repository, and page.md is not"));
    CHECK_FALSE(bench.bench.has("cacheledger.db"));
}

TEST_CASE("What reads no package repository says what does") {
    const Bench bench;
    CHECK(contains(bench.bench.run({"ingest", "--history", "packages"}).err,
                   "it is a package repository: cacheledger ingest packages"));
    bench.bench.write("list.json", "spack:\n  specs: [zlib]\n");
    CHECK(contains(bench.bench.run({"ingest", "list.json", "--tag", "x"}).err,
                   "'cacheledger coverage FILE' asks for its specs"));
    const git_fixture::Repository empty(bench.bench.file("empty"));
    const auto none = bench.bench.run({"ingest", "empty"});
    CHECK(none.status == 3);
    CHECK(contains(none.err, "empty: a git repository without commits"));
    CHECK_FALSE(contains(none.err, "--history"));
}

TEST_CASE("Reports of package repositories say that there is none, on the screen") {
    const Bench bench;
    bench.bench.ingest_samples();
    for (const char* const report : {"coverage/wishes", "history/wishes", "history/lag"}) {
        const auto screen = program::run_on_screen(bench.bench, {"report", report}, 80);
        INFO(screen);
        CHECK(contains(screen.out + screen.err, "has no package repository"));
        CHECK(bench.bench.run({"report", report}).err.empty());
    }
    REQUIRE(bench.bench.run({"ingest", "packages"}).status == 0);
    const auto known = program::run_on_screen(bench.bench, {"report", "history/lag"}, 80);
    CHECK_FALSE(contains(known.out + known.err, "has no package repository"));
}

TEST_CASE("The report of recipes says which recipes it lacks, and what is not judged") {
    const Bench bench;
    const std::string lock = std::string(paths::data) + "/mirrors/spack.lock";  // 6 of builtin
    REQUIRE(bench.bench.run({"ingest", lock, "--tag", "env", "--taken-at", "2025-03-02"}).status ==
            0);
    const auto notes = [&](const Words& more = {}) {
        Words words = {"report", "audit/recipes", "--at", "env", "--format", "csv"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = bench.bench.run(words);
        CHECK(run.status == 0);
        return run.err;
    };
    CHECK(notes() ==
          "cacheledger: note: 6 builds of the namespace builtin are not judged: the ledger has no "
          "recipes of it\n");
    CHECK(notes({"--package", "zlib-ng"}) ==
          "cacheledger: note: 1 build of the namespace builtin is not judged: the ledger has no "
          "recipes of it\n");
    git_fixture::Repository lists(bench.bench.file("lists"));
    lists.write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib]\n");
    lists.commit(first_time + 60);
    REQUIRE(bench.bench.run({"ingest", "lists"}).status == 0);
    REQUIRE(bench.bench.run({"ingest", "packages"}).status == 0);
    const std::string lacks = notes();  // beside rows: builtin has only zlib
    CHECK(contains(lacks, "the ledger does not have what the recipes of "));
    CHECK(contains(lacks, "lists say; load them with cacheledger ingest "));
    CHECK_FALSE(contains(lacks, "not judged"));
    CHECK_FALSE(contains(lacks, "packages"));
    CHECK(contains(bench.bench.run({"report", "audit/recipes"}).out, "package gone"));
}

TEST_CASE("A file is compared with what the lists of the ledger want at last") {
    const Bench bench;
    bench.bench.ingest_samples();  // older than the lists
    bench.repository.write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib, cmake, hdf5]\n");
    bench.repository.commit(first_time + 60);
    REQUIRE(bench.bench.run({"ingest", "packages"}).status == 0);
    bench.bench.write("zlib.md", program::page("zlib", program::details({program::entry()})));
    const auto report =
        bench.bench.run({"report", "coverage/wishes", "--at", "./zlib.md", "--format", "csv"});
    INFO(report);
    CHECK(report.status == 0);
    CHECK(contains(report.out, "\ne4s,3,"));
    const auto stack = bench.bench.run({"coverage", "--stack", "e4s", "--at", "./zlib.md"});
    INFO(stack);
    CHECK(stack.status == 0);
    CHECK(bench.bench.run({"check"}).out == "ok\n");
}

}  // namespace packages_command_test
