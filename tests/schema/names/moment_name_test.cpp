#include <string>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace moment_name_test {

using namespace cacheledger;

namespace {

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

}  // namespace

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

}  // namespace moment_name_test
