#include "schema/ledger/names/snapshot.hpp"

#include <string>

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace snapshot_pair_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

void take(TempLedger& ledger, const std::string& moment, const std::string& tag = "develop") {
    ledger.take(moment, {{"zlib", {}, tag, ""}});
}

std::string names(const SnapshotPair& pair) {
    return pair.from.name + " " + pair.to.name;
}

}  // namespace

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

}  // namespace snapshot_pair_test
