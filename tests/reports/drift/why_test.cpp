#include "reports/questions/diff/diff.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/why_rows.hpp"

namespace why_test {

using namespace cacheledger;

namespace {

/// A library under two programs, and the same with another library: "lib1", "app1", "tool1" and
/// "lib2", "app2", "tool2".
void add_two_states(GraphLedger& ledger, GraphNode before, GraphNode after) {
    before.stem = "lib1";
    after.stem = "lib2";
    for (const GraphNode& library : {before, after}) {
        const std::string number = library.stem.substr(3);
        ledger.add(library);
        ledger.add({"app" + number, "app", {{library.stem}}});
        ledger.add({"tool" + number, "tool", {{library.stem, "build"}, {"app" + number, "run"}}});
    }
    ledger.take({{"lib1", "app1", "tool1"}, {"lib2", "app2", "tool2"}});
}

GraphNode library() {
    return {"", "lib"};
}

}  // namespace

TEST_CASE("A rebuilt spec is explained by the new version of the package at its bottom") {
    GraphLedger ledger;
    GraphNode after = library();
    after.version = "1.1";
    add_two_states(ledger, library(), after);
    const Why why = explain(ledger);
    CHECK(why.rebuilt == 2);  // the library itself shows its new version
    CHECK(told(why) == Lines{"lib|own|version: 1.0 -> 1.1|2|2|1|2"});
    CHECK(to_text(why.reasons.rows.at(0).at(1)) == hash_of("lib2"));
    CHECK(summary_of(why) == "2 rebuilt, because lib changed from 1.0 to 1.1.");
}

TEST_CASE("The graph of reasons has a layer for each step away from what changed") {
    GraphLedger ledger;
    GraphNode after = library();
    after.version = "1.1";
    add_two_states(ledger, library(), after);
    const auto graph = [&](const Arguments& more) {
        Arguments arguments = {{"from", "develop@0"}, {"to", "develop@1"}};
        arguments.insert(more.begin(), more.end());
        return report_rows(ledger.ledger(), "drift/why-graph", arguments);
    };
    // layer|package|change|specs|dependents|dependency. tool depends on lib, too: it is as near.
    CHECK(graph({}) == Lines{
                           "0|lib|version: 1.0 -> 1.1|1|2|NULL",
                           "1|app|NULL|1|1|lib",
                           "1|tool|NULL|1|0|lib",
                       });
    CHECK(graph({{"reason", "other"}}).empty());
    CHECK(graph({{"layers", std::int64_t{0}}}).size() == 1);
}

TEST_CASE("What differs in the own attributes of a package is named") {
    GraphNode after = library();
    std::string change;
    SECTION("recipe") {
        after.recipe = "r2";
        change = "recipe";
    }
    SECTION("target") {
        after.target = "zen3";
        change = "target: x86_64_v3 -> zen3";
    }
    SECTION("variants") {
        after.variants = "+mpi ~shared";
        change = "+mpi; ~shared";
    }
    SECTION("external") {
        after.external_path = "/usr";
        change = "external: no -> /usr";
    }
    SECTION("flags") {
        after.flags = "cflags=-O2 -g";
        change = "flags: (none) -> cflags=-O2 -g";
    }
    SECTION("several") {
        after.version = "2.0";
        after.recipe = "r2";
        change = "version: 1.0 -> 2.0; recipe";
    }
    GraphLedger ledger;
    add_two_states(ledger, library(), after);
    const auto lines = told(explain(ledger));
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].starts_with("lib|own|" + change + "|"));
}

TEST_CASE("An attribute that one source does not give matches anything") {
    GraphNode after = library();
    after.recipe = std::nullopt;
    after.features = "avx avx2";
    GraphLedger ledger;
    add_two_states(ledger, library(), after);
    CHECK(told(explain(ledger)) == Lines{"lib|target-definition|features of the target|3|3|1|3"});
}

