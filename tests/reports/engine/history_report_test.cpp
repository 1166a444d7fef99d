#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/engine/filters/asked_looks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace history_report_test {

using namespace cacheledger;

namespace {

/// Ingests these pages, and one of mpich that can't be read.
void take_without_mpich(TempLedger& ledger, const std::string& day,
                        const std::vector<PrintedPage>& pages) {
    for (const PrintedPage& page : pages) {
        ledger.folder().write(fmt::format("{}/{}.md", day, page.package), page.text());
    }
    ledger.folder().write(fmt::format("{}/mpich.md", day), broken_page("mpich"));
    ledger.ingest(day, {(ledger.folder().path() / day).string()}, {.keep_going = true});
}

}  // namespace

// growth: packages|specs|added|removed|churn

TEST_CASE("Growth of a series, and churn by hand") {
    TempLedger ledger;
    // 2 specs of zlib, 1 of hwloc. Then c goes, d and e come: 3 before, 4 now, 3 changed: 300/7.
    // Then nothing. Then all but one new package goes: 4 before, 1 now, all 5 changed.
    ledger.take("2025-03-01", {{"hwloc", {spec("b")}}, {"zlib", {spec("c"), spec("f")}}});
    ledger.take("2025-03-02",
                {{"hwloc", {spec("b"), spec("d"), spec("e")}}, {"zlib", {spec("f")}}});
    ledger.take("2025-03-03",
                {{"hwloc", {spec("b"), spec("d"), spec("e")}}, {"zlib", {spec("f")}}});
    ledger.take("2025-03-04", {{"mpich", {spec("g")}}});
    CHECK(report_rows(ledger, "history/growth") ==
          Lines{
              "develop|develop@2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|2|3|3|0|NULL",
              "develop|develop@2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|2|4|2|1|42.9",
              "develop|develop@2025-03-03T00:00:00Z|2025-03-03T00:00:00Z|2|4|0|0|0",
              "develop|develop@2025-03-04T00:00:00Z|2025-03-04T00:00:00Z|1|1|1|4|100",
          });
    // Of hwloc: 1, 3, 3, 0 specs; 2 of 4, 0 of 6, 3 of 3 changed.
    CHECK(report_rows(ledger, "history/growth", {{"package", "hw*"}}) ==
          Lines{
              "develop|develop@2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|1|1|1|0|NULL",
              "develop|develop@2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|1|3|2|0|50",
              "develop|develop@2025-03-03T00:00:00Z|2025-03-03T00:00:00Z|1|3|0|0|0",
              "develop|develop@2025-03-04T00:00:00Z|2025-03-04T00:00:00Z|0|0|0|3|100",
          });
}

TEST_CASE("Moves between stacks are no churn") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {in_stacks("b", {"e4s"})}}});
    ledger.take("2025-03-02", {{"zlib", {in_stacks("b", {"ml"}), spec("c")}}});
    CHECK(report_rows(ledger, "history/growth").at(1) ==
          "develop|develop@2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|1|2|1|0|33.3");
}

TEST_CASE("Churn of nothing is not known, and each series begins anew") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {}}});
    ledger.take("2025-03-02", {{"zlib", {}}});
    ledger.take("2025-03-01", {{"zlib", {spec("b")}, "v1.0", ""}});
    CHECK(report_rows(ledger, "history/growth") ==
          Lines{
              "develop|develop@2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|0|0|0|0|NULL",
              "develop|develop@2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|0|0|0|0|NULL",
              "v1.0|v1.0@2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|1|1|1|0|NULL",
          });
    CHECK(report_rows(ledger, "history/growth", {{"series", "v*"}}).size() == 1);
}

