#include "schema/ledger/check/check.hpp"

#include <fmt/format.h>

#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace check_test {

using namespace cacheledger;

namespace {

const std::string y = hash_of("y");
const std::string z = hash_of("z");

/// What is found wrong with a small ledger after some SQL has been run on it.
Lines problems_after(const std::string& sql, std::size_t most = 10) {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"hwloc", {{.hash = hash_of("h")}}}, {"zlib", {{.hash = y}}}});
    ledger.take("2025-03-02", {{"hwloc", {{.hash = hash_of("g")}}}}, {.partial = true});
    ledger.take("2025-03-03",
                {{"hwloc", {{.hash = hash_of("g")}}}, {"zlib", {{.hash = z, .version = "2.0"}}}});
    ledger.database().exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    ledger.database().exec(sql);
    ledger.database().exec("PRAGMA ignore_check_constraints = OFF");
    return find_problems(ledger.database(), most);
}

const std::string march_2 = "unixepoch('2025-03-02')";
const std::string march_3 = "unixepoch('2025-03-03')";
const std::string of_zlib = "package_id = (SELECT package_id FROM package WHERE name = 'zlib')";
const std::string spec_y = fmt::format("spec_id = (SELECT spec_id FROM spec WHERE hash = '{}')", y);

}  // namespace

TEST_CASE("A sound ledger has no problems") {
    CHECK(problems_after("") == Lines{});
    TempLedger empty;
    CHECK(find_problems(empty.database(), 10) == Lines{});
}

TEST_CASE("An interval must begin and end at snapshots") {
    const std::string problem =
        "an interval of zlib in develop begins or ends at 2025-02-01T00:00:00Z, where there is no "
        "snapshot";
    CHECK(problems_after("UPDATE presence SET valid_from = unixepoch('2025-02-01') WHERE " +
                         spec_y) ==
          Lines{"presence: " + problem,
                "page_presence: no page is there for zlib in develop, whose specs are"});
    const Lines of_page = problems_after(
        "UPDATE page_presence SET valid_from = unixepoch('2025-02-01') WHERE valid_to IS NOT NULL "
        "AND " +
        of_zlib);
    REQUIRE(of_page.size() == 2);
    CHECK(of_page[0] == "page_presence: " + problem);
    CHECK_THAT(of_page[1], Catch::Matchers::EndsWith(
                               "of zlib says 1 specs, develop has 0 from 2025-02-01T00:00:00Z on"));
}

TEST_CASE("An interval must begin and end where its package was observed") {
    const std::string problem =
        "an interval of zlib in develop begins or ends at 2025-03-02T00:00:00Z, where "
        "develop@2025-03-02T00:00:00Z did not observe it";
    const Lines found =
        problems_after(fmt::format("UPDATE presence SET valid_to = {} WHERE {}", march_2, spec_y));
    REQUIRE(found.size() == 3);
    CHECK(found[0] == "presence: " + problem);
    CHECK(found[1] ==
          "snapshot: develop@2025-03-02T00:00:00Z says 2 packages and 2 specs, its "
          "intervals give 1 and 1");
    CHECK_THAT(found[2], Catch::Matchers::EndsWith(
                             "of zlib says 1 specs, develop has 0 from 2025-03-02T00:00:00Z on"));
}

TEST_CASE("The counts of snapshots must be those of their states") {
    CHECK(problems_after("UPDATE snapshot SET specs = 7 WHERE taken_at = " + march_2) ==
          Lines{"snapshot: develop@2025-03-02T00:00:00Z says 2 packages and 7 specs, its intervals "
                "give 2 and 2"});
    CHECK(problems_after("UPDATE snapshot SET packages = 1 WHERE taken_at = " + march_3) ==
          Lines{"snapshot: develop@2025-03-03T00:00:00Z says 1 packages and 2 specs, its intervals "
                "give 2 and 2"});
}

TEST_CASE("Intervals of one spec must not overlap, nor be two that could be one") {
    const std::string again =
        "INSERT INTO presence SELECT series_id, package_id, look_id, spec_id, {}, NULL, "
        "stack_set_id, came, 0 FROM presence WHERE {}";
    const Lines overlap = problems_after(fmt::format(fmt::runtime(again), march_2, spec_y));
    CHECK_THAT(overlap, Catch::Matchers::VectorContains(fmt::format(
                            "presence: zlib {} in develop has two intervals that overlap", y)));
    const Lines neighbour = problems_after(fmt::format(fmt::runtime(again), march_3, spec_y));
    CHECK_THAT(neighbour,
               Catch::Matchers::VectorContains(fmt::format(
                   "presence: zlib {} in develop has two intervals that could be one", y)));
}

