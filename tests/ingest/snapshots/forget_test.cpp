#include <fmt/format.h>

#include <string>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace forget_test {

using namespace cacheledger;

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

const std::string first = "develop@2022-03-01T00:00:00Z";
const std::string second = "develop@2022-03-02T00:00:00Z";
const std::string third = "develop@2022-03-03T00:00:00Z";

/// Pages of 2022 do not say in which stacks specs are. Here the first snapshot is such a one; the
/// second knows that b of zlib is in e4s, and that c and hwloc's d are in root alone; to the third
/// no page of zlib says so again. mpich has been built in between.
class UnknownStacks {
  public:
    UnknownStacks() {
        const PrintedPage hwloc{"hwloc", {{.hash = hash_of("d"), .stacks = {"root"}}}};
        const PrintedPage zlib{"zlib",
                               {{.hash = hash_of("b"), .stacks = {"e4s", "root"}},
                                {.hash = hash_of("c"), .stacks = {"root"}}}};
        ledger_.take("2022-03-01", {hwloc, zlib});
        ledger_.take("2022-03-02", {hwloc, zlib, {"mpich", {{.hash = hash_of("e")}}}});
        ledger_.take("2022-03-03", {hwloc, zlib, {"mpich", {{.hash = hash_of("e")}}}});
        // As if the first page had no stacks, and the third of zlib neither.
        ledger_.database().exec(R"(
            CREATE TEMP TABLE known AS SELECT * FROM presence;
            DELETE FROM presence;
            INSERT INTO presence
            SELECT series_id, package_id, look_id, spec_id, valid_from,
              (SELECT taken_at FROM snapshot WHERE name LIKE '%-02T%'), NULL, 1, 0
            FROM temp.known WHERE valid_from < (SELECT taken_at FROM snapshot WHERE name LIKE '%-02T%');
            INSERT INTO presence
            SELECT series_id, package_id, look_id, spec_id,
              (SELECT taken_at FROM snapshot WHERE name LIKE '%-02T%'),
              CASE WHEN package_id = (SELECT package_id FROM package WHERE name = 'zlib')
                THEN (SELECT taken_at FROM snapshot WHERE name LIKE '%-03T%') END,
              stack_set_id,
              valid_from = (SELECT taken_at FROM snapshot WHERE name LIKE '%-02T%'), 0
            FROM temp.known;
            INSERT INTO presence
            SELECT series_id, package_id, look_id, spec_id,
              (SELECT taken_at FROM snapshot WHERE name LIKE '%-03T%'), NULL, NULL, 0, 0
            FROM temp.known WHERE package_id = (SELECT package_id FROM package WHERE name = 'zlib'))");
    }

    Lines report(const std::string& name, const Arguments& arguments) {
        return report_rows(ledger_, name, arguments);
    }
    Lines drift(const std::string& name, const std::string& from, const std::string& to) {
        return report(name, {{"from", from}, {"to", to}});
    }
    TempLedger& ledger() { return ledger_; }

  private:
    TempLedger ledger_;
};

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
    check_forgotten("2025-03-02", {strange_page()}, {.partial = true});
    check_forgotten("2025-03-02", {{"zlib", {spec("z", {"ml"})}}}, {.partial = true});
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
    ledger.ingest("2025-03-01", {(ledger.folder().path() / "pages").string()},
                  {.keep_going = true});
    for (const std::string& name : ledger.rows("SELECT name FROM snapshots")) {
        forget(ledger.database(), name);
    }
    CHECK(ledger.tables() == before);
}

TEST_CASE("Unknown stacks are NULL in the views") {
    UnknownStacks unknown;
    TempLedger& ledger = unknown.ledger();
    CHECK(ledger.rows(fmt::format("SELECT package, stacks FROM specs WHERE snapshot = '{}' "
                                  "ORDER BY package, hash",
                                  third)) ==
          Lines{"hwloc|root", "mpich|e4s,root", "zlib|NULL", "zlib|NULL"});
    CHECK(ledger.value("SELECT count(*) FROM spec_stacks WHERE snapshot = '" + first + "'") == "0");
}

