#include "schema/transactions/change_log.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "schema/ledger/ledger_copy.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/graph_fixture.hpp"

// What a ledger keeps of what happened to it. change_log_property_test asks whether that is enough.
using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

PrintedPage page(const std::string& stem) {
    return {"zlib", {{.hash = hash_of(stem)}}};
}

}  // namespace

TEST_CASE("A ledger has an identity of its own, and keeps it") {
    TempLedger one;
    TempLedger other;
    const std::string identity = one.value("SELECT ledger_id FROM ledger_identity");
    CHECK(identity.size() == 32);
    CHECK(identity != other.value("SELECT ledger_id FROM ledger_identity"));
    one.take("2025-03-01", {page("a")});
    CHECK(one.value("SELECT ledger_id FROM ledger_identity") == identity);
}

TEST_CASE("Snapshots that are written, replaced and forgotten are noted, in this order") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page("a")});
    ledger.take("2025-03-02", {page("b")});
    IngestOptions replace;
    replace.replace = true;
    ledger.take("2025-03-01", {page("c")}, replace);
    forget(ledger.database(), "latest");
    CHECK(ledger.rows("SELECT written_id, what, series_id, taken_at - 1740787200, snapshot "
                      "FROM written ORDER BY written_id") ==
          Lines{"1|written|1|0|develop@2025-03-01T00:00:00Z",
                "2|written|1|86400|develop@2025-03-02T00:00:00Z",
                "3|replaced|1|0|develop@2025-03-01T00:00:00Z",
                "4|written|1|0|develop@2025-03-01T00:00:00Z",
                "5|forgotten|1|86400|develop@2025-03-02T00:00:00Z"});
    CHECK(ledger.value("SELECT count(DISTINCT token) FROM written WHERE length(token) = 16") ==
          "5");
}

TEST_CASE("A transaction that changes nothing is not noted, one that changes no snapshot is") {
    TempLedger ledger;
    MadeInput input;
    input.nodes = {{"zlib", hash_of("a")}};
    input.nodes[0].recipe.package_hash = std::nullopt;
    input.files = {{"root", {hash_of("a")}}};
    take_graph(ledger, "2025-03-01", input);
    take_graph(ledger, "2025-03-01", input);
    CHECK(ledger.value("SELECT group_concat(what) FROM written") == "written");
    input.nodes[0].recipe.package_hash = "known";
    input.nodes[0].text = "second";
    take_graph(ledger, "2025-03-01", input);
    CHECK(ledger.value("SELECT group_concat(what) FROM written") == "written,filled");
    list_changed_rows(ledger.database(), 1);
    CHECK(ledger.rows("SELECT table_name, row_id FROM temp.changed_row WHERE table_name = "
                      "'node'") == Lines{"node|1"});
}

TEST_CASE("What the log is about is not in the copy that a site has") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page("a")});
    SQLite::Database copy = copy_ledger(ledger.database(), ledger.folder().path() / "copy.db");
    slim_down(copy);
    for (const char* const table : {"ledger_identity", "written", "changed_range"}) {
        INFO(table);
        CHECK(copy.execAndGet(fmt::format("SELECT count(*) FROM {}", table)).getInt() == 0);
    }
}