TEST_CASE("Where only the definition of the hash differs the reason says so, last of all") {
    GraphNode before = library();
    before.form = 4;
    GraphLedger ledger;
    ledger.add({"glue1", "glue"});
    GraphNode glue{"glue2", "glue"};
    glue.recipe = "r2";
    ledger.add(glue);
    before.stem = "lib1";
    ledger.add(before);
    ledger.add({"lib2", "lib"});
    ledger.add({"app1", "app", {{"lib1"}}}).add({"app2", "app", {{"lib2"}}});
    ledger.add({"tool1", "tool", {{"glue1"}}}).add({"tool2", "tool", {{"glue2"}}});
    ledger.take({{"app1", "tool1"}, {"app2", "tool2"}});
    CHECK(told(explain(ledger)) ==
          Lines{"glue|own|recipe|1|1|1|1", "lib|hash-definition|definition of the hash|1|1|1|1"});
}

TEST_CASE("Dependencies that came and went are reasons for all packages together") {
    GraphLedger ledger;
    ledger.add({"zlib1", "zlib"}).add({"zstd1", "zstd"});
    ledger.add({"app1", "app", {{"zlib1"}}}).add({"app2", "app", {{"zstd1"}}});
    ledger.add({"tool1", "tool", {{"zlib1"}}}).add({"tool2", "tool", {{"zstd1"}}});
    ledger.add({"view1", "view", {{"zlib1"}}}).add({"view2", "view", {{"zlib1", "build,link"}}});
    ledger.take({{"zlib1", "zstd1", "app1", "tool1", "view1"},
                 {"zlib1", "zstd1", "app2", "tool2", "view2"}});
    CHECK(summary_of(explain(ledger)) ==
          "3 rebuilt: 2 because several packages depend on zstd instead of zlib; 1 because view "
          "depends in another way on zlib.");
    CHECK(told(explain(ledger)) == Lines{"-|edges|removed: zlib; dependency added: zstd|2|2|2|2",
                                         "view|edges|edge: zlib|1|1|1|1"});
}

TEST_CASE("A build that uses another build that was there before says which") {
    GraphLedger ledger;
    GraphNode cmake{"cmake2", "cmake"};
    cmake.version = "3.27.9";
    ledger.add({"cmake1", "cmake"}).add(cmake);
    ledger.add({"app1", "app", {{"cmake1", "build"}}}).add({"app2", "app", {{"cmake2", "build"}}});
    ledger.take({{"cmake1", "cmake2", "app1"}, {"cmake1", "cmake2", "app2"}});
    const Why why = explain(ledger);
    CHECK(told(why) == Lines{"app|edges|uses: cmake 1.0 -> cmake 3.27.9|1|1|1|1"});
    CHECK(summary_of(why) == "1 rebuilt, because app uses cmake 3.27.9 instead of cmake 1.0.");
}

TEST_CASE("A build that came beside one that is still there has no arrow") {
    GraphLedger ledger;
    GraphNode after = library();
    after.stem = "lib2";
    after.version = "1.1";
    ledger.add({"lib1", "lib"}).add(after);
    ledger.add({"app1", "app", {{"lib1"}}}).add({"app2", "app", {{"lib2"}}});
    ledger.take({{"lib1", "app1"}, {"lib1", "app1", "lib2", "app2"}});
    const Why why = explain(ledger);
    CHECK(told(why) == Lines{"lib|own|beside; version: 1.1|1|1|1|1"});
    CHECK(summary_of(why) == "1 more copy, because lib 1.1 was added.");
}

