#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace package_report_test {

// The reports with a row for each package.
using namespace cacheledger;

namespace {

PrintedSpec spec(const std::string& stem, const std::string& version = "1.0") {
    return {.hash = hash_of(stem), .version = version};
}
std::string day(int number) {
    return "2025-03-0" + std::to_string(number);
}
std::string snapshot(int number) {
    return "develop@" + day(number) + "T00:00:00Z";
}

}  // namespace

// drift/by-package: package|added|removed|gained_or_lost|version|target|compiler|variants|rebuilt|
// copies

TEST_CASE("Drift by package has each cause in its column, the most changed package first") {
    TempLedger ledger;
    PrintedSpec other_target = spec("zd");
    other_target.target = "aarch64";
    PrintedSpec other_compiler = spec("ze");
    other_compiler.compiler = "gcc@14.1.0";
    PrintedSpec other_variants = spec("zf");
    other_variants.variants = {"build_system=cmake", "+pic"};
    ledger.take(
        day(1),
        {{"curl", {spec("a")}}, {"hwloc", {spec("h")}}, {"zlib", {spec("zb"), spec("zc")}}});
    ledger.take(
        day(2),
        {{"hwloc", {spec("i", "2.0")}},
         {"mpich", {spec("m")}},
         {"zlib",
          {spec("zg"), spec("zc"), spec("zh"), other_target, other_compiler, other_variants}}});
    const Arguments pair = {{"from", snapshot(1)}, {"to", snapshot(2)}};
    CHECK(report_rows(ledger, "drift/by-package", pair) ==
          Lines{"zlib|5|1|0|0|1|1|1|2|1", "hwloc|1|1|0|2|0|0|0|0|0", "curl|0|1|1|0|0|0|0|0|0",
                "mpich|1|0|1|0|0|0|0|0|0"});
    Arguments of_some = pair;
    of_some["package"] = "[cm]*";
    CHECK(report_rows(ledger, "drift/by-package", of_some).size() == 2);
    Arguments elsewhere = pair;
    elsewhere["stack"] = "ml";
    CHECK(report_rows(ledger, "drift/by-package", elsewhere).empty());
}

// coverage/gone: package|last_version|specs|last_seen|gone_since

TEST_CASE("Packages that are gone, with what they had to the last") {
    TempLedger ledger;
    // zlib 1.9 goes on the second, 1.10 and 1.2 on the third. hwloc goes, comes back, and goes on
    // the fourth. curl is not given on the fourth, which does not say that it is gone. mpich stays.
    ledger.take(day(1), {{"curl", {spec("c")}},
                         {"hwloc", {spec("h")}},
                         {"mpich", {spec("m")}},
                         {"zlib", {spec("za", "1.9"), spec("zb", "1.10"), spec("zc", "1.2")}}});
    ledger.take(day(2), {{"curl", {spec("c")}},
                         {"mpich", {spec("m")}},
                         {"zlib", {spec("zb", "1.10"), spec("zc", "1.2")}}});
    ledger.take(day(3), {{"curl", {spec("c")}}, {"hwloc", {spec("h")}}, {"mpich", {spec("m")}}});
    ledger.take(day(4), {{"hwloc", {}}, {"mpich", {spec("m")}}}, partial);
    const auto gone = [&](int number, Arguments arguments = {}) {
        arguments["at"] = snapshot(number);
        return report_rows(ledger, "coverage/gone", arguments);
    };
    const std::string zlib = "zlib|1.10|2|2025-03-02T00:00:00Z|2025-03-03T00:00:00Z";
    CHECK(gone(1).empty());
    CHECK(gone(2) == Lines{"hwloc|1.0|1|2025-03-01T00:00:00Z|2025-03-02T00:00:00Z"});
    CHECK(gone(3) == Lines{zlib});
    CHECK(gone(4) == Lines{"hwloc|1.0|1|2025-03-03T00:00:00Z|2025-03-04T00:00:00Z", zlib});
    CHECK(gone(4, {{"package", "z*"}}) == Lines{zlib});
}

TEST_CASE("A package was seen last where it was observed last, and may be gone from a stack only") {
    TempLedger ledger;
    ledger.take(day(1), {{"zlib", {in_stacks("b", {"e4s"}), in_stacks("c", {"ml"})}}});
    ledger.take(day(2), {{"hwloc", {spec("h")}}}, partial);
    ledger.take(day(3), {{"zlib", {in_stacks("b", {"ml"}), in_stacks("c", {"ml"})}}});
    CHECK(report_rows(ledger, "coverage/gone", {{"at", snapshot(3)}, {"stack", "e*"}}) ==
          Lines{"hwloc|1.0|1|2025-03-02T00:00:00Z|2025-03-03T00:00:00Z",
                "zlib|1.0|1|2025-03-01T00:00:00Z|2025-03-03T00:00:00Z"});
    CHECK(report_rows(ledger, "coverage/gone", {{"at", snapshot(3)}}).size() == 1);
    CHECK(report_rows(ledger, "coverage/gone", {{"at", snapshot(3)}, {"stack", "ml"}}).empty());
}

