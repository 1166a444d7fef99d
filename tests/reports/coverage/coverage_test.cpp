#include "reports/questions/coverage/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace coverage_test {

using namespace cacheledger;

namespace {

Coverage cover(GraphLedger& ledger, const std::string& wanted = "lock@0") {
    auto& database = ledger.database();
    return cover_graph(database, find_snapshot(database, "develop@0"),
                       wanted_of_snapshot(database, find_snapshot(database, wanted)));
}

/// "app run 2": package, what it is needed for, the number of dependents; '*' for the frontier.
Lines missing(const Coverage& coverage) {
    Lines lines;
    for (const auto& row : coverage.missing.rows) {
        lines.push_back(fmt::format("{}{} {} {}", to_text(row[0]),
                                    to_text(row[4]) == "1" ? "*" : "",
                                    to_text(row[3]) == "1" ? "run" : "build", to_text(row[5])));
    }
    return lines;
}

/// zlib below curl (link) and cmake (link); curl and cmake (build) below app.
void add_programs(GraphLedger& ledger) {
    ledger.add({"zlib", "zlib"});
    ledger.add({"curl", "curl", {{"zlib"}}}).add({"cmake", "cmake", {{"zlib"}}});
    ledger.add({"app", "app", {{"curl", "link,run"}, {"cmake", "build"}}});
}

const Lines programs = {"zlib", "curl", "cmake", "app"};

}  // namespace

TEST_CASE("Coverage counts what is needed to link and run, and what is needed to build as well") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib"}});
    ledger.take_lock(programs, {"app"});
    const Coverage coverage = cover(ledger);
    CHECK(coverage.wanted == "lock@0");
    CHECK(coverage.snapshot == "develop@0");
    CHECK(coverage.runtime.specs == 3);
    CHECK(coverage.runtime.covered == 1);
    CHECK(coverage.all->specs == 4);
    CHECK(coverage.all->percent() == 25.0);
    CHECK(missing(coverage) == Lines{"curl* run 1", "app run 0", "cmake* build 1"});
}

TEST_CASE("What no root needs is not wanted, and a snapshot of no lock file wants all it has") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib"}, {"cmake"}});
    ledger.take_lock(programs, {"curl"});
    CHECK(cover(ledger).all->specs == 2);
    CHECK(missing(cover(ledger)) == Lines{"curl* run 0"});
    CHECK(missing(cover(ledger, "develop@1")) == Lines{"cmake* run 0"});
}

TEST_CASE("Specs below what the cache has can be missing, too") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"curl", "app"}});
    ledger.take_lock(programs, {"app"});
    CHECK(missing(cover(ledger)) == Lines{"zlib* run 2", "cmake build 1"});
}

TEST_CASE("External specs are left out, and what they need is not") {
    GraphLedger ledger;
    ledger.add({"libc", "libc"});
    GraphNode glibc{"glibc", "glibc", {{"libc"}}};
    glibc.external_path = "/usr";
    ledger.add(glibc).add({"zlib", "zlib", {{"glibc"}}});
    ledger.take({{"zlib"}});
    ledger.take_lock({"libc", "glibc", "zlib"}, {"zlib"});
    const Coverage coverage = cover(ledger);
    CHECK(coverage.external == 1);
    CHECK(coverage.runtime.specs == 2);
    CHECK(missing(coverage) == Lines{"libc* run 1"});
    CHECK(coverage.remarks == Lines{"1 external spec is left out."});
}

TEST_CASE("A spliced spec is there if what was built is") {
    GraphLedger ledger;
    ledger.add({"built", "zlib"});
    GraphNode spliced{"spliced", "zlib"};
    spliced.build_hash = hash_of("built");
    GraphNode other{"other", "zlib"};
    other.build_hash = hash_of("nowhere");
    ledger.add(spliced).add(other);
    ledger.take({{"built"}});
    ledger.take_lock({"spliced", "other"}, {"spliced", "other"});
    const Coverage coverage = cover(ledger);
    CHECK(coverage.runtime.covered == 1);
    REQUIRE(coverage.missing.rows.size() == 1);
    CHECK(to_text(coverage.missing.rows[0][1]) == hash_of("other"));
}

