#include "schema/ledger/names/moment.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace moment_test {

using namespace cacheledger;

namespace {

std::string canonical(std::string_view text) {
    const auto moment = parse_moment(text);
    return moment ? format_moment(*moment) : "(none)";
}

}  // namespace

TEST_CASE("A moment is seconds since 1970") {
    CHECK(parse_moment("1970-01-01") == 0);
    CHECK(parse_moment("1970-01-02T00:00:01") == 86401);
    CHECK(parse_moment("2025-03-30T06:00:00Z") == 1743314400);  // date -d ... +%s
    CHECK(parse_moment("1969-12-31T23:59:59") == -1);
}

TEST_CASE("A moment may be cut") {
    CHECK(canonical("2025-03-30") == "2025-03-30T00:00:00Z");
    CHECK(canonical("2025-03-30T06:00") == "2025-03-30T06:00:00Z");
    CHECK(canonical("2025-03-30 06:07:08") == "2025-03-30T06:07:08Z");
}

TEST_CASE("A moment may be in another time zone") {
    CHECK(canonical("2025-03-30T06:00Z") == "2025-03-30T06:00:00Z");
    CHECK(canonical("2025-03-30T06:00:00+02:00") == "2025-03-30T04:00:00Z");
    CHECK(canonical("2025-03-30T06:00:00-0330") == "2025-03-30T09:30:00Z");
    CHECK(canonical("2025-01-01T00:00:00+00:01") == "2024-12-31T23:59:00Z");
}

TEST_CASE("Moments that do not exist are none") {
    for (const auto* text : {"2025-02-29", "2025-13-01", "2025-00-10", "2025-04-31",
                             "2025-03-30T24:00", "2025-03-30T23:60", "2025-03-30T23:59:60",
                             "2025-03-30T06:00+24:00", "2025-03-30T06:00+01:60"}) {
        INFO(text);
        CHECK(canonical(text) == "(none)");
    }
    CHECK(canonical("2024-02-29") == "2024-02-29T00:00:00Z");
}

TEST_CASE("Other text is no moment") {
    for (const auto* text :
         {"", "yesterday", "2025", "2025-03", "25-03-30", "2025-3-30", "2025-03-30T",
          "2025-03-30T06", "2025-03-30Z", "2025-03-30T06:00:00z", " 2025-03-30", "2025-03-30 ",
          "2025-03-30T06:00:00.5Z", "12025-03-30", "2025-03-30+02:00"}) {
        INFO(text);
        CHECK(canonical(text) == "(none)");
    }
    CHECK(canonical(std::string(100'000, '2')) == "(none)");
}

TEST_CASE("A moment that is printed reads back as itself") {
    for (const Moment moment : {Moment{0}, Moment{-86'400}, Moment{951'782'400},
                                Moment{1'743'314'400}, Moment{253'402'300'799}}) {
        CHECK(parse_moment(format_moment(moment)) == moment);
    }
}

TEST_CASE("Now is after this was written") {
    CHECK(now() > parse_moment("2025-01-01").value());
}

}  // namespace moment_test
