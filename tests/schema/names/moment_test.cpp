#include <string>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace moment_test {

using namespace cacheledger;

namespace {

std::string canonical(std::string_view text) {
    const auto moment = parse_moment(text);
    return moment ? format_moment(*moment) : "(none)";
}

const Moment noon = parse_moment("2025-04-02T12:00:00Z").value();

/// A ledger of empty snapshots, asked at noon.
class Moments {
  public:
    Moments& take(const std::string& moment, const std::string& tag = "develop") {
        ledger_.take(moment, {{"zlib", {}, tag, ""}});
        return *this;
    }
    std::string find(const std::string& text) {
        try {
            return find_snapshot(ledger_.database(), text, noon).name;
        } catch (const UsageError& error) {
            return error.what();
        }
    }

  private:
    TempLedger ledger_;
};

std::string past(std::string_view text, std::string_view now = "2025-03-31T12:00:00Z") {
    const auto moment = parse_past(text, parse_moment(now).value());
    return moment ? format_moment(*moment) : "(none)";
}

std::string age(std::string_view text) {
    const auto moment = parse_age(text, parse_moment("2025-03-31T12:00:00Z").value());
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

TEST_CASE("A moment in braces is the snapshot in force then") {
    Moments ledger;
    ledger.take("2025-03-20T06:00:00Z").take("2025-03-30T06:00:00Z").take("2025-04-02T06:00:00Z");
    CHECK(ledger.find("develop@{2025-03-30}") == "develop@2025-03-20T06:00:00Z");
    CHECK(ledger.find("develop@{2025-03-30T06:00}") == "develop@2025-03-30T06:00:00Z");
    CHECK(ledger.find("develop@{2025-03-30T05:59:59Z}") == "develop@2025-03-20T06:00:00Z");
    CHECK(ledger.find("develop@{2030-01-01}") == "develop@2025-04-02T06:00:00Z");
    CHECK(ledger.find("develop@{now}") == "develop@2025-04-02T06:00:00Z");
    CHECK(ledger.find("develop@{yesterday}") == "develop@2025-03-30T06:00:00Z");
    CHECK(ledger.find("develop@{1 week ago}") == "develop@2025-03-20T06:00:00Z");
    CHECK(ledger.find("develop@{yesterday}~1") == "develop@2025-03-20T06:00:00Z");
}

TEST_CASE("Before the oldest snapshot none was in force") {
    Moments ledger;
    ledger.take("2025-03-20T06:00:00Z").take("2025-03-30T06:00:00Z");
    CHECK(ledger.find("develop@{2025-03-20}") ==
          "no snapshot at or before 2025-03-20T00:00:00Z: the oldest of develop is "
          "develop@2025-03-20T06:00:00Z");
    CHECK(ledger.find("@{1 year ago}") ==
          "no snapshot at or before 2024-04-02T12:00:00Z: the oldest of latest is "
          "develop@2025-03-20T06:00:00Z");
}

TEST_CASE("What stands in braces is a moment") {
    Moments ledger;
    ledger.take("2025-03-20");
    for (const std::string when : {"", "1", "last week", "2025", "2025-02-30"}) {
        CHECK(ledger.find("develop@{" + when + "}") ==
              "snapshot 'develop@{" + when +
                  "}': expected a moment between the braces, such as 2024-01-31, "
                  "2024-01-31T06:00, yesterday or 2 weeks ago");
    }
}

TEST_CASE("A moment in braces belongs to a tag, a series, or all") {
    Moments ledger;
    ledger.take("2025-03-20", "develop-2025-03-20").take("2025-03-30", "develop-2025-03-30");
    ledger.take("2025-03-25", "v1.0");
    CHECK(ledger.find("develop-*@{2025-03-29}") == "develop-2025-03-20");
    CHECK(ledger.find("develop@{2025-03-29}") == "develop-2025-03-20");
    CHECK(ledger.find("develop@{2025-03-30}") == "develop-2025-03-30");
    CHECK(ledger.find("latest@{2025-03-29}") == "v1.0@2025-03-25T00:00:00Z");
    CHECK(ledger.find("@{2025-03-29}") == "v1.0@2025-03-25T00:00:00Z");
    CHECK(ledger.find("devlop@{2025-03-29}") ==
          "no snapshot 'devlop@{2025-03-29}'; did you mean 'develop-*'?");
    ledger.take("2025-03-30", "develop");
    CHECK(ledger.find("develop@{2025-03-30}") == "develop@2025-03-30T00:00:00Z");
    CHECK(ledger.find("develop@{2025-03-29}") ==
          "no snapshot at or before 2025-03-29T00:00:00Z: the oldest of develop is "
          "develop@2025-03-30T00:00:00Z");
}

TEST_CASE("A series is its newest snapshot") {
    Moments ledger;
    ledger.take("2025-03-20", "develop-2025-03-20").take("2025-03-30", "develop-2025-03-30");
    ledger.take("2025-04-01", "develop");
    CHECK(ledger.find("develop-*") == "develop-2025-03-30");
    CHECK(ledger.find("develop-*~1") == "develop-2025-03-20");
    CHECK(ledger.find("develop-*~2") ==
          "no snapshot 'develop-*~2': the ledger holds 1 before develop-2025-03-30");
    CHECK(ledger.find("devlop-*~1") == "no snapshot 'devlop-*~1'; did you mean 'develop-*~1'?");
}

TEST_CASE("A dated tag may be cut to its month where one snapshot fits") {
    Moments ledger;
    ledger.take("2025-02-20", "develop-2025-02-20").take("2025-03-20", "develop-2025-03-20");
    ledger.take("2025-03-30", "develop-2025-03-30").take("2025-02-25", "develop-x-2025-02-25");
    CHECK(ledger.find("develop-2025-02") == "develop-2025-02-20");
    CHECK(ledger.find("develop@2025-02") == "develop-2025-02-20");
    CHECK(ledger.find("develop-2025-03") ==
          "'develop-2025-03' can be any of: develop-2025-03-20, develop-2025-03-30");
    CHECK(ledger.find("develop-2025-03~1") ==
          "'develop-2025-03~1' can be any of: develop-2025-03-20, develop-2025-03-30");
    CHECK(ledger.find("develop-x-2025") == "develop-x-2025-02-25");
    CHECK(ledger.find("develop-2025-02~0") == "develop-2025-02-20");
}

TEST_CASE("A date without a snapshot is answered with those around it") {
    Moments ledger;
    ledger.take("2025-02-20", "develop-2025-02-20").take("2025-03-20", "develop-2025-03-20");
    ledger.take("2025-03-30", "develop-2025-03-30");
    const std::string around = "; did you mean 'develop-2025-02-20', 'develop-2025-03-20'?";
    CHECK(ledger.find("develop-2025-03-01") == "no snapshot 'develop-2025-03-01'" + around);
    CHECK(ledger.find("develop@2025-03-01") == "no snapshot 'develop@2025-03-01'" + around);
    CHECK(ledger.find("develop-2025-04~1") ==
          "no snapshot 'develop-2025-04~1'; did you mean 'develop-2025-03-30~1'?");
    CHECK(ledger.find("devlop-2025-03-30") ==
          "no snapshot 'devlop-2025-03-30'; did you mean 'develop-2025-03-30'?");
}

TEST_CASE("An age is a number and a unit, or its letter") {
    CHECK(age("2d") == "2025-03-29T12:00:00Z");
    CHECK(age("36h") == "2025-03-30T00:00:00Z");
    CHECK(age("1w") == "2025-03-24T12:00:00Z");
    CHECK(age("90 minutes") == "2025-03-31T10:30:00Z");
    CHECK(age("1 month") == "2025-02-28T12:00:00Z");
    CHECK(age("99999w") == past("99999 weeks ago"));
    for (const auto* text : {"", "d", "2", "2m", "2 d", "-2d", "now", "yesterday", "2025-03-30"}) {
        INFO(text);
        CHECK(age(text) == "(none)");
    }
}

TEST_CASE("A moment of the past is counted back from now") {
    CHECK(past("now") == "2025-03-31T12:00:00Z");
    CHECK(past("yesterday") == "2025-03-30T12:00:00Z");
    CHECK(past("1 second ago") == "2025-03-31T11:59:59Z");
    CHECK(past("90 minutes ago") == "2025-03-31T10:30:00Z");
    CHECK(past("13 hours ago") == "2025-03-30T23:00:00Z");
    CHECK(past("31 days ago") == "2025-02-28T12:00:00Z");
    CHECK(past("1 week ago") == "2025-03-24T12:00:00Z");
    CHECK(past("2 weeks ago") == "2025-03-17T12:00:00Z");
    CHECK(past("2.weeks.ago") == "2025-03-17T12:00:00Z");
}

TEST_CASE("A month ago is the same day, or the last one of a shorter month") {
    CHECK(past("2 months ago") == "2025-01-31T12:00:00Z");
    CHECK(past("1 month ago") == "2025-02-28T12:00:00Z");
    CHECK(past("3 months ago", "2025-02-10T01:02:03Z") == "2024-11-10T01:02:03Z");
    CHECK(past("1 year ago") == "2024-03-31T12:00:00Z");
    CHECK(past("1 year ago", "2024-02-29") == "2023-02-28T00:00:00Z");
}

TEST_CASE("What is longer ago than every year that can be stored is the first moment") {
    for (const auto* text : {"99999 years ago", "99999 months ago", "2026 years ago"}) {
        INFO(text);
        CHECK(past(text) == "0000-01-01T00:00:00Z");
    }
    CHECK(past("2025 years ago") == "0000-03-31T12:00:00Z");
}

TEST_CASE("A moment of the past may be a date") {
    CHECK(past("2024-01-01") == "2024-01-01T00:00:00Z");
    CHECK(past("2024-01-01T06:00") == "2024-01-01T06:00:00Z");
}

TEST_CASE("Other words are no moment of the past") {
    for (const auto* text : {"", "ago", "week ago", "1 week", "1 fortnight ago", "-1 days ago",
                             "1.5 days ago", "tomorrow", "Yesterday", "1  week ago", "2024-01"}) {
        INFO(text);
        CHECK(past(text) == "(none)");
    }
    CHECK(past(std::string(100'000, '1')) == "(none)");
}

}  // namespace moment_test