TEST_CASE("Of each missing spec the nearest build is named, and what differs") {
    GraphLedger ledger;
    ledger.add({"glibc", "glibc"}).add({"musl", "musl"});
    ledger.add({.stem = "old", .package = "hdf5", .version = "1.12"});
    ledger.add({.stem = "off", .package = "hdf5", .version = "1.14", .variants = "~shared"});
    ledger.add({.stem = "hdf", .package = "hdf5", .version = "1.14"});
    ledger.add({.stem = "za", .package = "zlib", .edges = {{"glibc"}}});
    ledger.add({.stem = "zb", .package = "zlib", .edges = {{"musl"}}});
    ledger.add({.stem = "no", .package = "nothing"});
    ledger.take({{"old", "off", "za", "musl"}});
    ledger.take_lock({"hdf", "zb", "no"}, {"hdf", "zb", "no"});
    const Coverage coverage = cover(ledger);
    Lines said;
    for (const auto& row : coverage.missing.rows) {
        said.push_back(fmt::format("{}: {} {}", to_text(row[0]), to_text(row[6]).substr(0, 3),
                                   to_text(row[7])));
    }
    CHECK(said == Lines{"hdf5: off ~shared", "nothing:  ",
                        "zlib: " + hash_of("za").substr(0, 3) + " dependencies: glibc, musl"});
    CHECK(coverage.same_look == 1);
    CHECK(
        coverage.remarks ==
        Lines{
            "Of 1 spec to build, the cache has a build that looks the same, under another hash."});
}

TEST_CASE(
    "Of what need not be built it is not said that the cache has a build that looks the same") {
    GraphLedger ledger;
    ledger.add({"cmakea", "cmake", {}}).add({"curl", "curl"}).add({"zlib", "zlib"});
    ledger.add({"cmakeb", "cmake", {{"curl", "build"}}});
    ledger.add({"app", "app", {{"cmakeb", "build"}, {"zlib"}}});
    ledger.take({{"app", "cmakea"}});
    ledger.take_lock({"app", "cmakeb", "curl", "zlib"}, {"app"});
    const Coverage coverage = cover(ledger);
    CHECK(coverage.missing.rows.size() == 3);
    CHECK(coverage.to_build.rows.size() == 1);
    CHECK(coverage.remarks.empty());
}

TEST_CASE("Coverage says where hashes can't be the same, and what is not known") {
    GraphLedger ledger;
    GraphNode page{"page", "page"};
    page.is_described = false;
    ledger.add(page).add({.stem = "new", .package = "zlib", .form = 5});
    ledger.add({.stem = "old", .package = "zlib", .edges = {{"page"}}, .form = 2});
    ledger.take({{"new"}});
    ledger.take_lock({"page", "old"}, {"old"});
    const Coverage coverage = cover(ledger);
    REQUIRE(coverage.remarks.size() == 3);
    CHECK(coverage.remarks[0] == "Without known dependencies: 1 spec. More may be wanted.");
    CHECK(coverage.remarks[1] ==
          "No hash can be the same, because Spack computed them otherwise: those of lock@0 are of "
          "node form 1 or 2, those of the cache of 5.");
}

TEST_CASE("Where nothing is wanted, all of it is there") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib"}});
    ledger.take_lock({}, {});
    CHECK(cover(ledger).runtime.percent() == 100.0);
    CHECK(cover(ledger).missing.rows.empty());
    CHECK(cover(ledger).remarks.empty());
}

