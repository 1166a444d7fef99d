#include <fmt/format.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace stack_report_test {

// The reports that compare stacks, with each other or with themselves at another moment.
using namespace cacheledger;

namespace {

PrintedSpec spec(const std::string& stem, const std::vector<std::string>& stacks,
                 const std::string& version = "1.0") {
    return {.hash = hash_of(stem), .version = version, .stacks = stacks};
}

const std::string first = "develop@2025-03-01T00:00:00Z";
const std::string second = "develop@2025-03-02T00:00:00Z";

/// The same specs, in one snapshot and the next, of which no page gives the stacks any more.
void forget_stacks(TempLedger& ledger, const std::string& stem) {
    ledger.database().exec(
        "UPDATE presence SET stack_set_id = NULL WHERE spec_id IN (SELECT "
        "spec_id FROM spec WHERE hash = '" +
        hash_of(stem) + "')");
}

}  // namespace

// drift/by-stack: stack|added|removed|gained_or_lost|version|target|compiler|variants|rebuilt|
// copies|joined_stack|left_stack

TEST_CASE("Drift by stack counts a spec in each of its stacks, and who joined and left them") {
    TempLedger ledger;
    // zlib b is rebuilt as c, in e4s and ml; d moves from e4s to ml; e leaves its only stack. hwloc
    // comes in ml. Nothing of radiuss changes.
    ledger.take("2025-03-01", {{"curl", {spec("a", {"radiuss"})}},
                               {"zlib",
                                {spec("b", {"e4s", "ml", "root"}), spec("d", {"e4s", "root"}),
                                 spec("e", {"e4s", "root"})}}});
    ledger.take(
        "2025-03-02",
        {{"curl", {spec("a", {"radiuss"})}},
         {"hwloc", {spec("h", {"ml"})}},
         {"zlib",
          {spec("c", {"e4s", "ml", "root"}), spec("d", {"ml", "root"}), spec("e", {"root"})}}});
    const Arguments pair = {{"from", first}, {"to", second}};
    CHECK(report_rows(ledger, "drift/by-stack", pair) == Lines{"e4s|1|1|0|0|0|0|0|2|0|0|2",
                                                               "ml|2|1|1|0|0|0|0|2|0|1|0",
                                                               "(no stack)|0|0|0|0|0|0|0|0|0|1|0"});
    // Within e4s, what left it is removed: one of three is rebuilt, and two copies are fewer.
    Arguments within = pair;
    within["stack"] = "e4s";
    CHECK(report_rows(ledger, "drift/by-stack", within) == Lines{"e4s|1|3|0|0|0|0|0|2|2|0|0"});
    Arguments of_hwloc = pair;
    of_hwloc["package"] = "hw*";
    CHECK(report_rows(ledger, "drift/by-stack", of_hwloc) == Lines{"ml|1|0|1|0|0|0|0|0|0|0|0"});
}

TEST_CASE("Drift by stack counts the specs of which no page gives the stacks") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {}}});
    ledger.take("2025-03-02", {{"zlib", {spec("b", {"e4s"}), spec("c", {"e4s"})}}});
    forget_stacks(ledger, "c");
    CHECK(report_rows(ledger, "drift/by-stack", {{"from", first}, {"to", second}}) ==
          Lines{"(unknown)|1|0|1|0|0|0|0|0|0|0|0", "e4s|1|0|1|0|0|0|0|0|0|0|0"});
}

// history/stacks: series|stack|snapshot|taken_at|packages|specs|added|removed

TEST_CASE("Stacks from snapshot to snapshot, by hand") {
    TempLedger ledger;
    // e4s has zlib b and hwloc h; then c instead of b, and h goes to ml; then nothing is in it.
    ledger.take("2025-03-01", {{"hwloc", {spec("h", {"e4s", "root"})}},
                               {"zlib", {spec("b", {"e4s", "root"}), spec("n", {"root"})}}});
    ledger.take("2025-03-02", {{"hwloc", {spec("h", {"ml", "root"})}},
                               {"zlib", {spec("c", {"e4s", "root"}), spec("n", {"root"})}}});
    ledger.take("2025-03-03", {{"hwloc", {spec("h", {"ml", "root"})}}});
    ledger.take("2025-03-04", {{"hwloc", {spec("h", {"ml", "root"})}}});
    const auto line = [](const std::string& stack, int day, const std::string& numbers) {
        const auto moment = fmt::format("2025-03-0{}T00:00:00Z", day);
        return fmt::format("develop|{}|develop@{}|{}|{}", stack, moment, moment, numbers);
    };
    CHECK(report_rows(ledger, "history/stacks") ==
          Lines{line("e4s", 1, "2|2|2|0"), line("e4s", 2, "1|1|1|2"), line("e4s", 3, "0|0|0|1"),
                line("ml", 2, "1|1|1|0"), line("ml", 3, "1|1|0|0"), line("ml", 4, "1|1|0|0"),
                line("(no stack)", 1, "1|1|1|0"), line("(no stack)", 2, "1|1|0|0"),
                line("(no stack)", 3, "0|0|0|1")});
    CHECK(report_rows(ledger, "history/stacks", {{"stack", "m*"}}).size() == 3);
    CHECK(report_rows(ledger, "history/stacks", {{"package", "zlib"}, {"stack", "ml"}}).empty());
    CHECK(report_rows(ledger, "history/stacks", {{"series", "v*"}}).empty());
}

