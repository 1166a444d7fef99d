#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/ledgers/wish_fixture.hpp"

namespace stack_coverage_test {

using namespace cacheledger;

namespace {

PrintedSpec build(const std::string& stem, const Lines& variants, const Lines& stacks) {
    return {.hash = hash_of(stem), .variants = variants, .stacks = stacks};
}

/// e4s and ml have a build of hdf5 each, and e4s has zlib.
void take_builds(TempLedger& ledger) {
    ledger.take("2025-03-10", {{"hdf5",
                                {build("a", {"+mpi", "~cuda"}, {"e4s", "root"}),
                                 build("b", {"+mpi", "+cuda"}, {"ml", "root"})}},
                               {"zlib", {build("z", {"+pic"}, {"e4s", "root"})}}});
}

StackCoverage cover(TempLedger& ledger, const std::string& stack) {
    auto& database = ledger.database();
    return cover_stack(database, find_snapshot(database, "latest"), stack);
}

std::string error_of(TempLedger& ledger, const std::string& stack) {
    return thrown<UsageError>([&] { cover(ledger, stack); }, "");
}

/// "SPEC | REQUIRES | STACKS | DIFFERS".
Lines missing(const StackCoverage& found) {
    Lines lines;
    for (const auto& row : found.coverage.missing.rows) {
        lines.push_back(fmt::format("{} | {} | {} | {}", to_text(row[1]), to_text(row[3]),
                                    to_text(row[5]), to_text(row[6])));
    }
    return lines;
}

std::vector<NeededBuild> builds_of(const std::vector<std::vector<std::size_t>>& files) {
    std::vector<NeededBuild> needed;
    needed.reserve(files.size());
    for (const auto& one : files) {
        needed.push_back({"tool", fmt::format("{:032}", needed.size()), Value(), one});
    }
    return needed;
}

WantedGraph wanted_of(GraphLedger& ledger, const std::string& name, const std::string& root) {
    auto& database = ledger.database();
    WantedGraph graph = wanted_of_snapshot(database, find_snapshot(database, "develop@0"));
    graph.name = name;
    std::erase_if(graph.roots, [&](const WantedRoot& one) {
        return graph.nodes[one.node].spec.package != root;
    });
    return graph;
}

}  // namespace

TEST_CASE("The wishes of a stack are met by builds of that stack") {
    Filled<TempLedger, take_builds> ledger;
    add_wishes(ledger.database(), "e4s", "2025-01-01",
               {{"hdf5 +mpi"},
                {"hdf5 +cuda"},
                {"zlib ^cmake"},
                {"kokkos"},
                {.spec = "zlib", .until = "2025-02-01"}});
    const StackCoverage found = cover(ledger, "e4s");
    CHECK(found.coverage.runtime.specs == 4);
    CHECK(found.coverage.runtime.covered == 1);
    CHECK(found.as_far_as_known == 1);
    CHECK(found.preferred == 1);
    CHECK(missing(found) == Lines{"hdf5 +cuda |  | ml | not built for e4s", "kokkos |  |  | "});
}

TEST_CASE("A wish that Spack before 1.0 read otherwise is said") {
    Filled<TempLedger, take_builds> ledger;
    add_wishes(ledger.database(), "e4s", "2025-01-01", {{"hdf5 %gcc +mpi"}});
    CHECK(cover(ledger, "e4s").coverage.remarks ==
          Lines{"Before Spack 1.0 'hdf5 %gcc +mpi' asked for 'hdf5 +mpi %gcc', which 2 builds "
                "match."});
}

TEST_CASE("What a list requires of a package narrows its wishes") {
    Filled<TempLedger, take_builds> ledger;
    add_wishes(ledger.database(), "ml", "2025-01-01",
               {{"hdf5", R"([{"require":"+cuda","of":"all"}])"},
                {"hdf5", R"([{"require":"target=neoverse_v2"}])"}});
    const StackCoverage found = cover(ledger, "ml");
    CHECK(found.coverage.runtime.covered == 1);
    CHECK(missing(found) ==
          Lines{"hdf5 | target=neoverse_v2 | e4s | target: neoverse_v2 -> x86_64_v3 (another "
                "family)"});
}

TEST_CASE("A preference narrows nothing, and is told") {
    Filled<TempLedger, take_builds> ledger;
    add_wishes(ledger.database(), "e4s", "2025-01-01", {{"hdf5", R"([{"prefer":"+cuda"}])"}});
    const StackCoverage found = cover(ledger, "e4s");
    CHECK(found.coverage.runtime.covered == 1);
    CHECK(found.preferred == 0);
    CHECK(found.coverage.remarks ==
          Lines{"1 wish is there only with builds that are not, or may not be, as the list "
                "prefers."});
}

TEST_CASE("A stack whose list is not known at that time is refused") {
    Filled<TempLedger, take_builds> ledger;
    CHECK(error_of(ledger, "e4s") ==
          "--stack e4s: the ledger has no lists of stacks; load a package repository: cacheledger "
          "ingest spack-packages.git");
    add_wishes(ledger.database(), "e4s", "2025-05-01", {{"zlib"}});
    CHECK(error_of(ledger, "e4s") ==
          "--stack e4s: no list is known at develop@2025-03-10T00:00:00Z: the first is of "
          "2025-05-01T00:00:00Z");
    CHECK(error_of(ledger, "e4a") == "no list of the stack 'e4a'; did you mean 'e4s'?");
}

TEST_CASE("A cache without the stack has nothing of its list") {
    Filled<TempLedger, take_builds> ledger;
    add_wishes(ledger.database(), "hep", "2025-01-01", {{"zlib"}});
    const StackCoverage found = cover(ledger, "hep");
    CHECK(found.coverage.runtime.percent() == 0.0);
    CHECK(found.coverage.remarks ==
          Lines{"develop@2025-03-10T00:00:00Z has no build in a stack hep."});
}

TEST_CASE("The file that needs the fewest builds more is next, and what is done counts once") {
    // File 0 needs three builds, 1 two of these, 2 one of its own and one of these, 3 none.
    const auto order = order_of_files(4, builds_of({{0, 1}, {0, 1, 2}, {0}, {2}}));
    Lines lines;
    for (const ServedFile& one : order) {
        lines.push_back(fmt::format("{}: {} {}", one.file, one.builds, one.builds_done));
    }
    CHECK(lines == Lines{"3: 0 0", "1: 2 2", "0: 1 3", "2: 1 4"});
}

TEST_CASE("Of several lock files the builds are told that most of them wait for") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"hdf5", "hdf5", {{"zlib"}}});
    ledger.add({"curl", "curl", {{"zlib"}}}).add({"app", "app", {{"curl"}}});
    ledger.take({{"zlib", "hdf5", "curl", "app"}, {}});
    auto& database = ledger.database();
    const AskedCache cache{database, find_snapshot(database, "develop@1"), std::nullopt};
    const std::vector<WantedInput> inputs = {wanted_of(ledger, "one", "app"),
                                             wanted_of(ledger, "two", "curl"),
                                             wanted_of(ledger, "three", "hdf5")};
    const SeveralCoverage found = cover_several(cache, inputs, false);
    Lines needed;
    for (const NeededBuild& one : found.needed) {
        needed.push_back(fmt::format("{} {}", one.package, one.files.size()));
    }
    CHECK(needed == Lines{"zlib 3", "curl 2", "app 1", "hdf5 1"});
    CHECK(found.needed[1].files == std::vector<std::size_t>{0, 1});
    std::ostringstream out;
    write_document(document_of(found, {}), Format::table, {}, out);
    CHECK(out.str().find("To build first: 4 builds for 3 of 3 files") != std::string::npos);
    CHECK(out.str().find("3 of 3") != std::string::npos);
    CHECK(out.str().find("2 of 3") != std::string::npos);
}

