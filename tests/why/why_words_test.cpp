#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "reports/why/why_renderer.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/why_rows.hpp"

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
                             "1 spec only joined the stacks: the cache had it before.") == 1);
    CHECK(remarks(explain(ledger)).empty());
}

TEST_CASE(
    "Of two specs that are one, or of which one needs the other, nothing is to be explained") {
    GraphLedger ledger;
    ledger.add({"lib1", "lib"}).add({"app1", "app", {{"lib1"}}});
    const auto text = [&](const std::string& from, const std::string& to) {
        std::ostringstream out;
        render_why_text(explain_specs(ledger.database(), hash_of(from), hash_of(to)), {}, 20, out);
        return out.str();
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
              .starts_with("3 re-hashed (1 rebuilt, 1 with another compiler, 1 copy): "));
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
    CHECK(summary_of(explain(ledger)) == "1 of 2 rebuilt: 1 by lib 1.0 -> 1.1");
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
          "3 rebuilt: 2 by gcc 1 -> 2 and gmake 1 -> 2, 1 by lib 1 -> 2");
}

TEST_CASE("A build that came beside another one is said in plain words") {
    GraphNode after = library();
    after.stem = "lib2";
    std::string words;
    SECTION("recipe") {
        after.recipe = "r2";
        words = "a further build of lib with another recipe";
    }
    SECTION("variants") {
        after.variants = "+mpi";
        words = "a further build of lib (+mpi; +shared dropped)";
    }
    GraphLedger ledger;
    ledger.add({"lib1", "lib"}).add(after);
    ledger.add({"app1", "app", {{"lib1"}}}).add({"app2", "app", {{"lib2"}}});
    ledger.take({{"lib1", "app1"}, {"lib1", "app1", "lib2", "app2"}});
    CHECK(summary_of(explain(ledger)).value_or("").ends_with(" by " + words));
}