TEST_CASE("What is observed for the first time is in a stack, but not added to it") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {spec("b", {"e4s"})}}}, partial);
    ledger.take("2025-03-02", {{"hwloc", {spec("h", {"e4s"})}}, {"zlib", {spec("b", {"e4s"})}}});
    ledger.take("2025-03-03", {{"hwloc", {spec("h", {"e4s"})}}, {"zlib", {spec("b", {"e4s"})}}});
    CHECK(report_rows(ledger, "history/stacks").at(1) ==
          "develop|e4s|" + second + "|2025-03-02T00:00:00Z|2|2|0|0");
    forget_stacks(ledger, "h");
    CHECK(report_rows(ledger, "history/stacks").at(1) ==
          "develop|e4s|" + second + "|2025-03-02T00:00:00Z|1|1|0|0");
}

// coverage/stack-against-stack: stack|lacks|package|version|specs|other_versions

TEST_CASE("What one stack has and another has not") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"curl", {spec("a", {"e4s", "ml"})}},
                               {"hwloc", {spec("h", {"e4s"}), spec("i", {"e4s"}, "2.0")}},
                               {"mpich", {spec("m", {"root"})}},
                               {"zlib",
                                {spec("b", {"e4s"}, "1.10"), spec("c", {"ml"}, "1.9"),
                                 spec("d", {"e4s", "ml", "root"}, "1.2")}}});
    const auto rows = [&](Arguments arguments) {
        arguments["at"] = first;
        return report_rows(ledger, "coverage/stack-against-stack", arguments);
    };
    const Lines of_e4s = {"e4s|the other lacks the package|hwloc|1.0|1|NULL",
                          "e4s|the other lacks the package|hwloc|2.0|1|NULL",
                          "e4s|the other lacks this version|zlib|1.10|1|1.2,1.9"};
    const Lines of_ml = {"ml|the other lacks this version|zlib|1.9|1|1.2,1.10"};
    CHECK(rows({{"stack", "e4s"}, {"other", "ml"}}) == of_e4s);
    CHECK(rows({{"stack", "ml"}, {"other", "e4s"}}) == of_ml);
    CHECK(rows({{"stack", "ml"}, {"other", "*"}}) == of_ml);
    CHECK(rows({{"stack", "ml"}, {"other", "ml"}}).size() == 3);  // no other is like it
    CHECK(rows({{"stack", "e4s"}, {"other", "ml"}, {"package", "zl*"}}) == Lines{of_e4s[2]});
    CHECK(rows({{"stack", "(no stack)"}}) ==
          Lines{"(no stack)|the other lacks the package|mpich|1.0|1|NULL"});
    // root is compared if it is named.
    const Lines of_root = {"root|the other lacks the package|mpich|1.0|1|NULL"};
    CHECK(rows({{"stack", "root"}, {"other", "e4s"}}) == of_root);
    CHECK(rows({{"stack", "root"}}) == of_root);
    CHECK(rows({{"stack", "e4s"}, {"other", "root"}, {"package", "zlib"}}) ==
          Lines{"e4s|the other lacks this version|zlib|1.10|1|1.2"});
    Lines of_all = of_e4s;
    of_all.push_back(of_ml[0]);
    CHECK(rows({}) == of_all);
}

// coverage/against: has|lacks|package|item|specs|others|had