TEST_CASE("What must be built is listed in waves, and not what built what is there") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.add({"top", "top", {{"app", "link"}, {"cmake", "test"}}});
    ledger.take({{"app"}, {"app", "zlib"}});
    ledger.take_lock({"zlib", "curl", "cmake", "app", "top"}, {"top"});
    const Coverage coverage = cover(ledger);
    Lines builds;
    for (const auto& row : coverage.to_build.rows) {
        builds.push_back(fmt::format("{} {} {} {}", to_text(row[0]), to_text(row[1]),
                                     to_text(row[2]).substr(0, 3), to_text(row[3])));
    }
    CHECK(builds == Lines{"1 zlib " + hash_of("zlib").substr(0, 3) + " 1.0",
                          "2 curl " + hash_of("curl").substr(0, 3) + " 1.0",
                          "3 top " + hash_of("top").substr(0, 3) + " 1.0"});
    CHECK(coverage.only_to_build == 0);
    CHECK(coverage.all->specs == 5);
    CHECK(sentence_of(coverage, false) ==
          "1 of 4 binaries are there. To build: 3 (zlib, curl, top).");
    CHECK(sentence_of(coverage, true) ==
          "1 of 4 binaries are there. To build: 3 (zlib, curl, top). With all build dependencies 1 "
          "of 5 are there (20.0 %).");
    const ResultTable lines = install_lines(coverage);
    CHECK(to_text(lines.rows[0][0]) == "zlib/" + hash_of("zlib"));
    CHECK(to_text(lines.rows[0][1]) == hash_of("zlib"));
}

TEST_CASE("What is only needed to build others is counted apart") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib", "curl"}});
    ledger.take_lock(programs, {"app"});
    const Coverage coverage = cover(ledger);
    CHECK(coverage.only_to_build == 1);
    CHECK(sentence_of(coverage, false) ==
          "2 of 3 binaries are there. To build: 2 (cmake, app), 1 of them only to build others.");
}

TEST_CASE("One dependency that differs is named as the cause of all that must be built") {
    GraphLedger ledger;
    GraphNode here{"gcca", "gcc"};
    here.external_path = "/usr";
    GraphNode there{"gccb", "gcc"};
    there.external_path = "/opt/gcc";
    ledger.add(here).add(there);
    for (const std::string end : {"a", "b"}) {
        const GraphEdge gcc{"gcc" + end, "build"};
        ledger.add({"zlib" + end, "zlib", {gcc}});
        ledger.add({"curl" + end, "curl", {gcc, {"zlib" + end}}});
    }
    ledger.add({"other", "other", {}, "2.0"}).add({"older", "other", {}, "1.0"});
    ledger.take({{"zlibb", "curlb", "older"}});
    ledger.take_lock({"gcca", "zliba", "curla", "other"}, {"curla", "other"});
    const Coverage coverage = cover(ledger);
    CHECK(coverage.to_build.rows.size() == 3);
    CHECK(coverage.cause.sentence ==
          "2 of 3 must be built because of gcc (external: /usr -> /opt/gcc).");
    REQUIRE(coverage.cause.causes.rows.size() == 1);
    CHECK(to_text(coverage.cause.causes.rows[0][2]) == "2");
}

TEST_CASE("A system that differs is the cause where no single dependency is") {
    GraphLedger ledger;
    for (const std::string package : {"zlib", "curl", "hdf"}) {
        ledger.add({.stem = package + "a", .package = package, .target = "zen3"});
        ledger.add({.stem = package + "b", .package = package, .target = "zen2"});
    }
    ledger.take({{"zlibb", "curlb", "hdfb"}});
    ledger.take_lock({"zliba", "curla", "hdfa"}, {"zliba", "curla", "hdfa"});
    CHECK(cover(ledger).cause.sentence ==
          "All 3 must be built because the cache has another target: zen3 -> zen2.");
}

TEST_CASE("A system that the cache lacks counts all builds for it; one that it has is no cause") {
    GraphLedger ledger;
    for (const std::string package : {"zlib", "curl", "hdf", "only"}) {
        ledger.add({.stem = package + "a", .package = package, .target = "zen3"});
        ledger.add({.stem = package + "b", .package = package, .target = "zen2"});
    }
    std::vector<std::string> there = {"zlibb", "curlb"};
    std::optional<std::string> said;
    SECTION("no build of a package") {
        said = "All 3 must be built because the cache has another target: zen3 -> zen2.";
    }
    SECTION("several targets") {
        ledger.add({.stem = "hdfc", .package = "hdf", .target = "zen"});
        there.emplace_back("hdfc");
        said = "All 3 must be built because the cache has another target: zen3 -> zen2 or zen.";
    }
    SECTION("a build for the target") {
        there.emplace_back("onlya");
    }
    ledger.take({there});
    ledger.take_lock({"zliba", "curla", "hdfa"}, {"zliba", "curla", "hdfa"});
    CHECK(cover(ledger).cause.sentence == said);
}

