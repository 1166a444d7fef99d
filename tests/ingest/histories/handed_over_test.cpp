#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/repositories/graph_history_ledger.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace handed_over_test {

// The commits of a snapshot that a rule of `forget` removed are recorded at the next one, and have
// no part in it.
using namespace cacheledger;
using Lines = std::vector<std::string>;

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

}  // namespace handed_over_test