TEST_CASE("What one has and another lacks is for stacks what the report of stacks says") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"curl", {spec("a", {"e4s", "ml"})}},
                               {"hwloc", {spec("h", {"e4s"}), spec("i", {"e4s"}, "2.0")}},
                               {"mpich", {spec("m", {"root"})}},
                               {"zlib",
                                {spec("b", {"e4s"}, "1.10"), spec("c", {"ml"}, "1.9"),
                                 spec("d", {"e4s", "ml", "root"}, "1.2")}}});
    for (const std::string has : {"e4s", "ml", "root", "(no stack)", "*", "e*"}) {
        for (const Value& lacks : {Value("e4s"), Value("ml"), Value("root"), Value("*"), Value()}) {
            CAPTURE(has, to_text(lacks));
            Lines rows;
            for (std::string row : report_rows(ledger, "coverage/against",
                                               {{"at", first}, {"has", has}, {"lacks", lacks}})) {
                rows.push_back(row.substr(0, row.rfind('|')));  // without `had`
                rows.back().insert(rows.back().find('|') + 1, "the other lacks ");
            }
            CHECK(rows == report_rows(ledger, "coverage/stack-against-stack",
                                      {{"at", first}, {"stack", has}, {"other", lacks}}));
        }
    }
    // Holes at the top level, by hash.
    const auto row = [](const std::string& what, const std::string& stem) {
        return what + "|" + hash_of(stem) + "|1|NULL|";
    };
    CHECK(report_rows(ledger, "coverage/against",
                      {{"at", first}, {"lacks", "root"}, {"rows", "build"}}) ==
          Lines{row("e4s|the package|curl", "a") + "NULL",
                row("e4s|the package|hwloc", "h") + "NULL",
                row("e4s|the package|hwloc", "i") + "NULL",
                row("e4s|this build|zlib", "b") + "the package",
                row("ml|the package|curl", "a") + "NULL",
                row("ml|this build|zlib", "c") + "the package"});
}

TEST_CASE(
    "Targets, compilers and versions are compared, and what the other never had can be left") {
    GraphLedger ledger;
    const auto add = [&](const std::string& stem, const std::string& package,
                         const std::string& version, const std::string& target) {
        ledger.add({.stem = stem,
                    .package = package,
                    .version = version,
                    .target = target,
                    .compiler = "gcc@13",
                    .compiler_from = "node"});
    };
    add("a", "hdf5", "1.0", "zen3");
    add("b", "hdf5", "1.10", "zen4");
    add("c", "hdf5", "1.9", "zen4");
    add("d", "curl", "8.0", "zen4");
    add("e", "cuda", "12", "zen4");
    add("old", "curl", "8.0", "zen3");
    ledger.take({{"a", "old"}, {"a", "b", "c", "d", "e"}});
    const auto rows = [&](Arguments arguments) {
        arguments["at"] = "develop@1";
        return report_rows(ledger.ledger(), "coverage/against", arguments);
    };
    const Lines zen4 = {"zen4|the package|cuda|12|1|NULL|NULL",
                        "zen4|the package|curl|8.0|1|NULL|this",
                        "zen4|this version|hdf5|1.9|1|1.0|the package",
                        "zen4|this version|hdf5|1.10|1|1.0|the package"};
    CHECK(rows({{"by", "target"}, {"has", "zen4"}, {"lacks", "zen3"}}) == zen4);
    CHECK(rows({{"by", "target"}, {"has", "zen4"}, {"had", "yes"}}) ==
          Lines(zen4.begin() + 1, zen4.end()));
    CHECK(
        rows({{"by", "target"}, {"has", "zen4"}, {"lacks", "zen3"}, {"rows", "package"}}) ==
        Lines{"zen4|the package|cuda|NULL|1|NULL|NULL", "zen4|the package|curl|NULL|1|NULL|this"});
    CHECK(rows({{"by", "target"}, {"has", "zen3"}, {"lacks", "zen4"}}) ==
          Lines{"zen3|this version|hdf5|1.0|1|1.9,1.10|the package"});
    CHECK(rows({{"by", "version"},
                {"package", "hdf5"},
                {"has", "1.10"},
                {"lacks", "1.0"},
                {"rows", "target"}}) == Lines{"1.10|this target|hdf5|zen4|1|zen3|the package"});
    CHECK(rows({{"by", "compiler"}, {"has", "gcc@*"}}).size() == 5);  // there is no other
    CHECK(rows({{"by", "system"}, {"has", "linux-*"}, {"rows", "package"}}).size() == 3);
}

// coverage/no-stack: package|version|hash|compiler|platform|os|target|variants

