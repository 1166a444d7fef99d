#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "reports/engine/query/run_steps.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/engine/reasons/spread.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace why_property_test {

using namespace cacheledger;

namespace {

/// The statements that define why_count.
std::string statements() {
    constexpr std::string_view first = "-- counted: from here\n";
    constexpr std::string_view last = "-- counted: up to here\n";
    const auto step = std::ranges::find(why_texts, "reasons", &EmbeddedText::name);
    const auto begin = step->text.find(first);
    return std::string(step->text.substr(begin, step->text.find(last) - begin));
}

/// The tables that why_count comes from, for a random graph of `size` new nodes.
void make_tables(SQLite::Database& database, std::mt19937& random, int size, int reasons) {
    database.exec(
        "CREATE TEMP TABLE why_new (new_id INTEGER PRIMARY KEY, package_id, class TEXT, "
        "goes_on AS (class = 'below'));"
        "CREATE TEMP TABLE why_new_edge (new_id, dependency_id);"
        "CREATE TEMP TABLE why_explained (spec_id INTEGER PRIMARY KEY);"
        "CREATE TEMP TABLE why_reason (new_id INTEGER PRIMARY KEY, reason_id)");
    const auto below = [&](int most) {
        return std::uniform_int_distribution<int>(0, most - 1)(random);
    };
    for (int node = 0; node < size; ++node) {
        const bool is_below = node > 0 && below(3) > 0;
        database.exec(fmt::format("INSERT INTO why_new VALUES ({}, {}, '{}')", 7 * node,
                                  below(5) + 1, is_below ? "below" : "own"));
        for (int edges = node == 0 ? 0 : below(4); edges > 0; --edges) {
            database.exec(
                fmt::format("INSERT INTO why_new_edge VALUES ({}, {})", 7 * node, 7 * below(node)));
        }
        if (!is_below && below(5) > 0) {
            database.exec(fmt::format("INSERT INTO why_reason VALUES ({}, {})", 7 * node,
                                      below(reasons) + 1));
        }
        if (below(2) > 0) {
            database.exec(fmt::format("INSERT INTO why_explained VALUES ({})", 7 * node));
        }
    }
}

}  // namespace

TEST_CASE("The program counts the specs of a reason as the SQL does") {
    std::mt19937 random(20250330);
    for (int round = 0; round < 60; ++round) {
        TempLedger ledger;
        // More reasons than the program counts at a time, too.
        make_tables(ledger.database(), random, round % 10 == 9 ? 900 : 30,
                    round % 10 == 9 ? 1200 : 6);
        run_steps(ledger.database(), statements(), {});
        const auto expected = ledger.rows("SELECT * FROM temp.why_count ORDER BY reason_id");
        count_reasons(ledger.database());
        const auto counted = ledger.rows("SELECT * FROM temp.why_count ORDER BY reason_id");
        CHECK_FALSE(expected.empty());
        CHECK(counted == expected);
    }
}

}  // namespace why_property_test
