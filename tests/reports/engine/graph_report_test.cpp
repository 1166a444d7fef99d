#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/engine/build_times/build_times.hpp"
#include "reports/questions/dependents/dependents.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/shown.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/ledgers/wish_fixture.hpp"

namespace graph_report_test {

using namespace cacheledger;

namespace {

/// zlib below curl (link) and cmake (link); curl and cmake (build) below app; python has nothing.
void add_programs(GraphLedger& ledger) {
    ledger.add({"zlib", "zlib"});
    ledger.add({"curl", "curl", {{"zlib"}}}).add({"cmake", "cmake", {{"zlib"}}});
    ledger.add({"app", "app", {{"curl", "link,run"}, {"cmake", "build"}}});
    ledger.add({"python", "python"});
}

DependentSpecs find(GraphLedger& ledger, const std::string& spec,
                    const std::string& deptypes = "build,link,run") {
    return find_dependents(ledger.database(), Catalog(), "develop@0", spec, deptypes);
}

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

const std::string second_day = "develop@2025-03-02T00:00:00Z";
const std::string third_day = "develop@2025-03-03T00:00:00Z";

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

TEST_CASE("The dependents of a spec are counted directly and in all, by stack and package") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib:e4s", "curl:e4s", "cmake:e4s,ml", "app:ml", "python:ml"}});
    const DependentSpecs found = find(ledger, hash_of("zlib"));
    CHECK(found.direct == 2);
    CHECK(found.all == 3);
    CHECK(found.packages.rows.size() == 3);
    REQUIRE(found.stacks.rows.size() == 2);
    CHECK(found.stacks.rows[0] == std::vector<Value>{"e4s", std::int64_t{2}, std::int64_t{2}});
    CHECK(found.stacks.rows[1] == std::vector<Value>{"ml", std::int64_t{1}, std::int64_t{2}});
    CHECK(find(ledger, "zlib").all == 3);
    CHECK(find(ledger, "/zlib").all == 3);
    CHECK(find(ledger, "cmake", "link,run").all == 0);
    CHECK(find(ledger, "cmake", "build").all == 1);
    CHECK_THROWS_AS(find(ledger, "zlob"), UsageError);
    CHECK_THROWS_AS(find(ledger, "/zzzz"), UsageError);
}

TEST_CASE("The dependents of a Spack spec are those of the builds that it asks for") {
    GraphLedger ledger;
    ledger.add({"glibc", "glibc"});
    ledger.add({.stem = "zo", .package = "zlib", .edges = {{"glibc"}}, .version = "1.2"});
    ledger.add({.stem = "zn", .package = "zlib", .version = "1.3.1", .variants = "~shared"});
    ledger.add({"app", "app", {{"zo"}}}).add({"tool", "tool", {{"zn"}}});
    ledger.add({.stem = "user", .package = "user", .edges = {{"tool", "run"}}});
    ledger.take({{"zo", "zn", "app", "tool", "user"}});
    const auto packages = [&](const std::string& spec) {
        Lines names;
        for (const auto& row : find(ledger, spec).dependents.rows) {
            names.push_back(to_text(row[0]));
        }
        return names;
    };
    CHECK(packages("zlib@1.3") == Lines{"tool", "user"});
    CHECK(packages("zlib @:1.2") == Lines{"app"});
    CHECK(packages("zlib+shared target=x86_64_v3") == Lines{"app"});
    CHECK(packages("zlib ~shared") == Lines{"tool", "user"});
    CHECK(packages("zlib ^glibc") == Lines{"app"});
    CHECK(packages("zlib/zn") == Lines{"tool", "user"});
    CHECK(packages("zlib@1:") == Lines{"app", "tool", "user"});
    CHECK(packages("~shared") == Lines{"tool", "user"});
    CHECK(packages("user+shared").empty());
    CHECK(find(ledger, "zlib   @1.3").spec == "zlib@1.3");
    CHECK_THROWS_WITH(
        find(ledger, "zlib@1.4"),
        "no spec of the ledger matches 'zlib@1.4'; for the nearest: cacheledger specs zlib@1.4");
    CHECK_THROWS_AS(find(ledger, "zlib@1.4"), UsageError);
    CHECK_THROWS_AS(find(ledger, "zlob@1.3"), UsageError);
    CHECK_THROWS_AS(find(ledger, "zlib@@1.3"), UsageError);
}

TEST_CASE("Dependents say how many specs may be meant, too") {
    GraphLedger ledger;
    GraphNode page{"page", "zlib"};
    page.is_described = false;
    ledger.add({"glibc", "glibc"}).add({"zlib", "zlib", {{"glibc"}}}).add(page);
    ledger.add({"app", "app", {{"zlib"}, {"page"}}}).add({"tool", "tool", {{"page"}}});
    ledger.take({{"app", "tool"}});
    CHECK(find(ledger, "zlib").undecided == 0);
    CHECK(find(ledger, "zlib").all == 2);
    const DependentSpecs found = find(ledger, "zlib ^glibc");
    CHECK(found.undecided == 1);
    CHECK(found.all == 1);
}

TEST_CASE("Two specs with one hash are asked for by their packages") {
    GraphLedger ledger;
    ledger.add({"same", "zlib"}).add({"app", "app", {{"same"}}});
    ledger.add({"same", "curl"}).add({"tool", "tool", {{"same"}}});
    ledger.take({{"app", "tool"}});
    CHECK(find(ledger, hash_of("same")).all == 2);
    CHECK(find(ledger, "zlib/same").all == 1);
}

TEST_CASE("A spec that is not in the snapshot has dependents there") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"app"}});
    CHECK(find(ledger, hash_of("zlib")).direct == 0);
    CHECK(find(ledger, hash_of("zlib")).all == 1);
}