TEST_CASE("Specs in no stack are those in none but root") {
    TempLedger ledger;
    ledger.take(
        "2025-03-01",
        {{"zlib",
          {spec("b", {"e4s", "root"}), spec("c", {"root"}), spec("d", {}), spec("e", {"root"})}}});
    forget_stacks(ledger, "e");
    const auto line = [](const std::string& stem) {
        return "zlib|1.0|" + hash_of(stem) +
               "|gcc@13.2.0|linux|ubuntu24.04|x86_64_v3|build_system=cmake";
    };
    CHECK(report_rows(ledger, "coverage/no-stack", {{"at", first}}) == Lines{line("c"), line("d")});
    CHECK(report_rows(ledger, "coverage/no-stack", {{"at", first}, {"package", "hw*"}}).empty());
}

// coverage/gaps: gap|package|stack|specs|siblings|siblings_with|siblings_average|lacking

TEST_CASE("Gaps come with the most lacking specs first, within families that can be given") {
    TempLedger ledger;
    std::vector<PrintedSpec> many;
    for (const std::string stem : {"a", "b", "c", "d"}) {
        many.push_back(spec("m" + stem, {"ml-a", "ml-b"}));
    }
    many.push_back(spec("me", {"e4s-x"}));
    many.push_back(spec("mf", {"ml-c"}));
    ledger.take("2025-03-01", {{"mpich", many}, {"zlib", {spec("z", {"ml-a", "ml-b", "e4s"})}}});
    const auto gaps = [&](const std::string& families, int percent = 33) {
        return report_rows(ledger, "coverage/gaps",
                           {{"at", first},
                            {"families", families.empty() ? Value{} : Value(families)},
                            {"percent", std::int64_t{percent}}});
    };
    CHECK(gaps("") == Lines{"few|mpich|ml-c|1|2|2|4|3", "missing|mpich|e4s|0|1|1|1|1",
                            "missing|zlib|e4s-x|0|1|1|1|1", "missing|zlib|ml-c|0|2|2|1|1"});
    // All in one; then in two, in which each is only of the first that it matches.
    CHECK(gaps("*") == Lines{"missing|mpich|e4s|0|4|4|2.5|2.5", "missing|zlib|e4s-x|0|4|3|1|1",
                             "missing|zlib|ml-c|0|4|3|1|1"});
    CHECK(gaps("ml-[ab], *") == Lines{"missing|mpich|e4s|0|2|2|1|1"});
    CHECK(gaps("ml-c, e4s-x").empty());
    CHECK(gaps("e4s-x,ml-c") == gaps("nothing"));
}

// The reports over the history and over one snapshot count the same.
TEST_CASE("The stacks of each snapshot in the history are those of coverage/stacks") {
    const std::vector<std::vector<std::string>> stacks = {
        {"e4s", "root"}, {"ml", "root"}, {"e4s", "ml"}, {"root"}, {}};
    std::size_t compared = 0;
    for (unsigned seed = 1; seed <= 15; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t bound) {
            return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
        };
        TempLedger ledger;
        for (int day = 1; day <= 6; ++day) {
            std::vector<PrintedPage> pages;
            for (const std::string package : {"hwloc", "mpich", "zlib"}) {
                const bool is_given = day == 1 || below(4) > 0;
                pages.push_back({package, {}});
                for (const std::string stem : {"a", "b", "c"}) {
                    if (is_given && below(3) > 0) {
                        pages.back().specs.push_back(
                            spec(stem + package, stacks[below(stacks.size())]));
                    }
                }
            }
            IngestOptions options{.partial = below(3) == 0};
            if (options.partial) {
                pages.erase(pages.begin());
            }
            ledger.take(fmt::format("2025-03-0{}", day), pages, options);
        }
        std::map<std::string, Lines> by_snapshot;
        for (const std::string& row : ledger.rows("SELECT name FROM snapshots")) {
            by_snapshot[row];
        }
        const Catalog catalog;
        for (const auto& row :
             run_report(ledger.database(), catalog.find("history/stacks"), {}).rows) {
            if (to_text(row[5]) != "0") {
                by_snapshot[to_text(row[2])].push_back(
                    fmt::format("{}|{}|{}", to_text(row[1]), to_text(row[4]), to_text(row[5])));
            }
        }
        for (const auto& [name, lines] : by_snapshot) {
            INFO("seed " << seed << ": " << name);
            Lines expected;
            for (const auto& row : run_report(ledger.database(), catalog.find("coverage/stacks"),
                                              {{"at", name}, {"package", "*"}})
                                       .rows) {
                expected.push_back(
                    fmt::format("{}|{}|{}", to_text(row[0]), to_text(row[1]), to_text(row[3])));
            }
            REQUIRE(lines == expected);
            compared += lines.size();
        }
    }
    CHECK(compared > 100);
}

}  // namespace stack_report_test
