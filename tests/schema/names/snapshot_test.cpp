#include <string>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/nearest.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/names/tag.hpp"
#include "schema/text/counted.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace snapshot_test {

using namespace cacheledger;
using Catch::Matchers::Message;
using Names = std::vector<std::string>;

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

void take(TempLedger& ledger, const std::string& moment, const std::string& tag = "develop") {
    ledger.take(moment, {{"zlib", {}, tag, ""}});
}

std::string names(const SnapshotPair& pair) {
    return pair.from.name + " " + pair.to.name;
}

const Names packages = {"hdf5",     "kokkos", "kokkos-kernels", "py-numpy",
                        "py-torch", "zlib",   "zlib-ng"};

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

TEST_CASE("The newest pair is of the newest series that has two snapshots") {
    TempLedger ledger;
    CHECK_THROWS_MATCHES(
        newest_pair(ledger.database()), UsageError,
        Message(
            "no snapshot 'latest': the ledger is empty; how to fill it: cacheledger help sources"));
    take(ledger, "2025-03-01");
    CHECK_THROWS_MATCHES(
        newest_pair(ledger.database()), UsageError,
        Message("no series has two snapshots to compare (the newest is "
                "develop@2025-03-01T00:00:00Z); name two; to see all: cacheledger snapshots"));
    take(ledger, "2025-03-02");
    take(ledger, "2025-03-09", "v1.0");
    CHECK(names(newest_pair(ledger.database())) ==
          "develop@2025-03-01T00:00:00Z develop@2025-03-02T00:00:00Z");
    take(ledger, "2025-03-10", "v1.0");
    CHECK(names(newest_pair(ledger.database())) ==
          "v1.0@2025-03-09T00:00:00Z v1.0@2025-03-10T00:00:00Z");
}

TEST_CASE("A snapshot alone is compared with the one before it") {
    TempLedger ledger;
    take(ledger, "2025-03-01");
    take(ledger, "2025-03-02");
    take(ledger, "2025-03-03");
    SQLite::Database& database = ledger.database();
    CHECK(names(pair_up_to(database, find_snapshot(database, "develop~1"))) ==
          "develop@2025-03-01T00:00:00Z develop@2025-03-02T00:00:00Z");
    CHECK_THROWS_MATCHES(pair_up_to(database, find_snapshot(database, "develop~2")), UsageError,
                         Message("develop@2025-03-01T00:00:00Z is the oldest of its series: name "
                                 "the snapshot to compare it with"));
}

TEST_CASE("The newest snapshots are all of the newest moment, that of latest first") {
    TempLedger ledger;
    take(ledger, "2025-03-01");
    take(ledger, "2025-03-02", "v1.0");
    take(ledger, "2025-03-02");
    take(ledger, "2025-03-02", "v0.9");
    std::string all;
    for (const Snapshot& snapshot : newest_snapshots(ledger.database())) {
        all += snapshot.tag + " ";
    }
    CHECK(all == "develop v0.9 v1.0 ");
}

TEST_CASE("A dated tag has the moment of its date") {
    CHECK(moment_of_tag("develop-2025-03-30") == parse_moment("2025-03-30"));
    CHECK(moment_of_tag("v1-2025-03-30") == parse_moment("2025-03-30"));
    for (const auto* tag : {"develop", "v0.21.0", "v2025.07.0", "", "2025-03-30", "-2025-03-30",
                            "develop2025-03-30", "develop-2025-02-30", "develop-2025-03-30x"}) {
        INFO(tag);
        CHECK_FALSE(moment_of_tag(tag));
    }
}

TEST_CASE("Dated tags of one prefix are one series") {
    CHECK(series_of_tag("develop-2025-03-30") == "develop-*");
    CHECK(series_of_tag("develop-2025-03-23") == "develop-*");
    CHECK(series_of_tag("develop") == "develop");
    CHECK(series_of_tag("v0.21.0") == "v0.21.0");
}

TEST_CASE("A snapshot is named by its tag, and its moment unless the tag says it") {
    const Moment moment = parse_moment("2025-03-30T06:00:00").value();
    CHECK(snapshot_name("develop", moment) == "develop@2025-03-30T06:00:00Z");
    CHECK(snapshot_name("develop-2025-03-30", moment) == "develop-2025-03-30");
    CHECK(snapshot_name(untagged, 0) == "untagged@1970-01-01T00:00:00Z");
}

