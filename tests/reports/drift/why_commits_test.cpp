#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tuple>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/made_repository.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/shown.hpp"
#include "tests/support/ledgers/why_rows.hpp"

namespace why_commits_test {

using namespace cacheledger;

namespace {

/// The moments 0 and 1 of a GraphLedger become these two days.
constexpr const char* real_moments =
    "UPDATE snapshot SET taken_at = CASE taken_at WHEN 0 THEN 1765324800 ELSE 1765929600 END;"
    "UPDATE presence SET valid_from = CASE valid_from WHEN 0 THEN 1765324800 ELSE 1765929600 END, "
    "valid_to = CASE valid_to WHEN 1 THEN 1765929600 END;";  // 2025-12-10, 2025-12-17

/// gmake has another recipe, python another version, zlib another flag, and app uses them.
void fill(GraphLedger& ledger) {
    for (const std::string number : {"1", "2"}) {
        const bool is_new = number == "2";
        ledger.add({.stem = "gmake" + number, .package = "gmake", .recipe = is_new ? "r2" : "r1"});
        ledger.add(
            {.stem = "python" + number, .package = "python", .version = is_new ? "3.14" : "3.13"});
        ledger.add(
            {.stem = "zlib" + number, .package = "zlib", .flags = is_new ? "cflags=-O3" : ""});
        ledger.add({.stem = "app" + number,
                    .package = "app",
                    .edges = {{"gmake" + number}, {"python" + number}, {"zlib" + number}}});
        ledger.add({.stem = "tool" + number, .package = "tool", .edges = {{"gmake" + number}}});
    }
    ledger.take({{"gmake1", "python1", "zlib1", "app1", "tool1"},
                 {"gmake2", "python2", "zlib2", "app2", "tool2"}});
    ledger.database().exec(real_moments);
}

const std::vector<MadeCommit> commits = {
    {'a', "2025-12-10T00:00:00", "gmake: before", {"gmake"}},  // at the first snapshot
    {'b', "2025-12-15T10:00:00", "gmake: patch for newer glibc (#2345)", {"gmake", "zlib"}},
    {'c', "2025-12-16T10:00:00", "python: add 3.14", {"python"}},
    {'d', "2025-12-16T11:00:00", "python: <b>bold</b> | and more", {"python"}},
    {'e', "2025-12-17T00:00:00", "python: at the second snapshot", {"python"}},
    {'f', "2025-12-17T00:00:01", "python: too late", {"python", "gmake"}},
};

void add_commits(GraphLedger& ledger, const std::vector<MadeCommit>& made = commits,
                 const std::string& head_at = "2026-07-01T00:00:00") {
    ledger.database().exec(made_repository("2025-10-01T00:00:00", head_at, made));
}

std::string id(char digit) {
    return std::string(40, digit);
}

Lines lines_of_block(const Why& why) {
    Lines lines;
    for (const LabelledWords& line : part_of_commits(why.commits.value()).lines) {
        lines.push_back(fmt::format("{} {}", line.label, fmt::join(line.words, " ")));
    }
    return lines;
}

Lines told_from(GraphLedger& ledger, const std::string& from, const std::string& to) {
    return told(explain_specs(ledger.database(), hash_of(from), hash_of(to)));
}

GraphNode of_version(const std::string& version, GraphNode node) {
    node.version = version;
    return node;
}

}  // namespace

TEST_CASE("A reason names the commits that touched the recipe of its package in that time") {
    Filled<GraphLedger, fill> ledger;
    add_commits(ledger);
    const Why why = explain(ledger);
    CHECK(told(why) == Lines{"gmake|own|recipe|3|3|1|3",
                             "zlib|own|flags: (none) -> cflags=-O3|2|2|1|2",
                             "python|own|version: 3.13 -> 3.14|1|1|1|1"});
    CHECK(lines_of_block(why) ==
          Lines{"  gmake: bbbbbbb 2025-12-15 \"gmake: patch for newer glibc (#2345)\"",
                "  python: 3 commits, the newest eeeeeee 2025-12-17 \"python: at the second "
                "snapshot\""});
    const auto json = nlohmann::json::parse(shown(document_of(why), Format::json));
    const auto& reasons = json.at("reasons");
    const nlohmann::json commit = {{"commit", id('b')},
                                   {"committed_at", "2025-12-15T10:00:00Z"},
                                   {"subject", "gmake: patch for newer glibc (#2345)"}};
    CHECK(reasons[0]["commits"] == nlohmann::json::array({commit}));
    CHECK(reasons[1]["commits"].empty());  // flags are no part of a recipe
    REQUIRE(reasons[2]["commits"].size() == 3);
    CHECK(reasons[2]["commits"][2]["committed_at"] == "2025-12-17T00:00:00Z");  // the newest last
    CHECK(json.at("remarks").empty());
}

TEST_CASE("Without a package repository nothing is said of commits") {
    Filled<GraphLedger, fill> ledger;
    const Why why = explain(ledger);
    CHECK_FALSE(why.commits);
    CHECK(shown(document_of(why), Format::json).find("commits") == std::string::npos);
    CHECK(shown(document_of(why)).find("ommit") == std::string::npos);
}

TEST_CASE("That no commit touched a recipe is said, and when the repository is not known") {
    Filled<GraphLedger, fill> ledger;
    const std::vector<MadeCommit> old = {
        {'a', "2025-11-15T10:00:00", "all: old", {"gmake", "python"}}};
    SECTION("none in that time") {
        add_commits(ledger, old);
        CHECK(lines_of_block(explain(ledger)) ==
              Lines{"  no commit touched gmake from 2025-12-10 to 2025-12-17, but the builds "
                    "before and "
                    "after have different recipes",
                    "  no commit touched python from 2025-12-10 to 2025-12-17"});
    }
    SECTION("the repository was read before") {
        add_commits(ledger, old, "2025-12-12T00:00:00");
        const Why why = explain(ledger);
        CHECK(lines_of_block(why) ==
              Lines{"  no commit is known of gmake and python: the package repository is known to "
                    "2025-12-12 only"});
        CHECK(remarks(why) == Lines{"The package repository is known to 2025-12-12 only: other "
                                    "commits may be missing."});
    }
    SECTION("the repository begins later") {
        ledger.database().exec(made_repository("2025-12-12T00:00:00", "2026-07-01T00:00:00",
                                               {{'a', "2025-12-12T00:00:00", "all", {"gmake"}}}));
        CHECK(
            lines_of_block(explain(ledger)) ==
            Lines{"  no commit is known of gmake: the package repository is known from 2025-12-12 "
                  "on only",
                  "  the package repository has no recipe of builtin.python"});
    }
    SECTION("the recipe of another namespace is another recipe") {
        add_commits(ledger, {{'a', "2025-12-15T10:00:00", "gmake", {"acme.gmake"}}});
        CHECK(lines_of_block(explain(ledger)) ==
              Lines{"  the package repository has no recipe of builtin.gmake and builtin.python"});
    }
}

TEST_CASE("drift/commits gives the commits that can explain most builds first") {
    Filled<GraphLedger, fill> ledger;
    const Arguments pair = {{"from", "develop@0"}, {"to", "develop@1"}};
    CHECK(report_rows(ledger.ledger(), "drift/commits", pair).empty());
    add_commits(ledger);
    const std::string version = "version: 3.13 -> 3.14";
    // commit_id|committed_at|package|subject|specs|packages|reasons|change
    CHECK(report_rows(ledger.ledger(), "drift/commits", pair) ==
          Lines{id('b') +
                    "|2025-12-15T10:00:00Z|gmake|gmake: patch for newer glibc (#2345)|3|3|1|recipe",
                id('c') + "|2025-12-16T10:00:00Z|python|python: add 3.14|1|1|1|" + version,
                id('d') + "|2025-12-16T11:00:00Z|python|python: <b>bold</b> | and more|1|1|1|" +
                    version,
                id('e') + "|2025-12-17T00:00:00Z|python|python: at the second snapshot|1|1|1|" +
                    version,
                "NULL|NULL|zlib|NULL|2|2|1|flags: (none) -> cflags=-O3"});
}

TEST_CASE("Two specs are compared wherever they are") {
    GraphLedger ledger;
    GraphNode after{"lib2", "lib"};
    after.recipe = "r2";
    ledger.add({"lib1", "lib"}).add(after);
    ledger.add({"app1", "app", {{"lib1"}}}).add({"app2", "app", {{"lib2"}}});
    const Why why = explain_specs(ledger.database(), hash_of("app1"), hash_of("app2"));
    CHECK(why.rebuilt == 1);
    CHECK(told(why) == Lines{"lib|own|recipe|1|1|1|1"});
    CHECK(summary_of(why) == "1 rebuilt, because the recipe of lib changed.");
}

TEST_CASE("A compiler is compared with the one that it replaced, even if that built it") {
    GraphLedger ledger;
    GraphNode gcc14 = of_version("14", {"gcc14", "gcc"});
    gcc14.external_path = "/usr";
    ledger.add(gcc14).add(of_version("14", {"lib14", "gcc-runtime", {{"gcc14", "build"}}}));
    ledger.add({"curl14", "curl", {{"gcc14", "build", "c"}, {"lib14"}}});
    ledger.add(of_version("15", {"gcc15", "gcc", {{"gcc14", "build", "c"}, {"curl14"}}}));
    ledger.add(of_version("15", {"lib15", "gcc-runtime", {{"gcc15", "build"}}}));
    ledger.add({"curl15", "curl", {{"gcc15", "build", "c"}, {"lib15"}}});
    CHECK(told_from(ledger, "curl14", "curl15") ==
          Lines{"gcc|own|version: 14 -> 15; external: /usr -> no|1|1|1|1",
                "gcc-runtime|own|version: 14 -> 15|1|1|1|1"});
    CHECK(told_from(ledger, "curl15", "curl14") ==
          Lines{"gcc|own|version: 15 -> 14; external: no -> /usr|1|1|1|1",
                "gcc-runtime|own|version: 15 -> 14|1|1|1|1"});
    CHECK(told_from(ledger, "gcc15", "gcc14") ==
          Lines{"gcc|own|version: 15 -> 14; external: no -> /usr|1|1|1|1"});
}

TEST_CASE("Below a pair that differs in nothing itself its dependencies are compared by name") {
    GraphLedger ledger;
    ledger.add(of_version("3.9", {"py9", "python"})).add(of_version("3.10", {"py10", "python"}));
    // Each side has both pythons: one of them builds, the other runs.
    for (const auto& [end, builds, runs] :
         {std::tuple("a", "py9", "py10"), std::tuple("b", "py10", "py9")}) {
        ledger.add({fmt::format("meson{}", end), "meson", {{builds, "build,run"}}});
        ledger.add({fmt::format("app{}", end),
                    "app",
                    {{fmt::format("meson{}", end), "build"}, {"py9", "test"}, {runs, "run"}}});
    }
    CHECK(told_from(ledger, "mesona", "mesonb") ==
          Lines{"python|own|version: 3.9 -> 3.10|1|1|1|1"});
    CHECK(told_from(ledger, "appa", "appb") == Lines{"python|own|version: 3.10 -> 3.9|1|1|1|1",
                                                     "python|own|version: 3.9 -> 3.10|1|1|1|1"});
}

TEST_CASE("Of two dependencies of a name those for the same virtuals are compared") {
    GraphLedger ledger;
    for (const std::string version : {"12", "13", "14", "15"}) {
        ledger.add(of_version(version, {"gcc" + version, "gcc"}));
    }
    const auto add = [&](const std::string& stem, const std::string& c,
                         const std::string& fortran) {
        ledger.add({stem, "app", {{c, "build", "c,cxx"}, {fortran, "build", "fortran"}}});
    };
    add("old", "gcc14", "gcc13");
    add("new", "gcc15", "gcc13");
    add("both", "gcc15", "gcc14");
    add("swapped", "gcc13", "gcc14");
    CHECK(told_from(ledger, "old", "new") == Lines{"gcc|own|version: 14 -> 15|1|1|1|1"});
    CHECK(told_from(ledger, "old", "both") ==
          Lines{"gcc|own|version: 13 -> 14|1|1|1|1", "gcc|own|version: 14 -> 15|1|1|1|1"});
    CHECK(told_from(ledger, "old", "swapped").size() == 2);
    // Without virtuals what both have is left out.
    ledger.add({"early", "app", {{"gcc12", "build"}, {"gcc13", "build"}}});
    ledger.add({"late", "app", {{"gcc13", "build"}, {"gcc15", "build"}}});
    CHECK(told_from(ledger, "early", "late") == Lines{"gcc|own|version: 12 -> 15|1|1|1|1"});
}

TEST_CASE("A build that takes the place of several is compared with each, in both directions") {
    GraphLedger ledger;
    GraphNode other{"zlibc", "zlib"};
    other.recipe = "r2";
    ledger.add({"zliba", "zlib"}).add(of_version("1.1", {"zlibb", "zlib"})).add(other);
    ledger.add({"liba", "lib", {{"zliba"}}}).add({"libc", "lib", {{"zlibc"}}});
    ledger.add({"appa", "app", {{"liba"}, {"zliba"}}}).add({"appb", "app", {{"libc"}, {"zlibb"}}});
    CHECK(told_from(ledger, "appa", "appb") ==
          Lines{"zlib|own|version: 1.0 -> 1.1|1|1|1|1", "zlib|own|recipe|1|1|1|1"});
    CHECK(told_from(ledger, "appb", "appa") ==
          Lines{"zlib|own|version: 1.1 -> 1.0|1|1|1|1", "zlib|own|recipe|1|1|1|1"});
}

TEST_CASE(
    "A change of the build itself does not hide those of its dependencies, direct ones first") {
    GraphLedger ledger;
    ledger.add({"mpi1", "mpich"}).add(of_version("2.0", {"zlib2", "zlib"})).add({"zlib1", "zlib"});
    ledger.add(of_version("1.1", {"a2", "abi"})).add({"a1", "abi"});
    ledger.add({"lib1", "lib", {{"a1"}}}).add({"lib2", "lib", {{"a2"}}});
    ledger.add({"app1", "app", {{"lib1"}, {"zlib1", "link"}}});
    GraphNode app{"app2", "app", {{"lib2"}, {"zlib2", "build,link"}}};
    ledger.add(app);
    const Lines below = {"zlib|own|version: 1.0 -> 2.0|1|1|1|1",
                         "abi|own|version: 1.0 -> 1.1|1|1|1|1"};
    CHECK(told_from(ledger, "app1", "app2") ==
          Lines{"app|edges|edge: zlib|1|1|1|1", below[0], below[1]});
    app.stem = "app3";
    app.edges[1].deptypes = "link";
    app.recipe = "r2";
    ledger.add(app);
    const Why why = explain_specs(ledger.database(), hash_of("app1"), hash_of("app3"));
    CHECK(told(why) == Lines{"app|own|recipe|1|1|1|1", below[0], below[1]});
    CHECK(summary_of(why) ==
          "1 rebuilt, because the recipe of app changed, and zlib changed from "
          "1.0 to 2.0; 1 more reason.");
    app.stem = "app4";
    app.edges.push_back({"mpi1"});
    ledger.add(app);
    CHECK(told_from(ledger, "app1", "app4") == Lines{"app|edges|dependency added: mpich|1|1|1|1",
                                                     "app|own|recipe|1|1|1|1", below[0], below[1]});
    CHECK(told_from(ledger, "app4", "app1").size() == 4);
    // What changed in a dependency explains it: what that depends on is not told.
    ledger.add({"top1", "top", {{"app1"}}}).add({"top4", "top", {{"app4"}}});
    CHECK(told_from(ledger, "top1", "top4") == Lines{"app|own|recipe|1|1|1|1"});
}

}  // namespace why_commits_test