TEST_CASE("What the snapshots before did not observe is not added") {
    TempLedger ledger;
    // zlib is first observed on the second, in a whole snapshot in which a page of mpich could not
    // be read; mpich on the third, when a spec of zlib's two was replaced: 2 before, 2 now without
    // mpich's three, 2 changed. hwloc comes on the fourth, where it was observed not to be there on
    // the second.
    ledger.take("2025-03-01", {{"ncurses", {spec("b")}}}, partial);
    take_without_mpich(ledger, "2025-03-02", {{"ncurses", {spec("b")}}, {"zlib", {spec("c")}}});
    ledger.take("2025-03-03", {{"mpich", {spec("d"), spec("e"), spec("f")}},
                               {"ncurses", {spec("b")}},
                               {"zlib", {spec("g")}}});
    ledger.take("2025-03-04", {{"hwloc", {spec("h")}}}, partial);
    CHECK(report_rows(ledger, "history/growth") ==
          Lines{
              "develop|develop@2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|1|1|1|0|NULL",
              "develop|develop@2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|2|2|0|0|0",
              "develop|develop@2025-03-03T00:00:00Z|2025-03-03T00:00:00Z|3|5|1|1|50",
              "develop|develop@2025-03-04T00:00:00Z|2025-03-04T00:00:00Z|4|6|1|0|9.1",
          });
    // Nothing of mpich can be said of the first two snapshots.
    CHECK(report_rows(ledger, "history/growth", {{"package", "mpich"}}) ==
          Lines{
              "develop|develop@2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|0|0|0|0|NULL",
              "develop|develop@2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|0|0|0|0|NULL",
              "develop|develop@2025-03-03T00:00:00Z|2025-03-03T00:00:00Z|1|3|0|0|NULL",
              "develop|develop@2025-03-04T00:00:00Z|2025-03-04T00:00:00Z|1|3|0|0|0",
          });
}

TEST_CASE("Growth of some builds only, by hand") {
    TempLedger ledger;
    // zlib for zen3: a goes on the second, when b came in its place, and comes back on the third.
    // hwloc has none for zen3 before the third; mpich never has.
    const auto zen3 = [](const std::string& stem) {
        return PrintedSpec{.hash = hash_of(stem), .target = "zen3"};
    };
    ledger.take("2025-03-01", {{"hwloc", {spec("h")}}, {"zlib", {zen3("a"), spec("c")}}});
    ledger.take("2025-03-02", {{"hwloc", {spec("h")}},
                               {"mpich", {spec("m")}},
                               {"zlib", {zen3("b"), spec("c"), spec("d")}}});
    ledger.take("2025-03-03", {{"hwloc", {spec("h"), zen3("g")}}, {"zlib", {zen3("a")}}});
    ledger.take("2025-03-04", {{"hwloc", {spec("h")}}, {"zlib", {spec("c")}}});
    const auto growth = [&](const FilterWords& words, const Arguments& arguments = {}) {
        const AskedLooks looks(ledger.database(), LookFilter(words));
        return report_rows(ledger, "history/growth", arguments);
    };
    CHECK(growth({.target = "zen3"}) ==
          Lines{
              "develop|develop@2025-03-01T00:00:00Z|2025-03-01T00:00:00Z|1|1|1|0|NULL",
              "develop|develop@2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|1|1|1|1|100",
              "develop|develop@2025-03-03T00:00:00Z|2025-03-03T00:00:00Z|2|2|2|1|100",
              "develop|develop@2025-03-04T00:00:00Z|2025-03-04T00:00:00Z|0|0|0|2|100",
          });
    CHECK(growth({.packages = {"zlib target=zen3"}}, {{"package", "zlib"}}).at(2) ==
          "develop|develop@2025-03-03T00:00:00Z|2025-03-03T00:00:00Z|1|1|1|1|100");
    // All looks are asked, by their names.
    CHECK(growth({.packages = {"* target=zen3", "* target=x86_64_v3"}}) ==
          report_rows(ledger, "history/growth"));
    CHECK(growth({.target = "zen4"}).at(1) ==
          "develop|develop@2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|0|0|0|0|NULL");
}

// lifetime: series|age|gone|there|gone_since_start|there_since_start