TEST_CASE("The nearest earlier build is one that the new target runs") {
    GraphLedger ledger;
    const auto add = [&](const std::string& stem, const std::string& target,
                         const std::string& version) {
        GraphNode node = library();
        node.stem = stem;
        node.target = target;
        node.version = version;
        ledger.add(node);
    };
    add("arm", "aarch64", "1.0");
    add("lake", "icelake", "1.0");
    add("lib", "x86_64_v3", "0.9");
    add("new", "zen4", "1.0");
    ledger.add({"app1", "app", {{"lib"}}}).add({"app2", "app", {{"new"}}});
    ledger.take({{"arm", "lake", "lib", "app1"}, {"new", "app2"}});
    const auto lines = told(explain(ledger));
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].starts_with("lib|own|version: 0.9 -> 1.0; target: x86_64_v3 -> zen4|"));
}

TEST_CASE("A spec whose hash was a dependency before is pushed, and not explained") {
    GraphLedger ledger;
    ledger.add({"lib1", "lib"}).add({"lib3", "lib"});
    ledger.add({"app1", "app", {{"lib1"}}});
    ledger.take({{"app1", "lib3"}, {"app1", "lib3", "lib1"}});
    const Why why = explain(ledger);
    CHECK(why.pushed == 1);
    CHECK(why.rebuilt == 0);
    CHECK(told(why).empty());
}

TEST_CASE("A rebuilt spec without known dependencies is counted, and not explained") {
    GraphLedger ledger;
    GraphNode page{"app1", "app"};
    page.is_described = false;
    ledger.add(page);
    page.stem = "app2";
    ledger.add(page);
    ledger.take({{"app1"}, {"app2"}}, "pages");
    const Why why = explain(ledger);
    CHECK(why.unknown == 1);
    CHECK(remarks(why).at(0) ==
          "1 build with a new hash is not explained: pages do not list its dependencies.");
    CHECK(why.rebuilt == 0);
    CHECK(told(why).empty());
}

TEST_CASE("What only an index shows is not new against pages") {
    GraphLedger ledger;
    GraphNode page{"app1", "app"};
    page.is_described = false;
    ledger.add(page);
    GraphNode lib{"lib1", "lib"};
    lib.is_described = false;
    ledger.add(lib);
    GraphNode changed{"lib2", "lib"};
    changed.version = "1.1";
    ledger.add({"cmake2", "cmake"}).add(changed);
    ledger.add({"app2", "app", {{"cmake2", "build"}, {"lib2"}}});
    ledger.take({{"app1", "lib1"}, {"app2", "lib2"}}, "pages");
    const Why why = explain(ledger);
    CHECK(told(why) == Lines{"lib|own|version: 1.0 -> 1.1|1|1|1|1"});
    CHECK(remarks(why).size() == 1);
}

TEST_CASE("What is needed to link or to run is new against pages that do not list it") {
    GraphLedger ledger;
    GraphNode after = library();
    after.stem = "lib2";
    after.version = "1.1";
    ledger.add({"lib1", "lib"}).add(after);
    ledger.add({"app1", "app", {{"lib1"}}}).add({"app2", "app", {{"lib2"}}});
    ledger.take({{"app1", "lib1"}, {"app2"}}, "pages");
    CHECK(told(explain(ledger)) == Lines{"lib|own|version: 1.0 -> 1.1|1|1|1|1"});
}

TEST_CASE("What pages can't list is neither new nor earlier: externals, and what is built with") {
    GraphLedger ledger;
    GraphNode libc{"glibc2", "glibc"};
    libc.external_path = "/usr";
    GraphNode cmake{"cmake3", "cmake"};
    cmake.version = "3.27.9";
    ledger.add(libc).add({"curl2", "curl"}).add({"cmake2", "cmake", {{"curl2"}}}).add(cmake);
    GraphNode page{"app1", "app"};
    page.is_described = false;
    ledger.add(page);
    page = {"tool1", "tool"};
    page.is_described = false;
    ledger.add(page);
    ledger.add({"app2", "app", {{"glibc2"}, {"cmake2", "build"}}});
    ledger.add({"tool2", "tool", {{"glibc2"}, {"cmake3", "build"}}});
    ledger.take({{"app1", "tool1"}, {"app2", "tool2", "cmake3"}}, "pages");
    CHECK(told(explain(ledger)) ==
          Lines{"app|unexplained||1|1|1|1", "cmake|own|new package|1|1|1|1"});
}

