#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace real_coverage_test {

/// Real files, which are not in the repository: tests/ingest/graphs/real_files_test.cpp says where
/// they are.

using nlohmann::json;
using program::Run;
using program::Workbench;
namespace fs = std::filesystem;

namespace {

/// What an independent reader of the two files counted.
struct RealPair {
    std::string lock, cache;
    int specs, covered;          // to link and run
    int specs_all, covered_all;  // with those to build
    int external;
    int frontier;    // of the missing
    int dependents;  // the sum of those of the missing
    int to_build, waves;
};

const std::vector<RealPair> pairs = {
    {"lock-v5-casper-B.lock", "index-v7-casper-A.json", 634, 613, 734, 613, 35, 51, 2575, 24, 2},
    {"lock-v5-casper-B.lock", "index-v7-casper-B.json.gz", 634, 632, 734, 632, 35, 35, 2415, 2, 1},
    {"lock-v4-gust-A.lock", "index-v8-gust-B.json.gz", 444, 433, 487, 433, 54, 18, 973, 14, 3},
    {"lock-v4-gust-B.lock", "index-v6-gust-A.json", 227, 3, 269, 3, 29, 77, 2154, 266, 13},
    {"lock-v6-julea-D.lock", "index-v8-julea-A.json", 61, 0, 99, 0, 2, 3, 1015, 99, 19},
    {"lock-v6-julea-C.lock", "index-v8-julea-D.json", 60, 58, 103, 58, 2, 4, 689, 8, 4},
    {"lock-v6-cuckoo-B.lock", "mirror-v3-cuckoo-A", 39, 3, 121, 12, 2, 4, 2603, 109, 35},
    {"lock-v5-derecho-2024-10-22.lock", "index-v7-casper-B.json.gz", 1067, 0, 1169, 0, 69, 269,
     15638, 1169, 19},
    {"synthetic-lock-v5-include-concrete.lock", "index-v7-casper-B.json.gz", 53, 0, 99, 0, 1, 29,
     721, 99, 16},
    {"lock-v6-cuckoo-A.lock", "index-v8-spliced-python.json", 34, 1, 92, 1, 3, 4, 1139, 91, 24},
};

std::optional<fs::path> folder_of_real_files() {
    const char* const folder = std::getenv("CACHELEDGER_REAL_FILES");
    if (folder == nullptr) {
        WARN("CACHELEDGER_REAL_FILES is not set: no real files are read");
        return std::nullopt;
    }
    return fs::path(folder);
}

json coverage_of(const Workbench& bench, const std::string& wanted) {
    const Run run = bench.run({"coverage", wanted, "--format", "json"});
    INFO(run);
    REQUIRE(run.status == 0);
    return json::parse(run.out);
}

}  // namespace

TEST_CASE("The coverage of real lock files in real caches is what an independent reader counted") {
    const auto folder = folder_of_real_files();
    if (!folder) {
        return;
    }
    for (const RealPair& pair : pairs) {
        INFO(pair.lock << " in " << pair.cache);
        const std::string lock = *folder / pair.lock;
        const Workbench bench;
        REQUIRE(bench.run({"ingest", *folder / pair.cache, "--tag", "cache"}).status == 0);
        const json found = coverage_of(bench, lock);
        CHECK(found["specs"] == pair.specs);
        CHECK(found["covered"] == pair.covered);
        CHECK(found["specs_all"] == pair.specs_all);
        CHECK(found["covered_all"] == pair.covered_all);
        CHECK(found["external"] == pair.external);
        int frontier = 0, dependents = 0;
        for (const json& one : found["missing"]) {
            frontier += one["frontier"].get<int>();
            dependents += one["dependents"].get<int>();
        }
        CHECK(frontier == pair.frontier);
        CHECK(dependents == pair.dependents);
        CHECK(found["to_build"].size() == static_cast<std::size_t>(pair.to_build));
        CHECK(found["to_build"].back()["wave"] == pair.waves);
        // The ledger says the same of the lock as the file.
        REQUIRE(bench.run({"ingest", lock, "--tag", "lock"}).status == 0);
        const json of_ledger = coverage_of(bench, "lock");
        CHECK(of_ledger["missing"] == found["missing"]);
        CHECK(of_ledger["to_build"] == found["to_build"]);
        CHECK(of_ledger["causes"] == found["causes"]);
    }
}

}  // namespace real_coverage_test