TEST_CASE("How long specs stay, by hand") {
    TempLedger ledger;
    // b is there all 40 days, since the start. c, there at the start, is gone after 6 hours. d
    // stays exactly 7 days. e stays 3 days in one stack and 5 in another: 8. f comes, goes after a
    // day, and comes back 29 days before the end. g comes with the last snapshot.
    ledger.take("2025-03-01T00:00:00Z", {{"zlib", {spec("b"), spec("c")}}});
    ledger.take("2025-03-01T06:00:00Z", {{"zlib", {spec("b"), spec("d"), spec("e"), spec("f")}}});
    ledger.take("2025-03-02T06:00:00Z", {{"zlib", {spec("b"), spec("d"), spec("e")}}});
    ledger.take("2025-03-04T06:00:00Z", {{"zlib", {spec("b"), spec("d"), in_stacks("e", {"ml"})}}});
    ledger.take("2025-03-08T06:00:00Z", {{"zlib", {spec("b"), in_stacks("e", {"ml"})}}});
    ledger.take("2025-03-09T06:00:00Z", {{"zlib", {spec("b")}}});
    ledger.take("2025-03-12T00:00:00Z", {{"zlib", {spec("b"), spec("f")}}});
    ledger.take("2025-04-10T00:00:00Z", {{"zlib", {spec("b"), spec("f"), spec("g")}}});
    CHECK(report_rows(ledger, "history/lifetime") ==
          Lines{
              "develop|under 1 day|0|1|1|0",    // g; c
              "develop|1 to 7 days|1|0|0|0",    // f, the first time
              "develop|1 to 4 weeks|2|0|0|0",   // d, e
              "develop|4 to 13 weeks|0|1|0|1",  // f, the second time; b
              "develop|13 to 52 weeks|0|0|0|0",
              "develop|52 weeks or more|0|0|0|0",
          });
    CHECK(report_rows(ledger, "history/lifetime", {{"package", "hwloc"}}).at(0) ==
          "develop|under 1 day|0|0|0|0");
}

TEST_CASE("The start of a package is its first observation, not that of its series") {
    TempLedger ledger;
    // The first snapshot was not given zlib: b may have been there. hwloc's c was not.
    ledger.take("2025-03-01", {{"hwloc", {}}}, partial);
    ledger.take("2025-03-02", {{"hwloc", {spec("c")}}, {"zlib", {spec("b")}}}, partial);
    ledger.take("2025-03-04", {{"hwloc", {}}}, partial);
    CHECK(report_rows(ledger, "history/lifetime", {{"package", "zlib"}}).at(1) ==
          "develop|1 to 7 days|0|0|0|1");
    CHECK(report_rows(ledger, "history/lifetime", {{"package", "hwloc"}}).at(1) ==
          "develop|1 to 7 days|1|0|0|0");
}

// survival: series|what|name|builds|gone|there|since_start|median_days

TEST_CASE("How long builds live, by hand") {
    TempLedger ledger;
    // b, there at the start, does not count. c goes after 2 days. d goes after 4. e, which moves
    // from e4s to ml, and f are still there after 6 days. g comes at the end.
    ledger.take("2025-03-01", {{"zlib", {spec("b")}}});
    ledger.take("2025-03-02", {{"zlib", {spec("b"), spec("c"), spec("d"), spec("e"), spec("f")}}});
    ledger.take("2025-03-04", {{"zlib", {spec("d"), in_stacks("e", {"ml"}), spec("f")}}});
    ledger.take("2025-03-06", {{"zlib", {in_stacks("e", {"ml"}), spec("f")}}});
    ledger.take("2025-03-08", {{"zlib", {in_stacks("e", {"ml"}), spec("f"), spec("g")}}});
    // Of 4 that become 2 days old 3 outlive that, of 3 that become 4 days old 2: half of all.
    CHECK(report_rows(ledger, "history/survival") == Lines{
                                                         "develop|all|NULL|5|2|3|1|4",
                                                         "develop|stack|e4s|5|2|3|1|4",
                                                         "develop|package|zlib|5|2|3|1|4",
                                                     });
    // The curve: series|age_days|share|at_risk. Of 5 one was seen for no time.
    CHECK(report_rows(ledger, "history/survival-curve") == Lines{
                                                               "develop|0|100|5",
                                                               "develop|2|75|4",
                                                               "develop|4|50|3",
                                                               "develop|6|50|2",
                                                           });
    CHECK(report_rows(ledger, "history/survival-curve", {{"stack", "ml"}}).empty());
    CHECK(report_rows(ledger, "history/survival", {{"stack", "ml"}}).empty());
    CHECK(report_rows(ledger, "history/survival", {{"package", "hwloc"}}).empty());
}