TEST_CASE("Builds with causes of their own have no common one") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib"}});
    ledger.take_lock(programs, {"app", "curl"});
    CHECK_FALSE(cover(ledger).cause.sentence);
}

TEST_CASE("Each root says what it alone costs, and what can be built for it at once") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"cmake", "cmake"});
    ledger.add({"curl", "curl", {{"zlib"}, {"cmake", "build"}}});
    ledger.add({"hdf5", "hdf5", {{"zlib"}}});
    ledger.add({"app", "app", {{"curl"}, {"hdf5"}}});
    ledger.take({{"hdf5", "cmake"}});
    ledger.take_lock({"zlib", "cmake", "curl", "hdf5", "app"}, {"app", "curl", "cmake"});
    auto& database = ledger.database();
    const Snapshot cache = find_snapshot(database, "develop@0");
    WantedGraph wanted = wanted_of_snapshot(database, find_snapshot(database, "lock@0"));
    const auto told = [&](RootsBy by) {
        Lines lines;
        for (const RootCoverage& one : cover_graph(database, cache, wanted, {.by = by}).by) {
            lines.push_back(fmt::format("{} {}/{} {} {} {}", one.name, one.runtime.covered,
                                        one.runtime.specs, one.to_build, one.alone,
                                        fmt::join(one.first, ",")));
        }
        return lines;
    };
    CHECK(told(RootsBy::root) == Lines{"app 1/4 3 1 zlib", "curl 0/2 2 0 zlib", "cmake 1/1 0 0 "});
    wanted.roots[0].group = wanted.roots[2].group = "tools";
    CHECK(told(RootsBy::group).size() == 2);
    const Coverage coverage = cover_graph(database, cache, wanted, {.there = true});
    CHECK(coverage.by.empty());
    const ResultTable there = install_lines(coverage, true);
    REQUIRE(there.rows.size() == 2);
    CHECK(to_text(there.rows[0][0]).starts_with("cmake/"));
    CHECK(to_text(there.rows[1][0]).starts_with("hdf5/"));
}

TEST_CASE("Several caches are asked in their order, and each adds what those before it lack") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib", "cmake"}, {"zlib", "curl"}});
    ledger.take_lock(programs, {"app"});
    auto& database = ledger.database();
    const Snapshot first = find_snapshot(database, "develop@0");
    const std::vector<Snapshot> then = {find_snapshot(database, "develop@1")};
    const WantedGraph wanted = wanted_of_snapshot(database, find_snapshot(database, "lock@0"));
    const Coverage coverage = cover_graph(database, first, wanted, {.then = then});
    CHECK(coverage.snapshot == "develop@0, develop@1");
    CHECK(coverage.runtime.covered == 2);
    CHECK(coverage.all->covered == 3);
    CHECK(missing(coverage) == Lines{"app* run 0"});
    Lines shares;
    for (const CacheShare& one : coverage.caches) {
        shares.push_back(
            fmt::format("{} {} {} {}", one.snapshot, one.covered, one.adds, one.to_build.value()));
    }
    CHECK(shares == Lines{"develop@0 1 1 2", "develop@1 2 1 1"});
    Lines there;
    for (const auto& row : coverage.there.rows) {
        there.push_back(fmt::format("{} {}", to_text(row[0]), to_text(row[3])));
    }
    CHECK(there == Lines{"curl develop@1", "zlib develop@0"});
    CHECK_FALSE(gates_of(coverage, {.least = 66.0})[0].has_failed);
    CHECK(gates_of(coverage, {.least = 67.0})[0].has_failed);
    CHECK(cover_graph(database, first, wanted).caches.empty());
}

}  // namespace coverage_test
