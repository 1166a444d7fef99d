#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace absent_package_test {

using nlohmann::json;
using program::contains;
using program::details;
using program::entry;
using program::lines_of;
using program::page;
using program::Run;
using program::Words;
using program::Workbench;

namespace {

constexpr const char* first = "develop@2025-01-01T00:00:00Z";
constexpr const char* second = "develop@2025-02-01T00:00:00Z";

/// One build of kokkos in two snapshots of develop; one of hwloc in v1.0 only, and kokkos-kernels
/// in the second snapshot of develop.
void ingest_three(const Workbench& bench) {
    bench.write("a/kokkos.md", page("kokkos", details({entry('a')})));
    bench.write("b/kokkos.md", page("kokkos", details({entry('a')})));
    bench.write("b/hwlocs.md", page("hwlocs", details({entry('c')})));
    bench.write("c/hwloc.md", page("hwloc", details({entry('b')}), "v1.0"));
    REQUIRE(bench.run({"ingest", "a", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "b", "--taken-at", "2025-02-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "c", "--taken-at", "2025-01-15"}).status == 0);
}

const std::string there = "; snapshots of other series have it: v1.0 ('history hwloc' tells when)";

}  // namespace

TEST_CASE("A question about a package that the snapshot lacks says so, and what is near") {
    const Workbench bench;
    ingest_three(bench);
    const std::string no_hwloc = std::string(second) +
                                 " has no build of hwloc at all; near are: "
                                 "hwlocs" +
                                 there;
    const Run dependents = bench.run({"dependents", "hwloc"});
    INFO(dependents);
    CHECK(dependents.status == 0);
    CHECK(lines_of(dependents.out).at(0) == "hwloc at " + std::string(second) +
                                                ": nothing is known of what needs it: no source "
                                                "lists the dependencies of the 2 builds there.");
    CHECK(lines_of(dependents.out).at(1) == no_hwloc + ".");
    CHECK(json::parse(bench.run({"dependents", "hwloc", "--format", "json"}).out)["present"] == 0);
    CHECK(json::parse(bench.run({"dependents", "kokkos", "--format", "json"}).out)["present"] == 1);
    CHECK_FALSE(contains(bench.run({"dependents", "kokkos"}).out, "no build"));
    CHECK(contains(bench.run({"dependents", "hwloc", "--format", "csv"}).err, no_hwloc + "."));
    CHECK(contains(bench.run({"dependents", "/bbbbbbb"}).out, no_hwloc));
    CHECK(contains(bench.run({"dependents", "/ccccccc", "--at", first}).out,
                   std::string(first) +
                       " has no build of hwlocs at all; other snapshots of develop "
                       "have it ('history hwlocs' tells when)."));
    CHECK(contains(bench.run({"specs", "hwloc"}).out, no_hwloc + "."));

    const std::string note = "cacheledger: note: ";
    CHECK(bench.run({"report", "coverage/versions", "--package", "hwloc"}).err ==
          note + no_hwloc + "\n");
    CHECK(bench.run({"report", "coverage/summary", "--package", "hwloc"}).err ==
          note + no_hwloc + "\n");
    CHECK(bench.run({"report", "coverage/summary", "--package", "kokkos"}).err.empty());
    const Run pattern = bench.run({"report", "coverage/versions", "--package", "hwlo[c]"});
    CHECK(pattern.err ==
          note + second +
              " has no build of hwlo[c] at all; near are: hwlocs; snapshots of other series "
              "have it: v1.0\n");
    const std::string neither = note + "neither " + first + " nor " + second +
                                " has a build of hwloc at all; near are: hwlocs" + there;
    for (const Words& words : {Words{"diff", "develop~1", "develop", "--package", "hwloc"},
                               Words{"why", "develop~1", "develop", "--package", "hwloc"},
                               Words{"report", "drift/packages", "--from", "develop~1", "--to",
                                     "develop", "--package", "hwloc"}}) {
        const Run run = bench.run(words);
        INFO(run);
        CHECK(run.status == 0);
        CHECK(contains(run.err, neither));
    }
    CHECK_FALSE(contains(bench.run({"diff", "develop~1", "develop", "--package", "hwlocs"}).err,
                         "has a build"));
    // Here a package that the snapshot lacks is the answer.
    CHECK(contains(bench.run({"history", "hwloc"}).out, "--series can be v1.0"));
}

TEST_CASE("Of the series that have a package, the newest ones are named") {
    const Workbench bench;
    ingest_three(bench);
    for (int i = 1; i <= 6; ++i) {
        const std::string day = "2025-01-1" + std::to_string(i);
        bench.write(day + "/hwlocs.md",
                    page("hwlocs", details({entry('b')}), "v2." + std::to_string(i)));
        REQUIRE(bench.run({"ingest", day, "--taken-at", day}).status == 0);
    }
    CHECK(contains(bench.run({"dependents", "hwlocs", "--at", first}).out,
                   std::string(first) +
                       " has no build of hwlocs at all; other snapshots of develop have it, and "
                       "so have some of other series: v2.6, v2.5, v2.4, v2.3, v2.2 and v2.1 "
                       "('history hwlocs' tells when)."));
    bench.write("d/hwlocs.md", page("hwlocs", details({entry('b')}), "v3"));
    REQUIRE(bench.run({"ingest", "d", "--taken-at", "2025-01-20"}).status == 0);
    CHECK(contains(bench.run({"dependents", "hwlocs", "--at", "v1.0"}).out,
                   "; snapshots of other series have it: develop, v3, v2.6, v2.5, v2.4 and 3 "
                   "others ('history hwlocs' tells when)."));
}

TEST_CASE("No sentence says '1 packages'") {
    const Workbench bench;
    ingest_three(bench);
    bench.write("kokkos.txt", "kokkos\nkokkos@99\n");
    bench.write("one.txt", "kokkos\n");
    const std::vector<Words> commands = {
        {"ingest", "a", "--taken-at", "2025-01-01"},
        {"specs"},
        {"specs", "kokkos"},
        {"specs", "kokkos@99"},
        {"specs", "kokkos@99", "--format", "csv"},
        {"specs", "kokkos ^zlib"},
        {"history", "kokkos"},
        {"history", "kokkos", "--limit", "1"},
        {"history", "kokkos ^zlib"},
        {"diff"},
        {"diff", "v1.0", "develop~1"},
        {"diff", "--fail-on", "specs-1%,package-added", "--format", "github"},
        {"why"},
        {"dependents", "kokkos"},
        {"dependents", "kokkos", "--at", first},
        {"dependents", "kokkos ^zlib", "--at", first},
        {"coverage", "one.txt"},
        {"coverage", "kokkos.txt", "--fail-under", "90"},
        {"coverage", "one.txt", "--fail-under", "90", "--format", "github"},
        {"prune", "--keep", "one.txt", "--fail-on", "package,listed,broken,specs-1%"},
        {"prune", "--keep", "kokkos.txt", "--lock", "one.txt", "--fail-under", "99"},
        {"report", "coverage/packages", "--limit", "1"},
        {"report", "coverage/packages", "--compiler", "gcc"},
        {"forget", "--keep-last", "1", "--dry-run"},
        {"check"},
    };
    static const std::regex wrong(
        "(^|[^0-9,.])1 (more |fewer |new |kept )?(packages|specs|builds|snapshots|copies|lines|"
        "rows|events|files|commits|stacks|dependencies|looks|names|pages|others|reasons)\\b");
    for (const Words& command : commands) {
        const Run run = bench.run(command);
        INFO(run);
        CHECK_FALSE(std::regex_search(run.out, wrong));
        CHECK_FALSE(std::regex_search(run.err, wrong));
    }
}

}  // namespace absent_package_test