TEST_CASE("Of several caches, lists count beside lock files, and without any") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"hdf5", "hdf5", {{"zlib"}}});
    ledger.add({"curl", "curl"}).add({"app", "app"});
    ledger.take({{"zlib", "hdf5"}, {"zlib", "curl"}, {"hdf5", "curl", "app"}});
    auto& database = ledger.database();
    const AskedCache cache{database,
                           find_snapshot(database, "develop@1"),
                           std::nullopt,
                           {find_snapshot(database, "develop@2")}};
    const WantedInput one = WantedList{"one", read_spec_list("curl\napp\ncmake\n", "one")};
    const WantedInput two = WantedList{"two", read_spec_list("hdf5\nzlib\n", "two")};
    const auto shares = [](const SeveralCoverage& found) {
        Lines lines;
        for (const CacheShare& share : found.total.caches) {
            lines.push_back(fmt::format("{} {} {} {}", share.snapshot, share.covered, share.adds,
                                        share.to_build.value_or(-1)));
        }
        return lines;
    };
    // The lists: the first cache has curl and zlib; the second curl, app and hdf5.
    const SeveralCoverage lists = cover_several(cache, {one, two}, false);
    CHECK(shares(lists) == Lines{"develop@1 2 2 -1", "develop@2 3 2 -1"});
    CHECK(lists.total.runtime.covered == 4);
    // The file wants hdf5 and zlib: the first cache has zlib, the second hdf5.
    const SeveralCoverage all =
        cover_several(cache, {one, wanted_of(ledger, "file", "hdf5"), two}, false);
    CHECK(shares(all) == Lines{"develop@1 3 3 1", "develop@2 4 3 0"});
    CHECK(all.total.runtime.covered == 6);

    std::ostringstream out;
    write_document(document_of(all, {}), Format::json, {}, out);
    for (const std::string row :
         {R"({"wanted": "one", "line": 2, "spec": "app", "snapshot": "develop@2"})",
          R"({"wanted": "two", "line": 1, "spec": "hdf5", "snapshot": "develop@2"})"}) {
        CAPTURE(row, out.str());
        CHECK(out.str().find(row) != std::string::npos);
    }
    std::ostringstream screen;
    write_document(document_of(lists, {}), Format::table, {}, screen);
    CHECK(screen.str().find("Caches, in the order") != std::string::npos);
    CHECK(screen.str().find("What the later caches add") != std::string::npos);
}

}  // namespace stack_coverage_test