TEST_CASE("Half may outlive every age that was seen") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {}}});
    ledger.take("2025-03-02", {{"zlib", {spec("b"), spec("c"), spec("d")}}});
    ledger.take("2025-03-05", {{"zlib", {spec("b"), spec("c")}}});
    CHECK(report_rows(ledger, "history/survival").at(0) == "develop|all|NULL|3|1|2|0|NULL");
    // What is as old as the newest snapshot allows still counts when another goes at that age.
    ledger.take("2025-03-08", {{"zlib", {spec("b")}}});
    CHECK(report_rows(ledger, "history/survival").at(0) == "develop|all|NULL|3|2|1|0|6");
}

// compilers: series|snapshot|taken_at|compiler|specs

TEST_CASE("Builds of each compiler in each snapshot, by hand") {
    TempLedger ledger;
    const auto on = [](const std::string& day, const std::string& rest) {
        return fmt::format("develop|develop@{0}T00:00:00Z|{0}T00:00:00Z|{1}", day, rest);
    };
    ledger.take("2025-03-01",
                {{"zlib", {with_compiler("b", "gcc@13.1.0"), with_compiler("c", "none")}}});
    ledger.take("2025-03-02", {{"zlib", {with_compiler("c", "none"), in_stacks("d", {"ml"})}},
                               {"hwloc", {with_compiler("e", "gcc@9.5.0")}}});
    ledger.take("2025-03-03", {{"zlib", {with_compiler("c", "none")}},
                               {"hwloc", {with_compiler("e", "gcc@9.5.0")}}});
    const Lines rows = report_rows(ledger, "history/compilers", {{"package", "zlib"}});
    REQUIRE(rows.size() >= 6);
    CHECK(rows[0] == on("2025-03-01", "NULL|1"));
    CHECK(rows[1] == on("2025-03-01", "gcc@13.1.0|1"));
    CHECK(std::ranges::count(rows, on("2025-03-02", "gcc@13.1.0|0")) == 1);
    CHECK(std::ranges::count(rows, on("2025-03-03", "NULL|1")) == 1);
    CHECK(std::ranges::count(report_rows(ledger, "history/compilers"),
                             on("2025-03-03", "gcc@9.5.0|1")) == 1);
    CHECK(report_rows(ledger, "history/compilers", {{"stack", "ml"}}).size() == 2);
}

// causes: series|snapshot|taken_at|cause|added|removed

TEST_CASE("The causes of each snapshot are those of its drift") {
    TempLedger ledger;
    const std::vector<std::string> days = {"2025-03-01", "2025-03-02", "2025-03-03", "2025-03-04"};
    ledger.take(days[0], {{"zlib", {with_version("b", "1.0"), spec("c")}}});
    ledger.take(days[1], {{"zlib", {with_version("d", "1.1"), spec("e")}}, {"hwloc", {spec("f")}}});
    ledger.take(days[2], {{"zlib", {with_version("d", "1.1"), spec("e")}}, {"hwloc", {spec("f")}}});
    ledger.take(days[3], {{"zlib", {spec("g"), spec("h")}}});
    Lines expected;
    for (std::size_t i = 1; i < days.size(); ++i) {
        const std::string name = fmt::format("develop@{}T00:00:00Z", days[i]);
        for (const std::string& row : report_rows(
                 ledger, "drift/summary",
                 {{"from", fmt::format("develop@{}T00:00:00Z", days[i - 1])}, {"to", name}})) {
            if (!row.ends_with("|0|0")) {
                expected.push_back(fmt::format("develop|{}|{}T00:00:00Z|{}", name, days[i], row));
            }
        }
    }
    CHECK(expected.size() > 4);
    const Arguments all = {{"last", std::int64_t{100}}};
    CHECK(report_rows(ledger, "history/causes", all) == expected);
    std::erase_if(expected, [&](const std::string& row) {
        return row.find(days[3] + "T00:00:00Z|") == std::string::npos;
    });
    CHECK(report_rows(ledger, "history/causes", {{"last", std::int64_t{1}}}) == expected);
}

// packages: series|package|version|first_seen|last_seen|specs_now|specs_ever

