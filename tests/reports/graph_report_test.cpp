#include "reports/dependents/dependents.hpp"
#include "schema/basics/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_ledger.hpp"
#include "tests/support/report_rows.hpp"

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
