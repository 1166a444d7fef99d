#include <regex>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace natural_order_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

// Two specs of each look, whose versions and compilers have another order as texts.
void fill(TempLedger& ledger) {
    std::vector<PrintedSpec> specs;
    for (const std::string number : {"2", "3"}) {
        for (const auto& [stem, version, compiler] :
             {std::tuple("a", "1.10", "gcc@9.4.0"), std::tuple("b", "develop", "gcc@13.2.0"),
              std::tuple("c", "1.9", "none"), std::tuple("d", "1.10-rc1", "gcc"),
              std::tuple("e", "1.10", "gcc@13.2.0")}) {
            specs.push_back(
                {.hash = hash_of(stem + number), .version = version, .compiler = compiler});
        }
    }
    ledger.take("2025-03-01", {{"zlib", specs}});
}

const Lines versions = {"1.9", "1.10-rc1", "1.10", "develop"};

Lines columns(TempLedger& ledger, const std::string& report, const std::string& pattern) {
    Lines found;
    const Arguments at = {{"at", "develop@2025-03-01T00:00:00Z"}};
    for (const std::string& row :
         report_rows(ledger, report, report.starts_with("coverage/") ? at : Arguments{})) {
        found.push_back(std::regex_replace(row, std::regex(pattern), "$1$2"));
    }
    return found;
}

}  // namespace

TEST_CASE("The views sort versions and compilers in their natural order") {
    TempLedger ledger;
    fill(ledger);
    const Lines compilers = {"NULL", "gcc", "gcc@9.4.0", "gcc@13.2.0"};
    for (const std::string view : {"specs", "looks"}) {
        INFO(view);
        CHECK(ledger.rows("SELECT version FROM " + view + " GROUP BY 1 ORDER BY version_key") ==
              versions);
        CHECK(ledger.rows("SELECT compiler FROM " + view + " GROUP BY 1 ORDER BY compiler_key") ==
              compilers);
    }
}

TEST_CASE("Reports sort versions and compilers in their natural order") {
    TempLedger ledger;
    fill(ledger);
    CHECK(columns(ledger, "coverage/compilers", "([^|]*)[|].*") ==
          Lines{"NULL", "gcc", "gcc@9.4.0", "gcc@13.2.0"});
    CHECK(columns(ledger, "coverage/versions", "zlib[|]([^|]*)[|].*") == versions);
    CHECK(columns(ledger, "coverage/redundancy", "zlib[|]([^|]*).*[|]x86_64_v3([|][^|]*)[|].*$") ==
          Lines{"1.9|NULL", "1.10-rc1|gcc", "1.10|gcc@9.4.0", "1.10|gcc@13.2.0",
                "develop|gcc@13.2.0"});
    CHECK(columns(ledger, "history/packages", "develop[|]zlib[|]([^|]*)[|].*") == versions);
}

}  // namespace natural_order_test
