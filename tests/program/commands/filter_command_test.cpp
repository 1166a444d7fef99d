#include <nlohmann/json.hpp>

#include <regex>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace filter_command_test {

using nlohmann::json;
using namespace program;

namespace {

std::size_t count_specs(const Workbench& bench, const Words& filter) {
    Words words = {"report", "coverage/targets", "--format", "json"};
    words.insert(words.end(), filter.begin(), filter.end());
    const Run run = done(bench.run(words));
    std::size_t specs = 0;
    for (const auto& row : json::parse(run.out)) {
        specs += row.at("specs").get<std::size_t>();
    }
    return specs;
}

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

TEST_CASE("A report counts the builds that specs finds") {
    const SampleBench bench;
    const auto found = [&](const std::string& spec) {
        return json::parse(bench.run({"specs", spec, "--format", "json"}).out).size();
    };
    CHECK(count_specs(bench, {"--target", "aarch64"}) == found("target=aarch64"));
    CHECK(count_specs(bench, {"--os", "sequoia"}) == found("os=sequoia"));
    CHECK(count_specs(bench, {"--platform", "darwin"}) == found("platform=darwin"));
    CHECK(count_specs(bench, {"--compiler", "gcc@13"}) == found("%gcc@13"));
    CHECK(count_specs(bench, {"--variant", "build_system=python_pip", "--target", "x86_64_v3"}) ==
          found("build_system=python_pip target=x86_64_v3"));
    CHECK(count_specs(bench, {"--package", "py-safetensors@0.4 target=aarch64 %gcc"}) ==
          found("py-safetensors@0.4 target=aarch64 %gcc"));
}

TEST_CASE("A report that counts no builds says that it takes no filter") {
    const SampleBench bench;
    const Run target = bench.run({"report", "history/series", "--target", "aarch64"});
    CHECK(target.status == 2);
    CHECK(target.err ==
          "cacheledger: the report history/series does not take --target: its rows are not counts "
          "of builds\n");
    check_run(bench.run({"report", "history/rebuilds", "--package", "py-safetensors@0.4"}),
              {.status = 2,
               .all_err = "cacheledger: --package 'py-safetensors@0.4': the report "
                          "history/rebuilds takes only a "
                          "name or a pattern here\n"});
    CHECK_FALSE(contains(bench.run({"report", "history/series", "--help"}).out, "--target"));
    CHECK(contains(bench.run({"report", "coverage/targets", "--help"}).out, "--target"));
}

TEST_CASE("A report of one's own has filters if its header says so") {
    const SampleBench bench;
    bench.write("mine/looks.sql",
                "-- title: Looks\n-- How many.\n-- param: os text = any   its own\n"
                "-- filters: looks\nSELECT count(*) AS looks, :os AS os FROM asked_looks\n");
    const Run all = bench.run({"report", "looks", "--reports", "mine", "--format", "csv"});
    const Run some = bench.run({"report", "looks", "--reports", "mine", "--target", "aarch64",
                                "--os", "its own", "--format", "csv"});
    CHECK(all.out == "looks,os\n" + bench.query("SELECT count(*) FROM looks").at(0) + ",any\n");
    CHECK(some.out == "looks,os\n" +
                          bench.query("SELECT count(*) FROM looks WHERE target = 'aarch64'").at(0) +
                          ",its own\n");
    bench.write("mine/looks.sql", "-- title: Looks\n-- filters: looks\nSELECT 1\n");
    check_run(bench.run({"report", "looks", "--reports", "mine"}),
              {.status = 2, .err = {"asked_looks"}});
}

TEST_CASE("A version that no compiler has is a note") {
    const SampleBench bench;
    check_run(bench.run({"report", "coverage/targets", "--compiler", "gcc@99"}),
              {.err = {"cacheledger: note: no compiler is gcc@99; there are: ", "gcc@13.2.0"}});
    CHECK(bench.run({"report", "coverage/targets", "--compiler", "gcc@13"}).err.empty());
    CHECK(contains(bench.run({"diff", "--package", "py-* %gcc@99"}).err, "no compiler is gcc@99"));
}

TEST_CASE("A question about a package that the snapshot lacks says so, and what is near") {
    const Filled<Workbench, ingest_three> bench;
    const std::string no_hwloc = std::string(second) +
                                 " has no build of hwloc at all; near are: "
                                 "hwlocs" +
                                 there;
    const Run dependents = done(bench.run({"dependents", "hwloc"}));
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
        check_run(bench.run(words), {.err = {neither}});
    }
    CHECK_FALSE(contains(bench.run({"diff", "develop~1", "develop", "--package", "hwlocs"}).err,
                         "has a build"));
    // Here a package that the snapshot lacks is the answer.
    CHECK(contains(bench.run({"history", "hwloc"}).out, "--series can be v1.0"));
}

TEST_CASE("Of the series that have a package, the newest ones are named") {
    const Filled<Workbench, ingest_three> bench;
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
    const Filled<Workbench, ingest_three> bench;
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

}  // namespace filter_command_test
