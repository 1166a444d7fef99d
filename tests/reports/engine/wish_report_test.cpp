#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/ledgers/wish_fixture.hpp"

namespace wish_report_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

PrintedPage page(const std::string& package, const std::string& stem,
                 const std::vector<std::string>& stacks = {"e4s", "root"}) {
    return {package, {{.hash = hash_of(stem), .stacks = stacks}}};
}

/// zlib is there on the 1st and 2nd, hdf5 from the 2nd on, in e4s.
void take_three(TempLedger& ledger) {
    ledger.take("2025-03-01", {page("zlib", "z"), page("cmake", "c", {"ml", "root"})});
    ledger.take("2025-03-02",
                {page("zlib", "z"), page("hdf5", "h"), page("cmake", "c", {"ml", "root"})});
    ledger.take("2025-03-03", {page("hdf5", "h"), page("cmake", "c", {"ml", "root"})});
}

const std::string second = "develop@2025-03-02T00:00:00Z";
const std::string third = "develop@2025-03-03T00:00:00Z";

}  // namespace

TEST_CASE("coverage/stacks counts wishes where a list is known") {
    TempLedger ledger;
    take_three(ledger);
    CHECK(report_rows(ledger, "coverage/stacks", {{"at", third}}) ==
          Lines{"e4s|1|1|1|NULL|NULL|NULL", "ml|1|1|1|NULL|NULL|NULL"});
    add_wishes(ledger.database(), "e4s", "2025-01-01", {{"zlib"}, {"hdf5"}});
    CHECK(report_rows(ledger, "coverage/stacks", {{"at", third}}) ==
          Lines{"e4s|1|1|1|2|1|50", "ml|1|1|1|NULL|NULL|NULL"});
}

TEST_CASE("coverage/wishes has a row for each list in force") {
    TempLedger ledger;
    take_three(ledger);
    add_wishes(ledger.database(), "e4s", "2025-03-02", {{"zlib"}, {"hdf5"}, {"hdf5 ^cmake"}});
    add_wishes(ledger.database(), "hep", "2025-03-03", {{"zlib"}});
    CHECK(report_rows(ledger, "coverage/wishes", {{"at", second}}) ==
          Lines{"e4s|3|2|1|0|66.67|2|stacks/e4s/spack.yaml"});
    CHECK(report_rows(ledger, "coverage/wishes", {{"at", third}}) ==
          Lines{"e4s|3|1|1|1|33.33|1|stacks/e4s/spack.yaml",
                "hep|1|NULL|NULL|NULL|NULL|NULL|stacks/hep/spack.yaml"});
}

TEST_CASE("history/wishes tells when each wish was first met, and lost") {
    TempLedger ledger;
    take_three(ledger);
    add_wishes(ledger.database(), "e4s", "2025-03-01",
               {{"zlib"},
                {"hdf5"},
                {"kokkos"},
                {"hdf5 ^cmake"},
                {.spec = "zlib@1", .until = "2025-03-02"}});
    const std::string t = "T00:00:00Z";
    const auto row = [&](const std::string& until, const std::string& rest) {
        return "develop|e4s||2025-03-01" + t + "|" + until + "|" + rest;
    };
    CHECK(report_rows(ledger, "history/wishes") ==
          Lines{row("NULL", "2025-03-02" + t + "|NULL|1|1|hdf5"),
                row("NULL", "2025-03-02" + t + "|NULL|1|0|hdf5 ^cmake"),
                row("NULL", "NULL|NULL|NULL|NULL|kokkos"),
                row("NULL", "2025-03-01" + t + "|2025-03-03" + t + "|0|1|zlib"),
                row("2025-03-02" + t, "2025-03-01" + t + "|NULL|0|1|zlib@1")});
}

TEST_CASE("A wish is met only at a snapshot in which both hold") {
    TempLedger ledger;
    take_three(ledger);
    // zlib is gone on the 3rd, the first snapshot after the wish; hdf5 is wanted between two.
    add_wishes(ledger.database(), "e4s", "2025-03-02T06:00:00Z",
               {{"zlib"}, {.spec = "hdf5", .until = "2025-03-02T18:00:00Z"}});
    CHECK(report_rows(ledger, "history/wishes") ==
          Lines{"develop|e4s||2025-03-02T06:00:00Z|2025-03-02T18:00:00Z|NULL|NULL|NULL|NULL|hdf5",
                "develop|e4s||2025-03-02T06:00:00Z|NULL|NULL|NULL|NULL|NULL|zlib"});
}

}  // namespace wish_report_test
