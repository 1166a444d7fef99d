#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/upkeep/retention.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/models/random_sources.hpp"

namespace forget_many_test {

using namespace cacheledger;
using random_sources::Given;
using random_sources::RandomSources;

namespace {

unsigned new_seed() {
    const char* const text = std::getenv("CACHELEDGER_SEED");
    return text == nullptr ? std::random_device()() : static_cast<unsigned>(std::atol(text));
}

void ignore(std::size_t /*done*/, std::size_t /*all*/) {}

/// All views, without the folder that the pages were read from.
std::map<std::string, std::vector<std::string>> rows_of(TempLedger& ledger) {
    const std::string folder = ledger.folder().path().string();
    auto views = ledger.views();
    for (std::string& row : views.at("snapshots")) {
        if (const auto at = row.find(folder); at != std::string::npos) {
            row.erase(at, folder.size());
        }
    }
    return views;
}

/// Any snapshots of pages, indexes and locks, some of them partial, in any order.
void fill(RandomSources& sources, TempLedger& ledger, TempLedger& other) {
    std::vector<int> days(8);
    for (std::size_t i = 0; i < days.size(); ++i) {
        days[i] = static_cast<int>(i) * 3 + 1;
    }
    std::ranges::shuffle(days, sources.random());
    for (const int day : days) {
        const Given source = sources.any(day);
        random_sources::load(ledger, source, false);
        random_sources::load(other, source, false);
        if (sources.below(3) == 0) {
            IngestOptions partial;
            partial.partial = true;
            partial.keep_going = true;
            const std::vector<PrintedPage> pages = {
                {"zlib", {{.hash = hash_of(sources.maybe() ? "z" : "y")}}}};
            ledger.take(fmt::format("2025-03-{:02}", day + 1), pages, partial);
            other.take(fmt::format("2025-03-{:02}", day + 1), pages, partial);
        }
    }
}

}  // namespace

TEST_CASE("Forgetting many snapshots is forgetting each of them, in any order") {
    const unsigned seed = new_seed();
    for (unsigned trial = 0; trial < 20; ++trial) {
        RandomSources sources(seed + trial);
        TempLedger together;
        TempLedger apart;
        fill(sources, together, apart);
        const auto number = [&] { return sources.maybe() ? std::int64_t{sources.below(4)} : 0; };
        const Retention retention{sources.below(3) == 0 ? 1 : number(), number(), number(),
                                  1 + number()};
        INFO("CACHELEDGER_SEED=" << seed + trial << ": keep " << retention.last << " "
                                 << retention.daily << " " << retention.weekly << " "
                                 << retention.monthly);
        const auto judged = forget(together.database(), retention, {}, ignore);
        std::vector<std::string> gone;
        for (const JudgedSnapshot& one : judged) {
            if (one.reasons.empty()) {
                gone.push_back(one.snapshot.name);
            }
        }
        std::ranges::shuffle(gone, sources.random());
        INFO(fmt::format("{}", fmt::join(gone, "\n")));
        for (const std::string& name : gone) {
            forget(apart.database(), name);
        }
        const auto expected = rows_of(apart);
        for (const auto& [view, rows] : rows_of(together)) {
            INFO(view);
            REQUIRE(rows == expected.at(view));
        }
        REQUIRE(find_problems(together.database(), 10) == std::vector<std::string>{});
    }
}

TEST_CASE("An interruption on the way removes nothing") {
    TempLedger ledger;
    for (int day = 1; day < 6; ++day) {
        ledger.take(fmt::format("2025-03-{:02}", day),
                    {{"zlib", {{.hash = hash_of(std::string(1, static_cast<char>('a' + day)))}}}});
    }
    const auto tables = ledger.tables();
    CHECK_THROWS(forget(ledger.database(), {.last = 1}, {}, [](std::size_t done, std::size_t all) {
        if (done == all) {
            throw std::runtime_error("stop");
        }
    }));
    CHECK(ledger.tables() == tables);
    CHECK(forget(ledger.database(), {.last = 5}, {}, ignore).size() == 5);
    CHECK(ledger.tables() == tables);
    forget(ledger.database(), {.last = 1}, {}, ignore);
    CHECK(ledger.rows("SELECT name FROM snapshots") ==
          std::vector<std::string>{"develop@2025-03-05T00:00:00Z"});
}

}  // namespace forget_many_test
