#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/upkeep/retention.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/models/random_sources.hpp"

namespace forget_many_test {

using namespace cacheledger;
using random_sources::Given;
using random_sources::RandomSources;
using Reasons = std::vector<std::vector<std::string>>;

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
            const IngestOptions partial{.partial = true, .keep_going = true};
            const std::vector<PrintedPage> pages = {
                {"zlib", {{.hash = hash_of(sources.maybe() ? "z" : "y")}}}};
            ledger.take(fmt::format("2025-03-{:02}", day + 1), pages, partial);
            other.take(fmt::format("2025-03-{:02}", day + 1), pages, partial);
        }
    }
}

/// From new to old, as reasons_to_keep() takes them.
std::vector<Moment> moments_of(const std::vector<std::string>& texts) {
    std::vector<Moment> moments;
    for (const std::string& text : texts) {
        moments.push_back(parse_moment(text).value());
    }
    return moments;
}

/// The name of the period that a moment is in, as the C library prints it.
std::string period(Moment moment, const char* format) {
    const std::time_t time = moment;
    std::tm broken{};
    gmtime_r(&time, &broken);
    std::string text(40, '\0');
    text.resize(std::strftime(text.data(), text.size(), format, &broken));
    return text;
}

/// What restic's documents say: the newest snapshot of each of the N newest periods that have one;
/// and the oldest of all, if there are fewer periods.
std::set<Moment> kept_by(const std::vector<Moment>& moments, const char* format, std::int64_t n) {
    std::map<std::string, Moment, std::greater<>> newest;  // of each period, the newest first
    for (const Moment moment : moments) {
        Moment& found = newest.try_emplace(period(moment, format), moment).first->second;
        found = std::max(found, moment);
    }
    std::set<Moment> kept;
    for (const auto& [name, moment] : newest) {
        if (static_cast<std::int64_t>(kept.size()) < n) {
            kept.insert(moment);
        }
    }
    if (static_cast<std::int64_t>(newest.size()) < n && !moments.empty()) {
        kept.insert(*std::ranges::min_element(moments));
    }
    return kept;
}

