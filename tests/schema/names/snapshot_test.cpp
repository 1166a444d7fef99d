#include "schema/ledger/names/snapshot.hpp"

#include <string>

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace snapshot_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

/// A ledger of empty snapshots, to be found by name.
class Snapshots {
  public:
    Snapshots& take(const std::string& moment, const std::string& tag = "develop") {
        ledger_.take(moment, {{"zlib", {}, tag, ""}});
        return *this;
    }
    /// As a ledger from before tags were refused has it.
    Snapshots& rename_tag(const std::string& tag, const std::string& name) {
        ledger_.database().exec("UPDATE snapshot SET name = replace(name, tag, '" + name +
                                "'), tag = '" + name + "' WHERE tag = '" + tag + "'");
        return *this;
    }
    std::string newest() { return newest_snapshot(ledger_.database()).name; }
    std::string find(const std::string& text) {
        return find_snapshot(ledger_.database(), text).name;
    }
    std::string problem(const std::string& text) {
        try {
            return "(found " + find(text) + ")";
        } catch (const UsageError& error) {
            return error.what();
        }
    }

  private:
    TempLedger ledger_;
};

}  // namespace

TEST_CASE("A snapshot is found by its name") {
    TempLedger ledger;
    ledger.take("2025-03-30T06:00:00Z", {{"zlib", {}}});
    const Snapshot found = find_snapshot(ledger.database(), "develop@2025-03-30T06:00:00Z");
    CHECK(found.name == "develop@2025-03-30T06:00:00Z");
    CHECK(found.tag == "develop");
    CHECK(found.taken_at == parse_moment("2025-03-30T06:00:00Z"));
    CHECK(std::to_string(found.id) == ledger.value("SELECT snapshot_id FROM snapshot"));
    CHECK(std::to_string(found.series_id) == ledger.value("SELECT series_id FROM series"));
}

TEST_CASE("A moment may be cut where one snapshot fits") {
    Snapshots snapshots;
    snapshots.take("2025-03-30T06:00:00Z").take("2025-03-31T06:00:00Z");
    CHECK(snapshots.find("develop@2025-03-30") == "develop@2025-03-30T06:00:00Z");
    CHECK(snapshots.find("develop@2025-03-31T06:00") == "develop@2025-03-31T06:00:00Z");
    snapshots.take("2025-03-30T18:00:00Z");
    CHECK(snapshots.problem("develop@2025-03-30") ==
          "'develop@2025-03-30' can be any of: develop@2025-03-30T06:00:00Z, "
          "develop@2025-03-30T18:00:00Z");
    CHECK(snapshots.find("develop@2025-03-30T18") == "develop@2025-03-30T18:00:00Z");
}

TEST_CASE("A moment may be spelled otherwise") {
    Snapshots snapshots;
    snapshots.take("2025-03-30T06:00:00Z");
    CHECK(snapshots.find("develop@2025-03-30T08:00+02:00") == "develop@2025-03-30T06:00:00Z");
    CHECK(snapshots.find("develop@2025-03-30 06:00") == "develop@2025-03-30T06:00:00Z");
}

TEST_CASE("A tag is its newest snapshot") {
    Snapshots snapshots;
    snapshots.take("2025-03-31").take("2025-03-30").take("2025-04-01", "v1.0");
    CHECK(snapshots.find("develop") == "develop@2025-03-31T00:00:00Z");
    CHECK(snapshots.find("v1.0") == "v1.0@2025-04-01T00:00:00Z");
}

TEST_CASE("A dated tag is its snapshot") {
    Snapshots snapshots;
    snapshots.take("2025-04-09", "develop-2025-03-30").take("2025-04-09", "develop-2025-03-23");
    CHECK(snapshots.find("develop-2025-03-30") == "develop-2025-03-30");
    CHECK(snapshots.find("develop-2025-03-30~1") == "develop-2025-03-23");
    CHECK(snapshots.find("develop@2025-03-23") == "develop-2025-03-23");
}

TEST_CASE("Snapshots before are counted in their series") {
    Snapshots snapshots;
    snapshots.take("2025-03-29").take("2025-03-30").take("2025-03-31");
    snapshots.take("2025-03-30", "v1.0");
    CHECK(snapshots.find("develop~0") == "develop@2025-03-31T00:00:00Z");
    CHECK(snapshots.find("develop~1") == "develop@2025-03-30T00:00:00Z");
    CHECK(snapshots.find("latest~2") == "develop@2025-03-29T00:00:00Z");
    CHECK(snapshots.find("develop@2025-03-30~1") == "develop@2025-03-29T00:00:00Z");
    CHECK(snapshots.problem("develop~3") ==
          "no snapshot 'develop~3': the ledger holds 2 before develop@2025-03-31T00:00:00Z");
    CHECK(snapshots.problem("v1.0~1") ==
          "no snapshot 'v1.0~1': the ledger holds 0 before v1.0@2025-03-30T00:00:00Z");
}