// coverage/stale: package|version|specs|last_added|unchanged_since|days|since_start

TEST_CASE("Packages that did not change for longest") {
    TempLedger ledger;
    // hwloc is as it was from the start; a move to another stack is no change. zlib lost one spec
    // on the third. curl was there when it was first observed, on the second. mpich is new.
    ledger.take(day(1), {{"hwloc", {spec("h")}}, {"zlib", {spec("b", "1.9"), spec("c", "1.10")}}},
                partial);
    ledger.take(day(2), {{"curl", {spec("u")}},
                         {"hwloc", {in_stacks("h", {"ml"})}},
                         {"zlib", {spec("b", "1.9"), spec("c", "1.10")}}});
    ledger.take(day(3), {{"curl", {spec("u")}},
                         {"hwloc", {in_stacks("h", {"ml"})}},
                         {"mpich", {spec("m")}},
                         {"zlib", {spec("c", "1.10")}}});
    ledger.take(day(8), {{"curl", {spec("u")}},
                         {"hwloc", {in_stacks("h", {"ml"})}},
                         {"mpich", {spec("m")}},
                         {"zlib", {spec("c", "1.10")}}});
    const auto stale = [&](int number, Arguments arguments = {}) {
        arguments["at"] = snapshot(number);
        return report_rows(ledger, "coverage/stale", arguments);
    };
    const Lines all = {"hwloc|1.0|1|2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|7|1",
                       "curl|1.0|1|2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|6|1",
                       "mpich|1.0|1|2025-03-03T00:00:00Z|2025-03-03T00:00:00Z|5|0",
                       "zlib|1.10|1|2025-03-01T00:00:00Z|2025-03-03T00:00:00Z|5|0"};
    CHECK(stale(8) == all);
    CHECK(stale(8, {{"days", std::int64_t{6}}}) == Lines{all[0], all[1]});
    CHECK(stale(8, {{"package", "z*"}}) == Lines{all[3]});
    CHECK(stale(2) == Lines{"hwloc|1.0|1|2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|1|1",
                            "zlib|1.10|2|2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|1|1",
                            "curl|1.0|1|2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|0|1"});
}

// coverage/matrix-targets, matrix-compilers: package, then a column for each target or compiler

TEST_CASE("Packages by target and by compiler, in natural order, those without last") {
    TempLedger ledger;
    PrintedSpec arm = spec("za");
    arm.target = "aarch64";
    arm.compiler = "gcc@9.4.0";
    PrintedSpec bare = in_stacks("zb", {"ml"});
    bare.compiler = "none";
    ledger.take(day(1), {{"hwloc", {spec("h")}}, {"zlib", {arm, bare, spec("zc")}}});
    const auto matrix = [&](const std::string& name, Arguments arguments = {}) {
        arguments["at"] = snapshot(1);
        const Catalog catalog;
        Lines lines = report_rows(ledger, name, arguments);
        std::string head;
        for (const std::string& column :
             run_report(ledger.database(), catalog.find(name), arguments).columns) {
            head += (head.empty() ? "" : "|") + column;
        }
        lines.insert(lines.begin(), head);
        return lines;
    };
    CHECK(matrix("coverage/matrix-targets") ==
          Lines{"package|aarch64|x86_64_v3", "hwloc|0|1", "zlib|1|2"});
    CHECK(matrix("coverage/matrix-targets", {{"stack", "ml"}}) ==
          Lines{"package|x86_64_v3", "zlib|1"});
    CHECK(matrix("coverage/matrix-targets", {{"rows", "version"}}) ==
          Lines{"package|aarch64|x86_64_v3", "hwloc@1.0|0|1", "zlib@1.0|1|2"});
    CHECK(matrix("coverage/matrix", {{"rows", "version"}, {"package", "zlib"}}) ==
          Lines{"package|e4s|ml", "zlib@1.0|2|1"});
    CHECK(matrix("coverage/matrix-compilers") ==
          Lines{"package|gcc@9.4.0|gcc@13.2.0|(no compiler)", "hwloc|0|1|0", "zlib|1|1|1"});
    CHECK(matrix("coverage/matrix-compilers", {{"package", "hw*"}}) ==
          Lines{"package|gcc@13.2.0", "hwloc|1"});
}

}  // namespace package_report_test
