#include <fmt/format.h>

#include <tuple>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/why_rows.hpp"

namespace why_specs_test {

using namespace cacheledger;

namespace {

Lines told_from(GraphLedger& ledger, const std::string& from, const std::string& to) {
    return told(explain_specs(ledger.database(), hash_of(from), hash_of(to)));
}

GraphNode of_version(const std::string& version, GraphNode node) {
    node.version = version;
    return node;
}

}  // namespace

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

}  // namespace why_specs_test