TEST_CASE("Package versions first and last seen, by hand") {
    TempLedger ledger;
    // 1.0 is in the first two; 1.1 in the second, and again in the last, with one more spec;
    // hwloc is not given in the third, which is no sighting.
    ledger.take("2025-03-01", {{"hwloc", {spec("b")}}, {"zlib", {with_version("c", "1.0")}}});
    ledger.take("2025-03-02", {{"hwloc", {spec("b")}},
                               {"zlib", {with_version("c", "1.0"), with_version("d", "1.1")}}});
    ledger.take("2025-03-03", {{"zlib", {}}}, partial);
    ledger.take("2025-03-04", {{"zlib", {with_version("d", "1.1"), with_version("e", "1.1")}}});
    CHECK(report_rows(ledger, "history/packages") ==
          Lines{
              "develop|hwloc|1.0|2025-03-01T00:00:00Z|2025-03-02T00:00:00Z|0|1",
              "develop|zlib|1.0|2025-03-01T00:00:00Z|2025-03-02T00:00:00Z|0|1",
              "develop|zlib|1.1|2025-03-02T00:00:00Z|2025-03-04T00:00:00Z|2|2",
          });
    CHECK(report_rows(ledger, "history/packages", {{"package", "hw*"}}).size() == 1);
    CHECK(report_rows(ledger, "history/packages", {{"series", "v*"}}).empty());
}

TEST_CASE("A package was last seen where it was last observed") {
    TempLedger ledger;
    // mpich is first seen on the second, and its page can't be read on the third and the fifth.
    ledger.take("2025-03-01", {{"zlib", {spec("b")}}}, partial);
    ledger.take("2025-03-02", {{"mpich", {spec("c")}}, {"zlib", {spec("b")}}});
    take_without_mpich(ledger, "2025-03-03", {{"zlib", {spec("b")}}});
    ledger.take("2025-03-04", {{"mpich", {spec("c")}}}, partial);
    take_without_mpich(ledger, "2025-03-05", {{"zlib", {spec("b")}}});
    CHECK(report_rows(ledger, "history/packages") ==
          Lines{
              "develop|mpich|1.0|2025-03-02T00:00:00Z|2025-03-04T00:00:00Z|1|1",
              "develop|zlib|1.0|2025-03-01T00:00:00Z|2025-03-05T00:00:00Z|1|1",
          });
}

// rebuilds: series|package|snapshots|specs|last_rebuilt

TEST_CASE("Most rebuilt packages, by hand") {
    TempLedger ledger;
    // zlib: b -> d on the second (c stays), c -> e and d -> f on the third, nothing on the fourth.
    // hwloc: b -> c, d on the second is one rebuilt and one copy; a new version on the third is
    // none.
    ledger.take("2025-03-01", {{"hwloc", {spec("hb")}}, {"zlib", {spec("zb"), spec("zc")}}});
    ledger.take("2025-03-02",
                {{"hwloc", {spec("hc"), spec("hd")}}, {"zlib", {spec("zc"), spec("zd")}}});
    ledger.take("2025-03-03",
                {{"hwloc", {with_version("he", "2.0")}}, {"zlib", {spec("ze"), spec("zf")}}});
    ledger.take("2025-03-04",
                {{"hwloc", {with_version("he", "2.0")}}, {"zlib", {in_stacks("ze", {"ml"})}}});
    CHECK(report_rows(ledger, "history/rebuilds") ==
          Lines{"develop|zlib|2|3|2025-03-03T00:00:00Z", "develop|hwloc|1|1|2025-03-02T00:00:00Z"});
    CHECK(report_rows(ledger, "history/rebuilds", {{"package", "hw*"}}).size() == 1);
}

TEST_CASE("Where a compiler is missing, rebuilt specs are counted for all compilers together") {
    TempLedger ledger;
    // gcc to none: one of two is rebuilt. Then none to two others: one rebuilt, one copy. Then,
    // with none left on either side, llvm stays, gcc to clang is another compiler.
    ledger.take("2025-03-01",
                {{"zlib", {with_compiler("b", "gcc@11.4.0"), with_compiler("c", "gcc@13.2.0")}}});
    ledger.take("2025-03-02", {{"zlib", {with_compiler("d", "none")}}});
    ledger.take("2025-03-03",
                {{"zlib", {with_compiler("e", "gcc@13.2.0"), with_compiler("f", "llvm@19")}}});
    ledger.take("2025-03-04",
                {{"zlib", {with_compiler("g", "aocc@5"), with_compiler("f", "llvm@19")}}});
    CHECK(report_rows(ledger, "history/rebuilds") ==
          Lines{"develop|zlib|2|2|2025-03-03T00:00:00Z"});
}

