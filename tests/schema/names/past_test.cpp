#include "schema/ledger/names/moment.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace past_test {

using namespace cacheledger;

namespace {

std::string past(std::string_view text, std::string_view now = "2025-03-31T12:00:00Z") {
    const auto moment = parse_past(text, parse_moment(now).value());
    return moment ? format_moment(*moment) : "(none)";
}

std::string age(std::string_view text) {
    const auto moment = parse_age(text, parse_moment("2025-03-31T12:00:00Z").value());
    return moment ? format_moment(*moment) : "(none)";
}

}  // namespace

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

}  // namespace past_test
