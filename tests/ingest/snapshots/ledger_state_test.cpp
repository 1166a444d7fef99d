#include "schema/sqlite/transactions/ledger_state.hpp"

#include <string>

#include "ingest/snapshots/forget.hpp"
#include "schema/ledger/file/ledger_copy.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"

namespace ledger_state_test {

using namespace cacheledger;

namespace {

const std::string count_states = "SELECT count(*) FROM ledger_state";

PrintedPage page(const std::string& stem) {
    return {"zlib", {{.hash = hash_of(stem)}}};
}

}  // namespace

TEST_CASE("A ledger has an identity of its own, and keeps it") {
    TempLedger one;
    TempLedger other;
    const LedgerState empty = newest_state(one.database());
    CHECK(empty.ledger_id.size() == 32);
    CHECK(empty.token == empty.ledger_id);
    CHECK(empty.ledger_id != newest_state(other.database()).ledger_id);
    one.take("2025-03-01", {page("a")});
    CHECK(newest_state(one.database()).ledger_id == empty.ledger_id);
}

TEST_CASE("Each transaction that changes a ledger makes a new state of it") {
    TempLedger ledger;
    const LedgerState before = newest_state(ledger.database());
    ledger.take("2025-03-01", {page("a")});
    ledger.take("2025-03-02", {page("b")});
    IngestOptions replace;
    replace.replace = true;
    ledger.take("2025-03-01", {page("c")}, replace);
    forget(ledger.database(), "latest");
    CHECK(ledger.value(count_states) == "5");
    CHECK(has_state(ledger.database(), before));
    TempLedger other;
    CHECK_FALSE(has_state(other.database(), before));
}

TEST_CASE("A transaction that changes nothing makes no state, one that changes no snapshot does") {
    TempLedger ledger;
    MadeInput input;
    input.nodes = {{"zlib", hash_of("a")}};
    input.nodes[0].recipe.package_hash = std::nullopt;
    input.files = {{"root", {hash_of("a")}}};
    take_graph(ledger, "2025-03-01", input);
    take_graph(ledger, "2025-03-01", input);
    CHECK(ledger.value(count_states) == "2");
    input.nodes[0].recipe.package_hash = "known";
    input.nodes[0].text = "second";
    take_graph(ledger, "2025-03-01", input);
    CHECK(ledger.value(count_states) == "3");
}

TEST_CASE("The copy that a site has is of no state") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page("a")});
    SQLite::Database whole = copy_ledger(ledger.database(), ledger.folder().path() / "whole.db");
    SQLite::Database copy = begin_copy_for_readers(ledger.folder().path() / "copy.db");
    copy_for_readers(whole, copy);
    CHECK(newest_state(copy) == LedgerState{});
}

TEST_CASE("The copy for other tools has what older SQLites read") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page("a")});
    SQLite::Database copy = begin_copy_for_readers(ledger.folder().path() / "copy.db");
    copy_for_tools(ledger.database(), copy);
    const auto number = [&](const char* sql) { return copy.execAndGet(sql).getInt(); };
    CHECK(number("SELECT count(*) FROM sqlite_schema WHERE sql GLOB '*STRICT*' "
                 "OR sql GLOB '*GENERATED*'") == 0);
    CHECK(number("SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%) WITHOUT ROWID'") > 0);
    CHECK(number("SELECT count(*) FROM sqlite_schema WHERE name IN ('stack_drift', 'spec_drift', "
                 "'spec_distances')") == 0);
    CHECK(number("SELECT count(*) FROM stack WHERE is_root IS NULL") == 0);
    CHECK(std::to_string(number("SELECT count(*) FROM specs")) ==
          ledger.value("SELECT count(*) FROM specs"));
    CHECK(newest_state(copy) == newest_state(ledger.database()));
}

}  // namespace ledger_state_test