TEST_CASE("Dependents say of how many specs the dependencies are not known") {
    Filled<GraphLedger, add_programs> ledger;
    GraphNode page{"page", "page"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"app", "page"}});
    CHECK(find(ledger, "zlib").unknown == 1);
}

TEST_CASE("Where no dependencies are known the first line of dependents says so") {
    GraphLedger ledger;
    GraphNode page{"page", "zlib"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"page"}}, "pages");
    CHECK(shown(document_of(find(ledger, "zlib")))
              .starts_with(
                  "zlib at develop@0: nothing is known of what needs it: no source lists the "
                  "dependencies of the 1 build there.\n"));
}

TEST_CASE("A closure lacks what is neither in the snapshot nor external") {
    GraphLedger ledger;
    GraphNode glibc{"glibc", "glibc"};
    glibc.external_path = "/usr";
    ledger.add(glibc);
    ledger.add({"zlib", "zlib", {{"glibc"}}}).add({"cmake", "cmake"});
    ledger.add({"curl", "curl", {{"zlib"}, {"cmake", "build"}}});
    ledger.add({"app", "app", {{"curl", "run"}}});
    GraphNode page{"page", "page"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"app", "curl", "page"}, {"app", "curl", "zlib"}});
    CHECK(report_rows(ledger.ledger(), "audit/closure", {{"at", "develop@0"}}) ==
          Lines{"missing|zlib|1.0|" + hash_of("zlib") + "|2|2", "unknown|NULL|NULL|NULL|1|1"});
    CHECK(report_rows(ledger.ledger(), "audit/closure", {{"at", "develop@1"}}).empty());
}

TEST_CASE("Hashes are counted by what became of them, in the snapshot and below it") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"app", "curl"}});
    CHECK(report_rows(ledger.ledger(), "audit/hashes", {{"at", "develop@0"}}) ==
          Lines{"recomputed|2|2", "respelled|0|0", "spliced|0|0", "unknowable|0|0", "wrong|0|0",
                "unknown|0|0"});
}

TEST_CASE("coverage/stacks counts wishes where a list is known") {
    Filled<TempLedger, take_three> ledger;
    CHECK(report_rows(ledger, "coverage/stacks", {{"at", third_day}}) ==
          Lines{"e4s|1|1|1|NULL|NULL|NULL", "ml|1|1|1|NULL|NULL|NULL"});
    add_wishes(ledger.database(), "e4s", "2025-01-01", {{"zlib"}, {"hdf5"}});
    CHECK(report_rows(ledger, "coverage/stacks", {{"at", third_day}}) ==
          Lines{"e4s|1|1|1|2|1|50", "ml|1|1|1|NULL|NULL|NULL"});
}

TEST_CASE("coverage/wishes has a row for each list in force") {
    Filled<TempLedger, take_three> ledger;
    add_wishes(ledger.database(), "e4s", "2025-03-02", {{"zlib"}, {"hdf5"}, {"hdf5 ^cmake"}});
    add_wishes(ledger.database(), "hep", "2025-03-03", {{"zlib"}});
    CHECK(report_rows(ledger, "coverage/wishes", {{"at", second_day}}) ==
          Lines{"e4s|3|2|1|0|66.67|2|stacks/e4s/spack.yaml"});
    CHECK(report_rows(ledger, "coverage/wishes", {{"at", third_day}}) ==
          Lines{"e4s|3|1|1|1|33.33|1|stacks/e4s/spack.yaml",
                "hep|1|NULL|NULL|NULL|NULL|NULL|stacks/hep/spack.yaml"});
}

TEST_CASE("history/wishes tells when each wish was first met, and lost") {
    Filled<TempLedger, take_three> ledger;
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
    Filled<TempLedger, take_three> ledger;
    // zlib is gone on the 3rd, the first snapshot after the wish; hdf5 is wanted between two.
    add_wishes(ledger.database(), "e4s", "2025-03-02T06:00:00Z",
               {{"zlib"}, {.spec = "hdf5", .until = "2025-03-02T18:00:00Z"}});
    CHECK(report_rows(ledger, "history/wishes") ==
          Lines{"develop|e4s||2025-03-02T06:00:00Z|2025-03-02T18:00:00Z|NULL|NULL|NULL|NULL|hdf5",
                "develop|e4s||2025-03-02T06:00:00Z|NULL|NULL|NULL|NULL|NULL|zlib"});
}

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

}  // namespace graph_report_test