TEST_CASE("A tag can be part of a snapshot's name") {
    for (const auto* tag : {"develop", "v0.21.0", "develop-2025-03-30", "pr/123", "\xc3\xa4"}) {
        CHECK_FALSE(tag_problem(tag));
    }
    for (const auto* tag : {"latest-2025-03-30", "Latest", "a-b", "a-"}) {
        CHECK_FALSE(tag_problem(tag));
    }
    CHECK(tag_problem("") == "the tag is empty");
    CHECK(tag_problem("latest") ==
          "a tag can't be called 'latest', which means the newest snapshot");
    for (const auto* tag : {"-", "-v1", "--tag"}) {
        CHECK(tag_problem(tag) == "a tag can't begin with '-', as options do");
    }
    for (const std::string& tag :
         {std::string("a b"), std::string("a@b"), std::string("a~1"), std::string("develop-*"),
          std::string("a\tb"), std::string("a\0b", 3), std::string("a\x7f"), std::string("a{b"),
          std::string("a}")}) {
        INFO(tag);
        CHECK(tag_problem(tag) ==
              "a tag can't hold blanks, control characters, '@', '~', '*', '{' or '}'");
    }
}

TEST_CASE("The nearest names take the fewest changes of a character") {
    CHECK(nearest_names("zlob", packages) == Names{"zlib", "zlib-ng"});
    CHECK(nearest_names("zlib-n", packages) == Names{"zlib-ng"});
    CHECK(nearest_names("py_numpi", packages) == Names{"py-numpy"});
    CHECK(nearest_names("HDF5", packages) == Names{"hdf5"});
}

TEST_CASE("The words of a name are as near as the whole, which comes first") {
    CHECK(nearest_names("kokos", packages) == Names{"kokkos", "kokkos-kernels"});
    CHECK(nearest_names("torch", packages) == Names{"py-torch"});
    CHECK(nearest_names("kernels", packages) == Names{"kokkos-kernels"});
    CHECK(nearest_names("stack", {"drift/stacks", "coverage/stacks", "coverage/targets"}) ==
          Names{"coverage/stacks", "drift/stacks"});
    CHECK(nearest_names("aab", {"aaa-z", "aaa-y", "aaa-x", "aaa-w", "aaa"}) ==
          Names{"aaa", "aaa-w", "aaa-x"});
}

TEST_CASE("Two neighbours that are swapped are one change") {
    CHECK(nearest_names("spces", {"specs", "sizes"}) == Names{"specs"});
    CHECK(nearest_names("wyh", {"why", "sql"}) == Names{"why"});
}

TEST_CASE("Two changes of a short word make another word, unless both begin alike") {
    CHECK(nearest_names("log", {"coverage/no-stack"}).empty());
    CHECK(nearest_names("foo", {"root"}).empty());
    CHECK(nearest_names("nope", {"open"}).empty());
    CHECK(nearest_names("topics", {"drift/copies"}).empty());
    CHECK(nearest_names("koko", packages) == Names{"kokkos", "kokkos-kernels"});
}

TEST_CASE("If no name is spelled alike, those are near that begin with what is typed") {
    CHECK(nearest_names("snap", {"specs", "snapshots"}) == Names{"snapshots"});
    CHECK(nearest_names("cov", {"coverage", "report"}) == Names{"coverage"});
    CHECK(nearest_names("py-nu", packages) == Names{"py-numpy"});
    CHECK(nearest_names("ker", packages) == Names{"kokkos-kernels"});
    CHECK(nearest_names("zl*", packages) == Names{"zlib", "zlib-ng"});
    CHECK(nearest_names("okko", packages).empty());
}

TEST_CASE("What takes too many changes is not near") {
    for (const std::string typed :
         {"", "z", "qq", "cmake", "zzzzzzzz", "kokkos-kernels-extra-long"}) {
        INFO(typed);
        CHECK(nearest_names(typed, packages).empty());
    }
    CHECK(nearest_names("zlib", {}).empty());
}

TEST_CASE("An unknown name is refused with the nearest, or with what helps otherwise") {
    CHECK_THROWS_MATCHES(refuse_unknown("package", "kokos", packages, "see there"), UsageError,
                         Message("no package 'kokos'; did you mean 'kokkos', 'kokkos-kernels'?"));
    CHECK_THROWS_MATCHES(refuse_unknown("package", "cmake", packages, "see there"), UsageError,
                         Message("no package 'cmake'; see there"));
}

TEST_CASE("A noun agrees with its number") {
    CHECK(counted(0, "spec") == "0 specs");
    CHECK(counted(1, "spec") == "1 spec");
    CHECK(counted(2, "spec") == "2 specs");
    CHECK(counted(1204, "spec") == "1,204 specs");
    CHECK(counted(-1, "spec") == "-1 specs");
    CHECK(counted(1, "more copy", "more copies") == "1 more copy");
    CHECK(counted(1000001, "more copy", "more copies") == "1,000,001 more copies");
    CHECK(words_for(1, "spec needs", "specs need") == "spec needs");
    CHECK(words_for(0, "spec needs", "specs need") == "specs need");
}

TEST_CASE("Numbers for people have commas") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1,000");
    CHECK(grouped(-999) == "-999");
    CHECK(grouped(-1234567) == "-1,234,567");
}

}  // namespace snapshot_test
