#include "reports/questions/dependents/dependents.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/shown.hpp"

namespace graph_report_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

/// zlib below curl (link) and cmake (link); curl and cmake (build) below app; python has nothing.
void add_programs(GraphLedger& ledger) {
    ledger.add({"zlib", "zlib"});
    ledger.add({"curl", "curl", {{"zlib"}}}).add({"cmake", "cmake", {{"zlib"}}});
    ledger.add({"app", "app", {{"curl", "link,run"}, {"cmake", "build"}}});
    ledger.add({"python", "python"});
}

DependentSpecs find(GraphLedger& ledger, const std::string& spec,
                    const std::string& deptypes = "build,link,run") {
    return find_dependents(ledger.database(), Catalog(), "develop@0", spec, deptypes);
}

}  // namespace

TEST_CASE("The dependents of a spec are counted directly and in all, by stack and package") {
    GraphLedger ledger;
    add_programs(ledger);
    ledger.take({{"zlib:e4s", "curl:e4s", "cmake:e4s,ml", "app:ml", "python:ml"}});
    const DependentSpecs found = find(ledger, hash_of("zlib"));
    CHECK(found.direct == 2);
    CHECK(found.all == 3);
    CHECK(found.packages.rows.size() == 3);
    REQUIRE(found.stacks.rows.size() == 2);
    CHECK(found.stacks.rows[0] == std::vector<Value>{"e4s", std::int64_t{2}, std::int64_t{2}});
    CHECK(found.stacks.rows[1] == std::vector<Value>{"ml", std::int64_t{1}, std::int64_t{2}});
    CHECK(find(ledger, "zlib").all == 3);
    CHECK(find(ledger, "/zlib").all == 3);
    CHECK(find(ledger, "cmake", "link,run").all == 0);
    CHECK(find(ledger, "cmake", "build").all == 1);
    CHECK_THROWS_AS(find(ledger, "zlob"), UsageError);
    CHECK_THROWS_AS(find(ledger, "/zzzz"), UsageError);
}

TEST_CASE("The dependents of a Spack spec are those of the builds that it asks for") {
    GraphLedger ledger;
    ledger.add({"glibc", "glibc"});
    ledger.add({.stem = "zo", .package = "zlib", .edges = {{"glibc"}}, .version = "1.2"});
    ledger.add({.stem = "zn", .package = "zlib", .version = "1.3.1", .variants = "~shared"});
    ledger.add({"app", "app", {{"zo"}}}).add({"tool", "tool", {{"zn"}}});
    ledger.add({.stem = "user", .package = "user", .edges = {{"tool", "run"}}});
    ledger.take({{"zo", "zn", "app", "tool", "user"}});
    const auto packages = [&](const std::string& spec) {
        Lines names;
        for (const auto& row : find(ledger, spec).dependents.rows) {
            names.push_back(to_text(row[0]));
        }
        return names;
    };
    CHECK(packages("zlib@1.3") == Lines{"tool", "user"});
    CHECK(packages("zlib @:1.2") == Lines{"app"});
    CHECK(packages("zlib+shared target=x86_64_v3") == Lines{"app"});
    CHECK(packages("zlib ~shared") == Lines{"tool", "user"});
    CHECK(packages("zlib ^glibc") == Lines{"app"});
    CHECK(packages("zlib/zn") == Lines{"tool", "user"});
    CHECK(packages("zlib@1:") == Lines{"app", "tool", "user"});
    CHECK(packages("~shared") == Lines{"tool", "user"});
    CHECK(packages("user+shared").empty());
    CHECK(find(ledger, "zlib   @1.3").spec == "zlib@1.3");
    CHECK_THROWS_WITH(
        find(ledger, "zlib@1.4"),
        "no spec of the ledger matches 'zlib@1.4'; for the nearest: cacheledger specs zlib@1.4");
    CHECK_THROWS_AS(find(ledger, "zlib@1.4"), UsageError);
    CHECK_THROWS_AS(find(ledger, "zlob@1.3"), UsageError);
    CHECK_THROWS_AS(find(ledger, "zlib@@1.3"), UsageError);
}

TEST_CASE("Dependents say how many specs may be meant, too") {
    GraphLedger ledger;
    GraphNode page{"page", "zlib"};
    page.is_described = false;
    ledger.add({"glibc", "glibc"}).add({"zlib", "zlib", {{"glibc"}}}).add(page);
    ledger.add({"app", "app", {{"zlib"}, {"page"}}}).add({"tool", "tool", {{"page"}}});
    ledger.take({{"app", "tool"}});
    CHECK(find(ledger, "zlib").undecided == 0);
    CHECK(find(ledger, "zlib").all == 2);
    const DependentSpecs found = find(ledger, "zlib ^glibc");
    CHECK(found.undecided == 1);
    CHECK(found.all == 1);
}

TEST_CASE("Two specs with one hash are asked for by their packages") {
    GraphLedger ledger;
    ledger.add({"same", "zlib"}).add({"app", "app", {{"same"}}});
    ledger.add({"same", "curl"}).add({"tool", "tool", {{"same"}}});
    ledger.take({{"app", "tool"}});
    CHECK(find(ledger, hash_of("same")).all == 2);
    CHECK(find(ledger, "zlib/same").all == 1);
}

TEST_CASE("A spec that is not in the snapshot has dependents there") {
    GraphLedger ledger;
    add_programs(ledger);
    ledger.take({{"app"}});
    CHECK(find(ledger, hash_of("zlib")).direct == 0);
    CHECK(find(ledger, hash_of("zlib")).all == 1);
}

TEST_CASE("Dependents say of how many specs the dependencies are not known") {
    GraphLedger ledger;
    add_programs(ledger);
    GraphNode page{"page", "page"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"app", "page"}});
    CHECK(find(ledger, "zlib").unknown == 1);
}

TEST_CASE("Where no dependencies are known the first line of dependents says so") {
    GraphLedger ledger;
    GraphNode page{"page", "zlib"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"page"}}, "pages");
    CHECK(shown(document_of(find(ledger, "zlib")))
              .starts_with(
                  "zlib at develop@0: nothing is known of what needs it: no source lists the "
                  "dependencies of the 1 build there.\n"));
}

TEST_CASE("A closure lacks what is neither in the snapshot nor external") {
    GraphLedger ledger;
    GraphNode glibc{"glibc", "glibc"};
    glibc.external_path = "/usr";
    ledger.add(glibc);
    ledger.add({"zlib", "zlib", {{"glibc"}}}).add({"cmake", "cmake"});
    ledger.add({"curl", "curl", {{"zlib"}, {"cmake", "build"}}});
    ledger.add({"app", "app", {{"curl", "run"}}});
    GraphNode page{"page", "page"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"app", "curl", "page"}, {"app", "curl", "zlib"}});
    CHECK(report_rows(ledger.ledger(), "audit/closure", {{"at", "develop@0"}}) ==
          Lines{"missing|zlib|1.0|" + hash_of("zlib") + "|2|2", "unknown|NULL|NULL|NULL|1|1"});
    CHECK(report_rows(ledger.ledger(), "audit/closure", {{"at", "develop@1"}}).empty());
}

TEST_CASE("Hashes are counted by what became of them, in the snapshot and below it") {
    GraphLedger ledger;
    add_programs(ledger);
    ledger.take({{"app", "curl"}});
    CHECK(report_rows(ledger.ledger(), "audit/hashes", {{"at", "develop@0"}}) ==
          Lines{"recomputed|2|2", "respelled|0|0", "spliced|0|0", "unknowable|0|0", "wrong|0|0",
                "unknown|0|0"});
}

}  // namespace graph_report_test