std::set<Moment> kept_by_model(const std::vector<Moment>& moments, const Retention& retention) {
    std::set<Moment> kept = kept_by(moments, "%Y-%m-%d %H:%M:%S", retention.last);
    kept.merge(kept_by(moments, "%Y-%m-%d", retention.daily));
    kept.merge(kept_by(moments, "%G-%V", retention.weekly));
    kept.merge(kept_by(moments, "%Y-%m", retention.monthly));
    return kept;
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

TEST_CASE("The newest snapshot of a day, a week and a month is kept") {
    const auto moments =
        moments_of({"2025-01-02T18:00", "2025-01-02T06:00", "2025-01-01T23:59:59", "2024-12-31",
                    "2024-12-30", "2024-12-29T23:59:59", "2024-12-01", "2024-11-30", "2024-11-01"});
    CHECK(reasons_to_keep(moments, {.last = 2}) ==
          Reasons{{"last"}, {"last"}, {}, {}, {}, {}, {}, {}, {}});
    CHECK(reasons_to_keep(moments, {.daily = 2}) ==
          Reasons{{"daily"}, {}, {"daily"}, {}, {}, {}, {}, {}, {}});
    // The first week of 2025 begins on Monday, 2024-12-30.
    CHECK(reasons_to_keep(moments, {.weekly = 2}) ==
          Reasons{{"weekly"}, {}, {}, {}, {}, {"weekly"}, {}, {}, {}});
    CHECK(reasons_to_keep(moments, {.last = 1, .monthly = 3}) ==
          Reasons{{"last", "monthly"}, {}, {}, {"monthly"}, {}, {}, {}, {"monthly"}, {}});
}

TEST_CASE("While a rule could keep more, it keeps the oldest snapshot") {
    const auto moments = moments_of({"2025-03-03", "2025-03-02", "2025-02-03", "2025-02-02"});
    CHECK(reasons_to_keep(moments, {.monthly = 3}) ==
          Reasons{{"monthly"}, {}, {"monthly"}, {"oldest monthly"}});
    CHECK(reasons_to_keep(moments, {.monthly = 2}) == Reasons{{"monthly"}, {}, {"monthly"}, {}});
    CHECK(reasons_to_keep(moments, {.monthly = unlimited}) ==
          Reasons{{"monthly"}, {}, {"monthly"}, {"oldest monthly"}});
    CHECK(reasons_to_keep({}, {.last = 1}).empty());
    CHECK_FALSE(Retention{.last = unlimited, .daily = unlimited, .weekly = 2}.keeps_nothing());
    CHECK(Retention{}.keeps_nothing());
}

TEST_CASE("Any snapshots are kept as restic's documents say") {
    const unsigned seed = new_seed();
    std::mt19937 random(seed);
    const auto below = [&](std::int64_t bound) {
        return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random);
    };
    const auto number = [&] { return below(3) == 0 ? 0 : below(10) == 0 ? unlimited : below(9); };
    for (int trial = 0; trial < 2000; ++trial) {
        std::set<Moment, std::greater<>> chosen;
        const std::int64_t span = 86400 * (1 + below(below(2) == 0 ? 30 : 900));
        const Moment begin = -100000000 + below(2000000000);
        for (std::int64_t count = below(60); count > 0; --count) {
            chosen.insert(begin + below(span));
        }
        const std::vector<Moment> moments(chosen.begin(), chosen.end());
        const Retention retention{number(), number(), number(), number()};
        const Reasons reasons = reasons_to_keep(moments, retention);
        std::set<Moment> kept;
        for (std::size_t i = 0; i < moments.size(); ++i) {
            if (!reasons.at(i).empty()) {
                kept.insert(moments[i]);
            }
        }
        INFO("CACHELEDGER_SEED=" << seed << ", trial " << trial << ": keep " << retention.last
                                 << " " << retention.daily << " " << retention.weekly << " "
                                 << retention.monthly << " of "
                                 << fmt::format("{}", fmt::join(moments, " ")));
        REQUIRE(kept == kept_by_model(moments, retention));
        REQUIRE((moments.empty() || retention.keeps_nothing() || kept.contains(moments[0])));
    }
}

TEST_CASE("Each series is judged of its own, and partial snapshots apart") {
    TempLedger ledger;
    const std::vector<PrintedPage> pages = {{"zlib", {{.hash = hash_of("z")}}}};
    ledger.take("2025-03-01", pages);
    ledger.take("2025-03-02", pages);
    ledger.take("2025-03-03", pages, {.partial = true});
    ledger.take("2025-03-04", pages, {.partial = true});
    for (const char* const day : {"2025-03-01", "2025-03-02"}) {
        ledger.take(day, {{"zlib", {{.hash = hash_of("z")}}, std::string("develop-") + day, ""}});
    }
    std::vector<std::string> kept;
    for (const JudgedSnapshot& one : judge_snapshots(ledger.database(), {.last = 1}, {})) {
        if (!one.reasons.empty()) {
            kept.push_back(one.snapshot.name);
        }
    }
    CHECK(kept == std::vector<std::string>{"develop@2025-03-02T00:00:00Z",
                                           "develop@2025-03-04T00:00:00Z", "develop-2025-03-02"});
    CHECK(judge_snapshots(ledger.database(), {.last = 1}, "develop").size() == 4);
    CHECK(judge_snapshots(ledger.database(), {.last = 1}, "develop-*").size() == 2);
    CHECK(judge_snapshots(ledger.database(), {.last = 1}, "develop-2025-03-01").size() == 1);
    CHECK_THROWS_AS(judge_snapshots(ledger.database(), {.last = 1}, "v1"), UsageError);
}

}  // namespace forget_many_test
