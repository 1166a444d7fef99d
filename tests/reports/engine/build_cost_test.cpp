#include <fmt/format.h>

#include "reports/engine/build_times/build_times.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace build_cost_test {

using namespace cacheledger;

namespace {

constexpr std::int64_t second = 1000;
constexpr std::int64_t minute = 60 * second;
constexpr std::int64_t hour = 60 * minute;

void add_time(GraphLedger& ledger, const std::string& build, std::int64_t milliseconds,
              const std::optional<std::string>& package = {},
              const std::optional<std::string>& version = {}) {
    execute(ledger.database(), "INSERT INTO build_time VALUES (?, ?, ?, ?)", build, package,
            version, milliseconds);
}

/// "5000", "5000 by version", "none".
std::string time_of(GraphLedger& ledger, const std::string& stem, const std::string& package,
                    const std::optional<std::string>& version = "1.0") {
    const auto time = BuildTimes(ledger.database()).find(hash_of(stem), package, version);
    return time ? fmt::format("{}{}", time->milliseconds, time->is_by_version ? " by version" : "")
                : "none";
}

}  // namespace

TEST_CASE("The time of a hash goes before that of its version, and this before other hashes") {
    GraphLedger ledger;
    ledger.add({"za", "zlib"}).add({"zb", "zlib"}).add({"zc", "zlib"}).add({"zd", "zlib"});
    CHECK(BuildTimes(ledger.database()).empty());
    CHECK(time_of(ledger, "za", "zlib") == "none");
    add_time(ledger, hash_of("za"), 3000);
    add_time(ledger, hash_of("zb"), 9000);
    CHECK(!BuildTimes(ledger.database()).empty());
    CHECK(time_of(ledger, "za", "zlib") == "3000");
    CHECK(time_of(ledger, "zd", "zlib") == "6000 by version");  // the mean of two
    CHECK(time_of(ledger, "zd", "zlib", "1.1") == "none");
    CHECK(time_of(ledger, "zd", "zlib", std::nullopt) == "none");
    CHECK(time_of(ledger, "zd", "curl") == "none");
    add_time(ledger, hash_of("zc"), 100000);
    CHECK(time_of(ledger, "zd", "zlib") == "9000 by version");  // the middle of three
    add_time(ledger, "zlib@1.0", 4000, "zlib", "1.0");
    CHECK(time_of(ledger, "zd", "zlib") == "4000 by version");
    CHECK(time_of(ledger, "za", "zlib") == "3000");
}

TEST_CASE("A hash that the ledger does not have is of the version that its file says") {
    GraphLedger ledger;
    add_time(ledger, hash_of("gone"), 5000, "curl", "8.0");
    add_time(ledger, hash_of("lost"), 7000, "curl");
    CHECK(time_of(ledger, "new", "curl", "8.0") == "5000 by version");
    CHECK(time_of(ledger, "lost", "curl", "8.1") == "7000");
    CHECK(time_of(ledger, "new", "curl", "8.1") == "none");
}

TEST_CASE("What builds cost is counted, and nobody builds what is external") {
    GraphLedger ledger;
    ledger.add({"za", "zlib"}).add({"ca", "curl"}).add({"ga", "gcc"});
    GraphNode external{"gb", "gcc"};
    external.external_path = "/usr";
    ledger.add(external);
    const auto specs =
        all_values<std::int64_t>(ledger.database(), "SELECT spec_id FROM spec ORDER BY spec_id");
    REQUIRE(specs.size() == 4);
    CHECK(!cost_of_specs(ledger.database(), specs));
    add_time(ledger, hash_of("za"), 2000);
    add_time(ledger, "gcc@1.0", 60000, "gcc", "1.0");
    const auto cost = cost_of_specs(ledger.database(), specs);
    REQUIRE(cost);
    CHECK(cost->builds == 4);
    CHECK(cost->known == 2);
    CHECK(cost->by_version == 1);
    CHECK(cost->milliseconds == 62000);
    CHECK(text_of(*cost) == "1 min 2 s (2 of 4 times known, 1 of them by version)");
    CHECK(text_of(*cost_of_specs(ledger.database(), {specs[0]})) == "2.0 s");
    CHECK(text_of(*cost_of_specs(ledger.database(), {specs[2]})) == "1 min (1 by version)");
    CHECK(text_of(*cost_of_specs(ledger.database(), {specs[1]})) == "not known");
}

TEST_CASE("A duration is said in the units that people use for it") {
    CHECK(duration_text(0) == "0.0 s");
    CHECK(duration_text(440) == "0.4 s");
    CHECK(duration_text(12 * second) == "12.0 s");
    CHECK(duration_text(59499) == "59.5 s");
    CHECK(duration_text(59500) == "1 min");
    CHECK(duration_text(minute + 5 * second) == "1 min 5 s");
    CHECK(duration_text(42 * minute + 29499) == "42 min 29 s");
    CHECK(duration_text(59 * minute + 59500) == "1 h");
    CHECK(duration_text(hour + 59 * minute + 30 * second) == "2 h");
    CHECK(duration_text(5 * hour + 10 * minute) == "5 h 10 min");
    CHECK(duration_text(47 * hour + 59 * minute) == "47 h 59 min");
    CHECK(duration_text(48 * hour) == "2 d");
    CHECK(duration_text(51 * hour) == "2 d 3 h");
    CHECK(duration_text(24000 * hour) == "1,000 d");
}

}  // namespace build_cost_test
