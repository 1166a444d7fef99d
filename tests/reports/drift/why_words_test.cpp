#include <fmt/format.h>

#include <algorithm>

#include "reports/questions/why/reason_phrase.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/shown.hpp"
#include "tests/support/ledgers/why_rows.hpp"

namespace why_words_test {

using namespace cacheledger;

namespace {

GraphNode library() {
    return {"", "lib"};
}

}  // namespace

TEST_CASE("A spec that only joined a stack is not pushed") {
    GraphLedger ledger;
    ledger.add({"lib1", "lib"}).add({"app1", "app", {{"lib1"}}});
    ledger.take({{"app1:e4s"}, {"app1:e4s,ml", "lib1:ml"}});
    const Why why = explain(ledger, {{"stack", "ml"}});
    CHECK(why.pushed == 1);  // lib1
    CHECK(std::ranges::count(remarks(why),
                             "1 build only joined the stacks: develop@0 had it before.") == 1);
    CHECK(remarks(explain(ledger)).empty());
}

TEST_CASE(
    "Of two specs that are one, or of which one needs the other, nothing is to be explained") {
    GraphLedger ledger;
    ledger.add({"lib1", "lib"}).add({"app1", "app", {{"lib1"}}});
    const auto text = [&](const std::string& from, const std::string& to) {
        return shown(document_of(explain_specs(ledger.database(), hash_of(from), hash_of(to))));
    };
    CHECK(text("app1", "app1") ==
          fmt::format("{0} -> {0}: both are the same spec\n", hash_of("app1")));
    CHECK(text("app1", "lib1") ==
          fmt::format("{} -> {}: the second is a dependency of the first, and nothing is new\n",
                      hash_of("app1"), hash_of("lib1")));
}

TEST_CASE("Against a spec without known dependencies only the spec itself is compared") {
    GraphLedger ledger;
    GraphNode page{"app1", "app"};
    page.is_described = false;
    ledger.add(page).add({"lib2", "lib"}).add({"app2", "app", {{"lib2"}}});
    const Why why = explain_specs(ledger.database(), hash_of("app1"), hash_of("app2"));
    CHECK(told(why) == Lines{"app|unexplained||1|1|1|1"});
    CHECK(remarks(why) == Lines{"The dependencies of " + hash_of("app1") +
                                " are not known: only the specs themselves are compared."});
}

TEST_CASE("What was re-hashed is counted by cause where the cause is not only 'rebuilt'") {
    GraphLedger ledger;
    for (const std::string number : {"1", "2"}) {
        GraphNode gcc{"gcc" + number, "gcc"};
        gcc.version = "1" + number + ".0";
        ledger.add(gcc);
        GraphNode app{"app" + number, "app", {{gcc.stem, "build", "c,cxx"}}};
        app.compiler = "gcc@" + gcc.version;
        app.compiler_from = "edge";
        ledger.add(app);
        ledger.add({"tool" + number, "tool", {{gcc.stem, "build"}}});
    }
    ledger.add({"tool3", "tool", {{"gcc2", "build,run"}}});
    ledger.take({{"app1", "tool1"}, {"app2", "tool2", "tool3"}});
    CHECK(summary_of(explain(ledger))
              .value_or("")
              .starts_with("3 new hashes (1 rebuilt, 1 with another compiler, 1 more copy): "));
}

TEST_CASE("Rebuilt specs that are not explained are not among those that are counted") {
    GraphLedger ledger;
    GraphNode after = library();
    after.version = "1.1";
    after.stem = "lib2";
    ledger.add({"lib1", "lib"}).add(after);
    ledger.add({"app1", "app", {{"lib1"}}}).add({"app2", "app", {{"lib2"}}});
    GraphNode page{"tool1", "tool"};
    page.is_described = false;
    ledger.add(page);
    page.stem = "tool2";
    ledger.add(page);
    ledger.take({{"app1", "tool1"}, {"app2", "tool2"}});
    CHECK(summary_of(explain(ledger)) == "1 of 2 rebuilt, because lib changed from 1.0 to 1.1.");
}

TEST_CASE("Reasons that explain the same specs are named together") {
    GraphLedger ledger;
    for (const std::string number : {"1", "2"}) {
        for (const std::string name : {"gcc", "gmake", "lib"}) {
            GraphNode node{name + number, name};
            node.version = number;
            ledger.add(node);
        }
        ledger.add({"app" + number, "app", {{"gcc" + number}, {"gmake" + number}}});
        ledger.add({"tool" + number, "tool", {{"lib" + number}}});
        ledger.add({"view" + number, "view", {{"gcc" + number}, {"gmake" + number}}});
    }
    ledger.take({{"app1", "tool1", "view1"}, {"app2", "tool2", "view2"}});
    CHECK(summary_of(explain(ledger)) ==
          "3 rebuilt: 2 because gcc and gmake changed from 1 to 2; 1 because lib changed from 1 to "
          "2.");
}

TEST_CASE("A build that came beside another one is said in plain words") {
    GraphNode after = library();
    after.stem = "lib2";
    std::string words;
    SECTION("recipe") {
        after.recipe = "r2";
        words = "a build of lib with another recipe was added.";
    }
    SECTION("variants") {
        after.variants = "+mpi";
        words = "another build of lib (+mpi; +shared dropped) was added.";
    }
    GraphLedger ledger;
    ledger.add({"lib1", "lib"}).add(after);
    ledger.add({"app1", "app", {{"lib1"}}}).add({"app2", "app", {{"lib2"}}});
    ledger.take({{"lib1", "app1"}, {"lib1", "app1", "lib2", "app2"}});
    CHECK(summary_of(explain(ledger)).value_or("").ends_with(", because " + words));
}

TEST_CASE("Where no build is explained, the headline says why not") {
    GraphLedger ledger;
    GraphNode page{"app1", "app"};
    page.is_described = false;
    for (const std::string stem : {"app1", "app2", "app3", "tool1", "tool2"}) {
        page.stem = stem;
        page.package = stem.substr(0, stem.size() - 1);
        ledger.add(page);
    }
    const auto text = [&] { return shown(document_of(explain(ledger))); };
    SECTION("rebuilt") {
        ledger.take({{"app1", "tool1"}, {"app2", "tool2"}}, "pages");
        CHECK(
            text() ==
            "develop@0 -> develop@1: 2 rebuilt, none explained: pages do not list dependencies\n");
    }
    SECTION("copies, too") {
        ledger.take({{"app1", "tool1"}, {"app2", "app3", "tool2"}}, "pages");
        CHECK(
            text() ==
            "develop@0 -> develop@1: 2 rebuilt and 1 more copy, none explained: pages do not list "
            "dependencies\n");
    }
    SECTION("nothing to explain") {
        ledger.take({{"app1"}, {"app1"}}, "pages");
        CHECK(text() == "develop@0 -> develop@1: nothing was rebuilt\n");
    }
}

TEST_CASE("A reason says what became of a package") {
    const auto said = [](const std::string& kind, const std::string& change,
                         const std::string& package = "lib") {
        return reason_clause(
            {reason_phrase({package.empty() ? Value() : Value(package), Value(), kind, change})});
    };
    CHECK(said("own", "version: 1.0 -> 1.1; target: zen -> zen3") == "lib changed from 1.0 to 1.1");
    CHECK(said("own", "new package") == "the package lib was added");
    CHECK(said("own", "recipe") == "the recipe of lib changed");
    CHECK(said("own", "flags") == "the flags of lib changed");
    CHECK(said("own", "external: /usr -> /opt/gcc") == "external lib moved from /usr to /opt/gcc");
    CHECK(said("own", "external: /usr -> no") == "lib is no longer external (it was in /usr)");
    CHECK(said("own", "external: no -> /usr") == "lib is now external, in /usr");
    CHECK(said("own", "target: zen -> zen3") == "lib changed (target: zen -> zen3)");
    CHECK(said("own", "abi: none -> (none); api: (none) -> v18; +mpi") ==
          "lib changed (abi=none dropped; api=v18 added; +mpi)");
    CHECK(said("own", "beside; version: 2.0; +mpi") == "lib 2.0 was added");
    CHECK(said("own", "beside; patches") == "a build of lib with other patches was added");
    CHECK(said("own", "beside; external: /opt/lib") == "external lib in /opt/lib was added");
    CHECK(said("own", "beside; external: no") == "a build of lib that is not external was added");
    CHECK(said("own", "beside; abi: (none); ~mpi") ==
          "another build of lib (abi dropped; ~mpi) was added");
    CHECK(said("edges", "dependency added: zstd") == "lib depends on zstd now");
    CHECK(said("edges", "removed: zlib; removed: zstd", "") ==
          "several packages depend no longer on zlib and zstd");
    CHECK(said("edges", "virtuals: mpich; edge: zlib") ==
          "lib depends in another way on zlib and uses other virtuals of mpich");
    CHECK(said("target-definition", "") == "the definition of targets changed");
    CHECK(said("hash-definition", "") == "the definition of the hash changed");
    CHECK(said("unexplained", "") == "lib has another hash, and what differs is not known");
}

TEST_CASE("Reasons that say the same of several packages are one clause") {
    const auto phrase = [](const char* package, const char* change) {
        return reason_phrase({package, Value(), "own", change});
    };
    CHECK(reason_clause({phrase("gcc", "beside; version: 15.2.0"),
                         phrase("gcc-runtime", "beside; version: 15.2.0")}) ==
          "gcc 15.2.0 and gcc-runtime 15.2.0 were added");
    CHECK(reason_clause({phrase("rust", "recipe"), phrase("gcc", "version: 1 -> 2"),
                         phrase("llvm", "recipe")}) ==
          "the recipes of rust and llvm changed, and gcc changed from 1 to 2");
}

}  // namespace why_words_test