TEST_CASE("The values of a variant are in natural order") {
    TempLedger ledger;
    const std::vector<std::string> values = {"100", "70", "none", "9"};
    std::vector<PrintedSpec> specs;
    for (const std::string& value : values) {
        specs.push_back({.hash = hash_of(std::string(1, static_cast<char>('b' + specs.size()))),
                         .variants = {"cuda_arch=" + value}});
    }
    ledger.take("2025-03-01", {{"zlib", specs}});
    CHECK(report_rows(ledger, "coverage/variants", {{"at", "develop@2025-03-01T00:00:00Z"}}) ==
          Lines{"zlib|cuda_arch|none|1|4", "zlib|cuda_arch|9|1|4", "zlib|cuda_arch|70|1|4",
                "zlib|cuda_arch|100|1|4"});
}

// series: series|kind|tags|snapshots|first|newest|packages|specs

TEST_CASE("One line for each tag, and one for dated tags together") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {spec("b")}}});
    ledger.take("2025-03-05", {{"hwloc", {spec("h")}}, {"zlib", {spec("b"), spec("c")}}});
    ledger.take("2025-03-05", {{"zlib", {spec("b")}, "develop-2025-02-02", ""}});
    ledger.take("2025-03-05", {{"zlib", {}, "develop-2025-02-09", ""}});
    CHECK(report_rows(ledger, "history/series") ==
          Lines{
              "develop|pages|1|2|2025-03-01T00:00:00Z|develop@2025-03-05T00:00:00Z|2|3",
              "develop-*|pages|2|2|2025-02-02T00:00:00Z|develop-2025-02-09|0|0",
          });
    CHECK(report_rows(ledger, "history/series", {{"series", "develop"}}).size() == 1);
}

// findings: series|kind|snapshot|taken_at|before|findings

TEST_CASE("When findings came and went") {
    TempLedger ledger;
    const std::string wrong = R"({"num_specs": 9})";
    const auto page = [&](const std::string& package, const std::string& stem, bool is_wrong) {
        return PrintedPage{package, {spec(stem)}, "develop", is_wrong ? wrong : ""};
    };
    // Two pages disagree with themselves; on the second day one of mpich can't be read, and one
    // does not say how many specs it has any more. The third is not given the page of zlib. The
    // fourth has the same findings as the third, from another page; on the fifth none is left.
    ledger.take("2025-03-01", {page("hwloc", "h", true), page("zlib", "b", true)});
    take_without_mpich(ledger, "2025-03-02", {page("hwloc", "h", false), page("zlib", "b", true)});
    ledger.take("2025-03-03", {page("hwloc", "h", false)}, partial);
    ledger.take("2025-03-04", {page("hwloc", "h", false), page("zlib", "c", true)});
    ledger.take("2025-03-05", {page("hwloc", "h", false), page("zlib", "c", false)});
    const auto line = [](const std::string& kind, int day, const std::string& numbers) {
        const auto moment = fmt::format("2025-03-0{}T00:00:00Z", day);
        return fmt::format("develop|{}|develop@{}|{}|{}", kind, moment, moment, numbers);
    };
    const Lines of_pages = {line("meta-mismatch", 1, "0|2"), line("meta-mismatch", 2, "2|1"),
                            line("meta-mismatch", 5, "1|0")};
    Lines all = of_pages;
    all.push_back(line("page-unreadable", 2, "0|1"));
    all.push_back(line("page-unreadable", 3, "1|0"));
    CHECK(report_rows(ledger, "history/findings") == all);
    CHECK(report_rows(ledger, "history/findings", {{"kind", "meta*"}}) == of_pages);
    CHECK(report_rows(ledger, "history/findings", {{"package", "hwloc"}}) ==
          Lines{line("meta-mismatch", 1, "0|1"), line("meta-mismatch", 2, "1|0")});
    CHECK(report_rows(ledger, "history/findings", {{"series", "v*"}}).empty());
    // As many as the snapshots that observed all have.
    CHECK(ledger.rows("SELECT snapshot, count(*) FROM findings GROUP BY snapshot ORDER BY 1") ==
          Lines{"develop@2025-03-01T00:00:00Z|2", "develop@2025-03-02T00:00:00Z|2",
                "develop@2025-03-04T00:00:00Z|1"});
}

}  // namespace history_report_test
