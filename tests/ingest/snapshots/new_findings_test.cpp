#include "ingest/runs/files/ingest.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace new_findings_test {

using namespace cacheledger;

namespace {

using Counts = std::vector<std::pair<std::string, std::int64_t>>;

/// A page whose `meta` is wrong in so many numbers.
PrintedPage wrong_page(const std::string& package, int mistakes) {
    const std::string meta =
        mistakes == 1 ? R"({"num_specs": 3})" : R"({"num_specs": 3, "versions": ["9.9"]})";
    return {package, {{.hash = hash_of(package.substr(0, 1))}}, "develop", meta};
}

}  // namespace

TEST_CASE("The findings that a run adds are counted by kind") {
    TempLedger ledger;
    ledger.take("2025-03-01", {wrong_page("zlib", 1)});
    const NewFindings findings(ledger.database());
    CHECK(findings.counts().empty());
    ledger.take("2025-03-02", {wrong_page("zlib", 1), wrong_page("hwloc", 1)});
    CHECK(findings.counts() == Counts{{"meta-mismatch", 1}});
    PrintedPage odd = wrong_page("mpich", 1);
    odd.meta = R"({"num_specs": 3, "colour": "red", "taste": "sweet"})";
    ledger.take("2025-03-03", {wrong_page("zlib", 1), wrong_page("hwloc", 1), odd});
    CHECK(findings.counts() == Counts{{"meta-mismatch", 2}, {"unknown-field", 2}});
}

TEST_CASE("A finding that a replaced snapshot had before is not new") {
    TempLedger ledger;
    ledger.take("2025-03-01", {wrong_page("zlib", 1)});
    const NewFindings findings(ledger.database());
    IngestOptions replace;
    replace.replace = true;
    PrintedPage more = wrong_page("zlib", 1);
    more.specs[0].stacks = {"ml"};
    ledger.take("2025-03-01", {more, wrong_page("hwloc", 1)}, replace);
    CHECK(findings.counts() ==
          Counts{{"meta-mismatch", 2}});  // the text of the page is another one
    ledger.take("2025-03-01", {more}, replace);
    CHECK(findings.counts() == Counts{{"meta-mismatch", 1}});
}

TEST_CASE("A snapshot without specs after one that has some is noted") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {}}});
    ledger.take("2025-03-02", {{"zlib", {{.hash = hash_of("b")}}}});
    ledger.take("2025-03-03", {{"zlib", {}}});
    ledger.take("2025-03-04", {{"zlib", {}}});
    const auto noted = [&](const std::string& date) {
        return notes_on_empty_snapshots(ledger.database(), {"develop@" + date + "T00:00:00Z"});
    };
    CHECK(noted("2025-03-01").empty());
    CHECK(noted("2025-03-02").empty());
    CHECK(noted("2025-03-03") ==
          std::vector<std::string>{
              "develop@2025-03-03T00:00:00Z has no specs; the snapshot before it, "
              "develop@2025-03-02T00:00:00Z, has 1"});
    CHECK(noted("2025-03-04").empty());
}

}  // namespace new_findings_test