TEST_CASE("A spec must have come and gone where no other interval of it touches") {
    CHECK(problems_after("UPDATE presence SET came = 0 WHERE " + spec_y) ==
          Lines{fmt::format("presence: zlib {} in develop says that it did not come at "
                            "2025-03-01T00:00:00Z, where no other interval of it ends",
                            y)});
    CHECK(problems_after("UPDATE presence SET went = 0 WHERE " + spec_y) ==
          Lines{fmt::format("presence: zlib {} in develop says that it did not go at "
                            "2025-03-03T00:00:00Z, where no other interval of it begins",
                            y)});
    // The same spec again at once, in no stacks that are known.
    const std::string again =
        "INSERT INTO presence SELECT series_id, package_id, look_id, spec_id, {}, NULL, NULL, 1, 0 "
        "FROM presence WHERE {}";
    const Lines found = problems_after(fmt::format(fmt::runtime(again), march_3, spec_y));
    CHECK_THAT(found, Catch::Matchers::VectorContains(
                          fmt::format("presence: zlib {} in develop says that it came at "
                                      "2025-03-03T00:00:00Z, where another interval of it ends",
                                      y)));
    CHECK_THAT(found, Catch::Matchers::VectorContains(
                          fmt::format("presence: zlib {} in develop says that it went at "
                                      "2025-03-03T00:00:00Z, where another interval of it begins",
                                      y)));
}

TEST_CASE("Intervals of one package's page must not overlap, nor be two that could be one") {
    const std::string zlib_before = "valid_to IS NOT NULL AND " + of_zlib;
    const Lines overlap =
        problems_after("UPDATE page_presence SET valid_to = NULL WHERE " + zlib_before);
    CHECK_THAT(overlap, Catch::Matchers::VectorContains(std::string(
                            "page_presence: zlib in develop has two intervals that overlap")));
    const Lines neighbour =
        problems_after(fmt::format("UPDATE page_presence SET page_id = (SELECT page_id FROM "
                                   "page_presence WHERE {}) WHERE {}",
                                   zlib_before, of_zlib));
    CHECK_THAT(neighbour,
               Catch::Matchers::VectorContains(std::string(
                   "page_presence: zlib in develop has two intervals that could be one")));
}

TEST_CASE("A hash must be one spec of a package") {
    CHECK(problems_after(fmt::format("UPDATE spec SET hash = '{}' WHERE hash = '{}'", y, z)) ==
          Lines{fmt::format("spec: {} is there twice for zlib", y)});
}

TEST_CASE("A presence must lie with its spec's own look and package") {
    CHECK(problems_after("UPDATE presence SET look_id = (SELECT look_id FROM spec WHERE hash = '" +
                         z + "') WHERE " + spec_y) ==
          Lines{fmt::format("presence: {} lies with another look or package than its own", y)});
}

TEST_CASE("What is referred to must be there") {
    CHECK(problems_after("DELETE FROM compiler") ==
          Lines{"foreign key: a row of look refers to a row of compiler that is not there",
                "foreign key: a row of look refers to a row of compiler that is not there",
                "foreign key: a row of look refers to a row of compiler that is not there"});
}

TEST_CASE("A sort key must be the one of its version or compiler") {
    CHECK(problems_after("UPDATE version SET sort_key = 'A3' WHERE version = '2.0'; "
                         "UPDATE compiler SET sort_key = ''") ==
          Lines{"version: 2.0 has the sort_key 'A3', expected 'A2A0!3!2.0'",
                "compiler: gcc@13.2.0 has the sort_key '', expected 'gcc!B13A2A0!3!13.2.0'"});
}

TEST_CASE("The file must be sound") {
    const Lines found =
        problems_after("UPDATE snapshot SET observes_all = 2 WHERE taken_at = " + march_3);
    REQUIRE_FALSE(found.empty());
    CHECK(found[0] == "snapshot: not so in 1 of its rows: (observes_all IN(0,1))");
}

TEST_CASE("Not more problems are told than asked for") {
    CHECK(problems_after("UPDATE snapshot SET specs = 7", 2).size() == 2);
    CHECK(problems_after("UPDATE snapshot SET specs = 7", 10).size() == 3);
}

}  // namespace check_test