TEST_CASE("What stands behind ~ is a number") {
    Snapshots snapshots;
    snapshots.take("2025-03-30");
    for (const std::string text :
         {"develop~", "develop~x", "develop~1x", "develop~-1", "develop~99999999999"}) {
        CHECK(snapshots.problem(text) == "snapshot '" + text + "': expected a number behind '~'");
    }
}

TEST_CASE("The latest of equals is develop, else the first by name") {
    Snapshots snapshots;
    snapshots.take("2025-03-30", "v1.0").take("2025-03-30", "v0.9");
    CHECK(snapshots.find("latest") == "v0.9@2025-03-30T00:00:00Z");
    snapshots.take("2025-03-30");
    CHECK(snapshots.find("latest") == "develop@2025-03-30T00:00:00Z");
    snapshots.take("2025-03-31", "v1.0");
    CHECK(snapshots.find("latest") == "v1.0@2025-03-31T00:00:00Z");
}

TEST_CASE("A tag that an older program let be called latest is not mistaken for the newest") {
    Snapshots snapshots;
    snapshots.take("2025-03-30", "v1.0").rename_tag("v1.0", "latest");
    CHECK(snapshots.find("latest") == "latest@2025-03-30T00:00:00Z");  // is the newest, too
    snapshots.take("2025-03-31");
    const std::string either =
        "'latest' can be any of: develop@2025-03-31T00:00:00Z, latest@2025-03-30T00:00:00Z";
    CHECK(snapshots.problem("latest") == either);
    CHECK(snapshots.problem("latest~1") == "'latest~1'" + either.substr(8));
    CHECK(snapshots.find("latest@2025-03-30") == "latest@2025-03-30T00:00:00Z");
    CHECK(snapshots.newest() == "develop@2025-03-31T00:00:00Z");
}

TEST_CASE("Tags that an older program let be are found by their names") {
    Snapshots snapshots;
    snapshots.take("2025-03-30", "a").take("2025-03-30", "b").take("2025-03-31");
    snapshots.rename_tag("a", "-x").rename_tag("b", "{b}");
    CHECK(snapshots.find("-x") == "-x@2025-03-30T00:00:00Z");
    CHECK(snapshots.find("{b}~0") == "{b}@2025-03-30T00:00:00Z");
}

TEST_CASE("Where no snapshot fits, those there are are named") {
    Snapshots snapshots;
    CHECK(snapshots.problem("latest") ==
          "no snapshot 'latest': the ledger is empty; how to fill it: cacheledger help sources");
    snapshots.take("2025-03-30").take("2025-03-31");
    const std::string there =
        "; there are: develop@2025-03-31T00:00:00Z, develop@2025-03-30T00:00:00Z";
    for (const std::string text : {"", "v1.0@2025", "~1", "nightly"}) {
        CHECK(snapshots.problem(text) == "no snapshot '" + text + "'" + there);
    }
    for (int day = 1; day <= 4; ++day) {
        snapshots.take("2025-04-0" + std::to_string(day));
    }
    CHECK_THAT(snapshots.problem("v1.0"), Catch::Matchers::EndsWith(", ... (6 in all)"));
}

TEST_CASE("A name that is not there is answered with the nearest") {
    Snapshots snapshots;
    snapshots.take("2025-03-30").take("2025-03-31");
    const auto answer = [&](const std::string& text) {
        const std::string problem = snapshots.problem(text);
        return problem.substr(problem.find(';') + 2);
    };
    for (const std::string text : {"devel", "develop@never", "DEVELOP", "develop*"}) {
        CHECK(answer(text) == "did you mean 'develop'?");
    }
    CHECK(answer("devlop~1") == "did you mean 'develop~1'?");
    CHECK(answer("lates") == "did you mean 'latest'?");
    CHECK(answer("develop-2025-03-30") == "did you mean 'develop@2025-03-30T00:00:00Z'?");
    CHECK(answer("develop@2025-04") == "did you mean 'develop@2025-03-31T00:00:00Z'?");
}

}  // namespace snapshot_test
