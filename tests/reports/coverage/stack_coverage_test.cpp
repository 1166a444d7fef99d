#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/ledgers/wish_fixture.hpp"

namespace stack_coverage_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

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
    try {
        cover(ledger, stack);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "";
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

}  // namespace

TEST_CASE("The wishes of a stack are met by builds of that stack") {
    TempLedger ledger;
    take_builds(ledger);
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
    TempLedger ledger;
    take_builds(ledger);
    add_wishes(ledger.database(), "e4s", "2025-01-01", {{"hdf5 %gcc +mpi"}});
    CHECK(cover(ledger, "e4s").coverage.remarks ==
          Lines{"Before Spack 1.0 'hdf5 %gcc +mpi' asked for 'hdf5 +mpi %gcc', which 2 builds "
                "match."});
}

TEST_CASE("What a list requires of a package narrows its wishes") {
    TempLedger ledger;
    take_builds(ledger);
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
    TempLedger ledger;
    take_builds(ledger);
    add_wishes(ledger.database(), "e4s", "2025-01-01", {{"hdf5", R"([{"prefer":"+cuda"}])"}});
    const StackCoverage found = cover(ledger, "e4s");
    CHECK(found.coverage.runtime.covered == 1);
    CHECK(found.preferred == 0);
    CHECK(found.coverage.remarks ==
          Lines{"1 wish is there only with builds that are not, or may not be, as the list "
                "prefers."});
}

TEST_CASE("A stack whose list is not known at that time is refused") {
    TempLedger ledger;
    take_builds(ledger);
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
    TempLedger ledger;
    take_builds(ledger);
    add_wishes(ledger.database(), "hep", "2025-01-01", {{"zlib"}});
    const StackCoverage found = cover(ledger, "hep");
    CHECK(found.coverage.runtime.percent() == 0.0);
    CHECK(found.coverage.remarks ==
          Lines{"develop@2025-03-10T00:00:00Z has no build in a stack hep."});
}

}  // namespace stack_coverage_test
