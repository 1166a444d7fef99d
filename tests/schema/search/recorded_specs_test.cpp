#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace recorded_specs_test {

using namespace cacheledger;

namespace {

constexpr std::size_t digits = 5;  // of a hash

std::set<std::string> hashes_of(TempLedger& ledger, const std::vector<std::int64_t>& specs) {
    std::set<std::string> hashes;
    for (const std::int64_t spec_id : specs) {
        hashes.insert(ledger.value(fmt::format("SELECT hash FROM spec WHERE spec_id = {}", spec_id))
                          .substr(0, digits));
    }
    return hashes;
}

// What this program says, as tests/data/satisfies/answers.txt says it. Builds of which the ledger
// does not know whether they match are those that Spack says, if it has them.
std::string answer_of(TempLedger& ledger, const std::string& typed, const std::string& expected) {
    try {
        const SpecQuery query = parse_spec(typed);
        const MatchingSpecs found = matching_specs(ledger.database(), 1, query);
        std::set<std::string> hashes = hashes_of(ledger, found.specs);
        for (const std::string& hash : hashes_of(ledger, found.unknown)) {
            if (expected.find(hash) != std::string::npos) {
                hashes.insert(hash);
            }
        }
        return fmt::format("{}", fmt::join(hashes, " "));
    } catch (const SpecError&) {
        return "!";
    }
}

}  // namespace

TEST_CASE("Recorded SPECs match what they match in Spack") {
    const std::filesystem::path folder = std::filesystem::path(paths::data) / "satisfies";
    TempLedger ledger;
    std::ifstream index(folder / "index.json.gz", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(index), {}};
    load_graph(ledger, {}, read_into("recorded", bytes));
    std::ifstream file(folder / "answers.txt");
    std::size_t specs = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) {
            continue;
        }
        const std::size_t tab = line.find('\t');
        REQUIRE(tab != std::string::npos);
        const std::string typed = line.substr(0, tab);
        const std::string expected = line.substr(tab + 1);
        INFO(typed);
        CHECK(answer_of(ledger, typed, expected) == expected);
        ++specs;
    }
    CHECK(specs == 500);
}

}  // namespace recorded_specs_test