TEST_CASE("Getting to know stacks, or not any more, is no change") {
    UnknownStacks unknown;
    CHECK(unknown.ledger().rows(
              "SELECT snapshot, package, change FROM changes WHERE snapshot <> '" + first + "'") ==
          Lines{second + "|mpich|added"});
    for (const auto& [from, to] : {std::pair{first, second}, {second, third}, {first, third}}) {
        INFO(from << " -> " << to);
        CHECK(unknown.drift("drift/stacks", from, to).empty());
        CHECK(unknown.drift("drift/stacks", to, from).empty());
    }
    CHECK(unknown.drift("drift/specs", second, third).empty());
    CHECK(unknown.drift("drift/specs", first, third).size() == 1);  // mpich
}

TEST_CASE("Unknown stacks are not 'in no stack'") {
    UnknownStacks unknown;
    CHECK(unknown.report("coverage/stacks", {{"at", first}}).empty());
    CHECK(unknown.report("coverage/stacks", {{"at", second}}) ==
          Lines{"e4s|2|2|2|NULL|NULL|NULL", "(no stack)|2|2|2|NULL|NULL|NULL"});
    CHECK(unknown.report("coverage/stacks", {{"at", third}}) ==
          Lines{"e4s|1|1|1|NULL|NULL|NULL", "(no stack)|1|1|1|NULL|NULL|NULL"});
}

TEST_CASE("What is not known is not counted") {
    UnknownStacks unknown;
    // packages, versions, specs, looks, stacks, systems, targets, compilers, without compiler, in
    // no stack
    CHECK(unknown.report("coverage/summary", {{"at", first}}) ==
          Lines{"2|2|3|2|NULL|1|1|1|0|NULL"});
    CHECK(unknown.report("coverage/summary", {{"at", second}}) == Lines{"3|3|4|3|1|1|1|1|0|2"});
    CHECK(unknown.report("coverage/summary", {{"at", third}}) == Lines{"3|3|4|3|1|1|1|1|0|1"});
    CHECK(unknown.report("coverage/summary", {{"at", first}, {"package", "x*"}}) ==
          Lines{"0|0|0|0|0|0|0|0|0|0"});
    CHECK(unknown.report("coverage/packages", {{"at", third}}) ==
          Lines{"hwloc|1|1|0|1|1", "mpich|1|1|1|1|1", "zlib|1|2|NULL|1|1"});
    CHECK(unknown.report("coverage/versions", {{"at", third}}) ==
          Lines{"hwloc|1.0|1|", "mpich|1.0|1|e4s", "zlib|1.0|2|NULL"});
    CHECK(unknown.report("coverage/matrix", {{"at", first}}).empty());
    CHECK(unknown.report("coverage/gaps", {{"at", third}}).empty());
    CHECK(unknown.report("coverage/packages", {{"at", third}, {"stack", "e4s"}}) ==
          Lines{"mpich|1|1|1|1|1"});
}

TEST_CASE("A stay goes on where its stacks become known") {
    UnknownStacks unknown;
    CHECK(unknown.report("history/growth", {}).at(1) ==
          fmt::format("develop|{}|2022-03-02T00:00:00Z|3|4|1|0|14.3", second));
    CHECK(unknown.report("history/growth", {}).at(2) ==
          fmt::format("develop|{}|2022-03-03T00:00:00Z|3|4|0|0|0", third));
    CHECK(unknown.report("history/lifetime", {}).at(1) == "develop|1 to 7 days|0|1|0|3");
    CHECK(unknown.report("history/packages", {{"package", "zlib"}}) ==
          Lines{"develop|zlib|1.0|2022-03-01T00:00:00Z|2022-03-03T00:00:00Z|2|2"});
    CHECK(unknown.report("history/rebuilds", {}).empty());
}

TEST_CASE("Unknown options are no options that are off, and nothing to be alike in") {
    TempLedger ledger;
    ledger.take("2022-03-01", {{"zlib",
                                {{.hash = hash_of("b"), .variants = {"+mpi"}},
                                 {.hash = hash_of("c"), .variants = {"~mpi"}},
                                 {.hash = hash_of("d"), .variants = {"~mpi"}}}}});
    CHECK(report_rows(ledger, "coverage/variants", {{"at", first}}) ==
          Lines{"zlib|mpi|false|2|3", "zlib|mpi|true|1|3"});
    ledger.database().exec(
        "UPDATE look SET variant_set_id = NULL WHERE variant_set_id = "
        "(SELECT variant_set_id FROM variant_set WHERE variants = '~mpi')");
    CHECK(report_rows(ledger, "coverage/variants", {{"at", first}}) == Lines{"zlib|mpi|true|1|1"});
    CHECK(report_rows(ledger, "coverage/redundancy", {{"at", first}}).empty());
}

}  // namespace forget_test