TEST_CASE("Edges that are not part of the hash do not count") {
    GraphLedger ledger;
    GraphNode before{"app1", "app"};
    GraphNode after{"app2", "app"};
    ledger.add({"cmake1", "cmake"}).add({"cmake2", "cmake"});
    before.edges = {{"cmake1", "build"}};
    after.edges = {{"cmake2", "build"}};
    before.form = after.form = 2;
    before.recipe = after.recipe = std::nullopt;
    ledger.add(before).add(after);
    ledger.take({{"app1"}, {"app2"}});
    CHECK(told(explain(ledger)) == Lines{"app|unexplained||1|1|1|1"});
}

TEST_CASE("Where nothing differs and a text was written anew the reason says so") {
    GraphLedger ledger;
    ledger.add({"lib1", "lib"}).add({"lib2", "lib"});
    ledger.take({{"lib1"}, {"lib2"}});
    CHECK(told(explain(ledger)) == Lines{"lib|unexplained||1|1|1|1"});
    ledger.database().exec("UPDATE node SET hash_state = 'respelled' WHERE spec_id = 1");
    const Why why = explain(ledger);
    CHECK(told(why) == Lines{"lib|unexplained|respelled|1|1|1|1"});
    CHECK(to_text(document_of(why).parts().back().table.rows.at(0).at(3)) ==
          "another hash, and what differs is not known: another Spack rewrote the description");
    CHECK(summary_of(why) ==
          "1 rebuilt, because lib has another hash, and what differs is not known: another Spack "
          "rewrote the description.");
}

TEST_CASE("A compiler that is a dependency is a reason, not an own attribute") {
    GraphLedger ledger;
    for (const std::string number : {"1", "2"}) {
        GraphNode gcc{"gcc" + number, "gcc"};
        gcc.version = "1" + number + ".0";
        ledger.add(gcc);
        GraphNode app{"app" + number, "app", {{gcc.stem, "build", "c,cxx"}}};
        app.compiler = "gcc@" + gcc.version;
        app.compiler_from = "edge";
        ledger.add(app);
    }
    ledger.take({{"app1"}, {"app2"}});
    CHECK(told(explain(ledger)) == Lines{"gcc|own|version: 11.0 -> 12.0|1|1|1|1"});
}

TEST_CASE("The package and the stack limit what is explained, not what explains") {
    GraphLedger ledger;
    for (const std::string number : {"1", "2"}) {
        GraphNode lib{"lib" + number, "lib"};
        lib.recipe = "r" + number;
        ledger.add(lib);
        ledger.add({"app" + number, "app", {{lib.stem}}});
        ledger.add({"tool" + number, "tool", {{lib.stem}}});
    }
    ledger.take({{"lib1:root", "app1:e4s", "tool1:ml"}, {"lib2:root", "app2:e4s", "tool2:ml"}});
    CHECK(told(explain(ledger)) == Lines{"lib|own|recipe|3|3|1|3"});
    CHECK(told(explain(ledger, {{"package", "app"}})) == Lines{"lib|own|recipe|1|1|1|1"});
    CHECK(told(explain(ledger, {{"stack", "m*"}})) == Lines{"lib|own|recipe|1|1|1|1"});
}

TEST_CASE("A diff says in one line why specs were rebuilt, where dependencies are known") {
    GraphLedger ledger;
    GraphNode after = library();
    after.version = "1.1";
    add_two_states(ledger, library(), after);
    const Diff diff = compare_snapshots(ledger.database(), Catalog(), "develop@0", "develop@1", {});
    const auto said = remarks(diff);
    CHECK(std::ranges::count(said, "2 rebuilt, because lib changed from 1.0 to 1.1.") == 1);
}

}  // namespace why_test
