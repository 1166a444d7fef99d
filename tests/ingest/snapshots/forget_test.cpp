#include "ingest/snapshots/forget.hpp"

#include <string>
#include <vector>

#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace forget_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

PrintedSpec spec(const std::string& stem, const std::vector<std::string>& stacks = {"e4s"}) {
    return {.hash = hash_of(stem), .stacks = stacks};
}

/// Loads a snapshot between two others, with all that may come with one, forgets it, and expects
/// every table and view to be what it was before.
void check_forgotten(const std::string& moment, const std::vector<PrintedPage>& pages,
                     const IngestOptions& options = {}) {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"hwloc", {spec("h")}}, {"zlib", {spec("y"), spec("z")}}});
    ledger.take("2025-03-03", {{"hwloc", {spec("h", {"ml"})}}, {"zlib", {spec("z")}}});
    const auto tables = ledger.tables_without_ids();
    const auto views = ledger.views();
    const IngestResult result = ledger.take(moment, pages, options);
    REQUIRE(result.loaded.size() == 1);
    forget(ledger.database(), result.loaded[0]);
    CHECK(ledger.tables_without_ids() == tables);
    CHECK(ledger.views() == views);
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

/// A page with words that no other has, and a finding.
PrintedPage strange_page() {
    PrintedSpec strange{.hash = hash_of("m"),
                        .version = "4.2",
                        .compiler = "llvm@19",
                        .platform = "darwin",
                        .os = "sequoia",
                        .target = "m1",
                        .variants = {"+fortran"},
                        .stacks = {"hep"}};
    return {"mpich", {strange}, "develop", R"({"num_specs": 7})"};
}

}  // namespace

TEST_CASE("A forgotten snapshot leaves nothing behind") {
    check_forgotten("2025-03-02", {strange_page()});
    check_forgotten("2025-02-28", {strange_page(), {"zlib", {spec("y")}}});
    check_forgotten("2025-03-04", {strange_page(), {"zlib", {spec("x", {"ml"})}}});
}

TEST_CASE("A forgotten snapshot that said nothing new leaves nothing behind") {
    check_forgotten("2025-03-02", {{"hwloc", {spec("h")}}, {"zlib", {spec("y"), spec("z")}}});
    check_forgotten("2025-03-04", {{"hwloc", {spec("h", {"ml"})}}, {"zlib", {spec("z")}}});
}

TEST_CASE("A forgotten partial snapshot leaves nothing behind") {
    IngestOptions options;
    options.partial = true;
    check_forgotten("2025-03-02", {strange_page()}, options);
    check_forgotten("2025-03-02", {{"zlib", {spec("z", {"ml"})}}}, options);
}

TEST_CASE("A forgotten snapshot of another series leaves nothing behind") {
    check_forgotten("2025-03-02", {{"zlib", {spec("z")}, "v1.0", ""}});
}

TEST_CASE("Forgetting all snapshots leaves a new ledger") {
    TempLedger ledger;
    const auto tables = ledger.tables();
    ledger.take("2025-03-01", {strange_page()});
    ledger.take("2025-03-02", {{"zlib", {spec("z")}}});
    for (const auto* name : {"latest~1", "latest"}) {
        forget(ledger.database(), name);
    }
    CHECK(ledger.tables() == tables);
}

TEST_CASE("The first snapshot is forgotten, and what follows begins later") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {spec("y"), spec("z")}}});
    ledger.take("2025-03-02", {{"zlib", {spec("z")}}});
    forget(ledger.database(), "latest~1");
    CHECK(ledger.rows("SELECT snapshot, hash, change FROM changes") ==
          Lines{"develop@2025-03-02T00:00:00Z|" + hash_of("z") + "|added"});
}

TEST_CASE("Findings of unreadable pages go with their snapshot") {
    TempLedger ledger;
    const auto before = ledger.tables();
    ledger.folder().write("pages/mpich.md", "---\ntitle: mpich\nspec_details: [\n---");
    ledger.folder().write("pages/zlib.md", PrintedPage{"zlib", {spec("z")}}.text());
    IngestOptions options;
    options.keep_going = true;
    ledger.ingest("2025-03-01", {(ledger.folder().path() / "pages").string()}, options);
    for (const std::string& name : ledger.rows("SELECT name FROM snapshots")) {
        forget(ledger.database(), name);
    }
    CHECK(ledger.tables() == before);
}

}  // namespace forget_test
