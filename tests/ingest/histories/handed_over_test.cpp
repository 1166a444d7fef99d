#include <cstddef>
#include <string>
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/support/repositories/graph_history_ledger.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace handed_over_test {

// The commits of a snapshot that a rule of `forget` removed are recorded at the next one, and have
// no part in it.
using namespace cacheledger;

namespace {

const Lines none;

/// Commits the state of zlib, or of the lock file: a spec of this stem.
std::string commit(HistoryLedger& history, const std::string& stem, const std::string& moment) {
    history.write("zlib", {stem});
    return history.commit(moment);
}
std::string commit(GraphHistoryLedger& history, const std::string& stem,
                   const std::string& moment) {
    history.write({stem});
    return history.commit(moment);
}

/// "2025-03-01T06:00:00Z a" by snapshot.
template <typename History>
Lines stems(History& history) {
    return history.ledger().rows(
        "SELECT x.taken_at || ' ' || substr(s.hash, 1, 1) "
        "FROM snapshots x JOIN specs s USING (snapshot_id) ORDER BY 1");
}

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

TEMPLATE_TEST_CASE("A commit that was handed over keeps no other from its second", "",
                   HistoryLedger, GraphHistoryLedger) {
    TestType history;
    const std::string first = commit(history, "a", "2025-03-01T07:00");
    const std::string second = commit(history, "b", "2025-03-01T07:00");
    const std::string earlier = commit(history, "c", "2025-03-01T06:00");
    history.load(first);
    history.load(second + ".." + earlier);
    REQUIRE(stems(history) == Lines{"2025-03-01T06:00:00Z c", "2025-03-01T07:00:00Z a"});
    history.ledger().forget_all_but(1);
    history.load();
    CHECK(stems(history) == Lines{"2025-03-01T07:00:00Z a", "2025-03-01T07:00:01Z b"});
    CHECK(history.load().known_commits == 3);
    CHECK(history.faults() == none);
}

TEMPLATE_TEST_CASE("What a rule removed stays away, and other commits of its second do not", "",
                   HistoryLedger, GraphHistoryLedger) {
    TestType history;
    const std::string first = commit(history, "a", "2025-03-01T06:00");
    commit(history, "b", "2025-03-01T06:00");
    const std::string last = commit(history, "c", "2025-03-01T07:00");
    history.load(first + ".." + last);
    history.ledger().forget_all_but(1);
    history.load();
    CHECK(history.load().known_commits == 3);
    CHECK(stems(history) == Lines{"2025-03-01T06:00:00Z a", "2025-03-01T07:00:00Z c"});
    commit(history, "d", "2025-03-01T06:00");
    history.load();
    CHECK(stems(history) ==
          Lines{"2025-03-01T06:00:00Z a", "2025-03-01T06:00:02Z d", "2025-03-01T07:00:00Z c"});
    CHECK(history.faults() == none);
}

TEMPLATE_TEST_CASE("What a rule removed stays away when the snapshot goes that keeps its commits",
                   "", HistoryLedger, GraphHistoryLedger) {
    TestType history;
    commit(history, "a", "2025-03-01T06:00");
    commit(history, "b", "2025-03-01T07:00");
    commit(history, "c", "2025-03-01T08:00");
    history.load();
    history.ledger().forget_all_but(2);
    const std::string tag = history.ledger().value("SELECT DISTINCT tag FROM snapshots");
    history.forget(tag + "@2025-03-01T07:00:00Z");
    history.load();
    CHECK(stems(history) == Lines{"2025-03-01T07:00:00Z b", "2025-03-01T08:00:00Z c"});
    history.forget(tag + "@2025-03-01T08:00:00Z");
    history.forget(tag + "@2025-03-01T07:00:00Z");
    history.load();
    CHECK(stems(history) ==
          Lines{"2025-03-01T06:00:00Z a", "2025-03-01T07:00:00Z b", "2025-03-01T08:00:00Z c"});
    CHECK(history.faults() == none);
}

TEST_CASE("A lock file that is gone or broken has a state where a rule removed all before it") {
    GraphHistoryLedger history;
    commit(history, "a", "2025-03-01T06:00");
    const std::string last = commit(history, "d", "2025-03-01T09:00");
    history.load();
    history.ledger().forget_all_but(1);
    history.repository().write("spack.lock", "torn");
    history.commit("2025-03-01T07:00");
    history.repository().remove("spack.lock");
    history.commit("2025-03-01T08:00");
    history.load();
    CHECK(history.states() ==
          Lines{"2025-03-01T07:00:00Z lock partial: ", "2025-03-01T08:00:00Z lock whole: ",
                "2025-03-01T09:00:00Z lock whole: d, root d"});
    CHECK(history.load().known_commits == 4);
    CHECK(history.faults() == none);
}

TEST_CASE("A run loads nothing again that another loaded, and a rule removed, while it waited") {
    GraphHistoryLedger history;
    commit(history, "a", "2025-03-01T06:00");
    commit(history, "b", "2025-03-01T07:00");
    commit(history, "c", "2025-03-01T08:00");
    bool waits = true;  // after it found out which commits to load
    const auto wait = [&](std::size_t, std::size_t) {
        if (std::exchange(waits, false)) {
            history.load();
            history.ledger().forget_all_but(1);
        }
    };
    const HistoryResult late =
        ingest_history(history.ledger().database(),
                       {history.repository().path(), "HEAD", "spack.lock", "derecho"}, wait);
    CHECK(late.loaded == 0);
    CHECK(late.known_commits == 3);
    CHECK(stems(history) == Lines{"2025-03-01T08:00:00Z c"});
    CHECK(history.faults() == none);
}

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
    two.ledger().take("2025-03-04", {zlib}, {.replace = true});
    CHECK(two.load().known_commits == 2);
    CHECK(two.states()[1] == "develop@2025-03-04T00:00:00Z: zlib:z");
}

}  // namespace handed_over_test
