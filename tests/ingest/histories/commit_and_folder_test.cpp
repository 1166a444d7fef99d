#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace commit_and_folder_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

/// Commits of develop at the second and the fourth of March.
class Two : public HistoryLedger {
  public:
    Two() {
        write("zlib", {"a"});
        write("hwloc", {"h"});
        commit("2025-03-02");
        write("zlib", {"b"});
        commit("2025-03-04");
    }
};

const PrintedPage zlib{"zlib", {{.hash = hash_of("z")}}};

}  // namespace

TEST_CASE("Snapshots of folders lie between those of commits, whatever comes first") {
    Two two;
    const Lines days{"2025-03-01", "2025-03-03", "2025-03-05"};
    const auto take_all = [&] {
        for (const std::string& day : days) {
            two.ledger().take(day, {zlib});
        }
    };
    SECTION("folders first") {
        take_all();
        two.load();
    }
    SECTION("commits first") {
        two.load();
        take_all();
    }
    SECTION("one after the other") {
        two.ledger().take(days[1], {zlib});
        two.load("HEAD~1");
        two.ledger().take(days[2], {zlib});
        two.load();
        two.ledger().take(days[0], {zlib});
    }
    CHECK(two.states() == Lines{"develop@2025-03-01T00:00:00Z: zlib:z",
                                "develop@2025-03-02T00:00:00Z: hwloc:h zlib:a",
                                "develop@2025-03-03T00:00:00Z: zlib:z",
                                "develop@2025-03-04T00:00:00Z: hwloc:h zlib:b",
                                "develop@2025-03-05T00:00:00Z: zlib:z"});
    CHECK(two.ledger().value("SELECT count(*) FROM changes") == "13");
    CHECK(two.load().known_commits == 2);
    CHECK(two.faults().empty());
}

TEST_CASE("A snapshot that is there at a commit's moment stays where it is the same") {
    Two two;
    two.ledger().take("2025-03-02",
                      {{"hwloc", {{.hash = hash_of("h")}}}, {"zlib", {{.hash = hash_of("a")}}}});
    const HistoryResult result = two.load();
    CHECK(result.unchanged == 1);
    CHECK(result.replaced == 0);
    CHECK(result.loaded == 1);
    CHECK(two.load().known_commits == 2);
    two.forget("develop@2025-03-02");
    CHECK(two.load().loaded == 1);
    CHECK(two.ledger().value("SELECT count(*) FROM snapshots") == "2");
}

TEST_CASE("A snapshot that is there at a commit's moment gives way where it is another") {
    Two two;
    two.load();
    const auto states = two.states();
    const auto specs = two.ledger().rows("SELECT * FROM spec_variants ORDER BY 1, 2, 3");
    Two other;
    IngestOptions partial;
    SECTION("another page") {
        other.ledger().take("2025-03-04", {zlib});
    }
    SECTION("more pages") {
        other.ledger().take("2025-03-02", {{"hwloc", {{.hash = hash_of("h")}}},
                                           {"mpich", {{.hash = hash_of("m")}}},
                                           {"zlib", {{.hash = hash_of("a")}}}});
    }
    SECTION("a part of it") {
        partial.partial = true;
        other.ledger().take("2025-03-02", {{"zlib", {{.hash = hash_of("a")}}}}, partial);
    }
    const HistoryResult result = other.load();
    CHECK(result.replaced == 1);
    CHECK(result.loaded == 2);
    CHECK(other.states() == states);
    CHECK(other.ledger().rows("SELECT * FROM spec_variants ORDER BY 1, 2, 3") == specs);
    CHECK(other.ledger().value("SELECT count(*) FROM snapshots WHERE extent <> 'whole'") == "0");
    CHECK(other.load().known_commits == 2);
    CHECK(other.faults().empty());
}

TEST_CASE("A folder that replaced a commit's snapshot stays") {
    Two two;
    two.load();
    IngestOptions options;
    options.replace = true;
    two.ledger().take("2025-03-04", {zlib}, options);
    CHECK(two.load().known_commits == 2);
    CHECK(two.states()[1] == "develop@2025-03-04T00:00:00Z: zlib:z");
}

}  // namespace commit_and_folder_test
