#include "ingest/rows/intervals/interval_table.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace interval_table_test {

using namespace cacheledger;

namespace {

constexpr std::int64_t series = 1;
constexpr std::size_t moments = 16, things = 3;
using Values = std::array<std::int64_t, moments>;  // at each moment; 0: it is not there

Moment end_of(std::size_t moment) {
    return moment == moments ? forever : static_cast<Moment>(moment);
}

/// What the things of one package have at each moment.
struct Model {
    std::array<Values, things> all{};

    void set(std::size_t from, std::size_t to, const std::vector<SeenSpec>& state) {
        for (Values& values : all) {
            std::fill(values.begin() + static_cast<std::ptrdiff_t>(from),
                      values.begin() + static_cast<std::ptrdiff_t>(to), 0);
        }
        for (const SeenSpec& spec : state) {
            for (std::size_t at = from; at < to; ++at) {
                all[static_cast<std::size_t>(spec.spec_id)][at] = spec.stack_set_id;
            }
        }
    }

    /// Each moment has what the last observed one before it has.
    void keep_only(const std::vector<bool>& observed) {
        for (Values& values : all) {
            std::int64_t now = 0;
            for (std::size_t at = 0; at < moments; ++at) {
                values[at] = now = observed[at] ? values[at] : now;
            }
        }
    }

    std::vector<SeenSpec> at(std::size_t moment) const {
        std::vector<SeenSpec> state;
        for (std::size_t thing = 0; thing < things; ++thing) {
            if (all[thing][moment] != 0) {
                state.push_back({1, static_cast<std::int64_t>(thing), all[thing][moment]});
            }
        }
        return state;
    }

    /// The rows that the ledger must have: thing, from, to, value, came, went.
    Lines rows() const {
        Lines lines;
        for (std::size_t thing = 0; thing < things; ++thing) {
            const Values& values = all[thing];
            for (std::size_t from = 0; from < moments;) {
                std::size_t to = from;
                while (to < moments && values[to] == values[from]) {
                    ++to;
                }
                if (values[from] != 0) {
                    lines.push_back(fmt::format("{} {} {} {} {} {}", thing, from,
                                                to == moments ? "NULL" : fmt::to_string(to),
                                                values[from],
                                                from == 0 || values[from - 1] == 0 ? 1 : 0,
                                                to < moments && values[to] == 0 ? 1 : 0));
                }
                from = to;
            }
        }
        return lines;
    }
};

Lines rows(SQLite::Database& database, std::int64_t package_id) {
    SQLite::Statement select(
        database,
        "SELECT spec_id || ' ' || valid_from || ' ' || ifnull(valid_to, 'NULL') || ' ' "
        "|| stack_set_id || ' ' || came || ' ' || went FROM presence WHERE package_id = ? "
        "ORDER BY spec_id, valid_from");
    select.bind(1, package_id);
    Lines lines;
    while (select.executeStep()) {
        lines.push_back(select.getColumn(0).getString());
    }
    return lines;
}

std::vector<SeenSpec> any_state(std::mt19937& random) {
    std::vector<SeenSpec> state;
    for (std::int64_t thing = things; thing-- > 0;) {
        if (const std::int64_t value = std::uniform_int_distribution<>(0, 3)(random); value != 0) {
            state.push_back({1, thing, value});
        }
    }
    return state;
}

}  // namespace

TEST_CASE("A table of intervals holds what was set, wherever in the history, as few rows") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const auto one_in = [&](int n) {
            return std::uniform_int_distribution<>(1, n)(random) == 1;
        };
        TempLedger ledger;
        std::optional<IntervalTable<SpecIntervals>> table(std::in_place, ledger.database());
        std::map<std::int64_t, Model> models;
        for (int step = 0; step < 40; ++step) {
            const std::int64_t package_id = one_in(3) ? 2 : 1;
            Model& model = models[package_id];
            std::uniform_int_distribution<std::size_t> any_moment(0, moments);
            auto [from, to] = std::minmax({any_moment(random), any_moment(random)});
            if (one_in(3)) {
                to = moments;  // as in the newest snapshot
            }
            if (from == to) {
                continue;
            }
            const auto state = any_state(random);
            table->set({series, package_id}, static_cast<Moment>(from), end_of(to), state);
            model.set(from, to, state);
            const std::size_t asked =
                std::uniform_int_distribution<std::size_t>(0, moments - 1)(random);
            REQUIRE(table->at({series, package_id}, static_cast<Moment>(asked)) == model.at(asked));
            if (one_in(3)) {
                one_in(2) ? table->flush() : table->forget();
                REQUIRE(rows(ledger.database(), 1) == models[1].rows());
                REQUIRE(rows(ledger.database(), 2) == models[2].rows());
            }
        }
    }
}

TEST_CASE("A table of intervals forgets what only removed observations gave") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        TempLedger ledger;
        IntervalTable<SpecIntervals> table(ledger.database());
        Model model;
        for (std::size_t from = 0; from < moments; ++from) {
            const auto state = any_state(random);
            table.set({series, 1}, static_cast<Moment>(from), forever, state);
            model.set(from, moments, state);
        }
        std::vector<bool> observed(moments);
        std::vector<Moment> kept;
        for (std::size_t at = 0; at < moments; ++at) {
            observed[at] = std::uniform_int_distribution<>(0, 1)(random) == 1;
            if (observed[at]) {
                kept.push_back(static_cast<Moment>(at));
            }
        }
        table.move({series, 1}, [&](Moment moment) {
            const auto next = std::lower_bound(kept.begin(), kept.end(), moment);
            return next == kept.end() ? forever : *next;
        });
        model.keep_only(observed);
        for (const Moment moment : kept) {
            const auto there =
                static_cast<std::int64_t>(model.at(static_cast<std::size_t>(moment)).size());
            REQUIRE(table.counts({series, 1}, {moment}) == std::vector{there});
        }
        table.flush();
        REQUIRE(rows(ledger.database(), 1) == model.rows());
    }
}

TEST_CASE("A table of intervals writes only rows that differ") {
    TempLedger ledger;
    IntervalTable<SpecIntervals> table(ledger.database());
    const auto changes_of = [&](Moment from, Moment to, const std::vector<SeenSpec>& state) {
        const int before = ledger.database().getTotalChanges();
        const auto sizes = table.set({series, 1}, from, to, state);
        CHECK(sizes.now == state.size());
        table.flush();
        return ledger.database().getTotalChanges() - before;
    };
    CHECK(changes_of(1, forever, {{1, 1, 1}, {1, 2, 1}}) == 2);
    CHECK(changes_of(3, forever, {{1, 1, 1}, {1, 2, 1}}) == 0);
    CHECK(changes_of(5, forever, {{1, 1, 1}, {1, 2, 2}}) == 2);  // one ends, one begins
    CHECK(changes_of(7, forever, {{1, 1, 1}}) == 1);
    CHECK(changes_of(3, 5, {{1, 1, 1}, {1, 2, 1}}) == 0);
    table.forget();
    CHECK(changes_of(2, 6, {{1, 1, 1}, {1, 2, 1}}) > 0);
    CHECK(changes_of(2, 6, {{1, 1, 1}, {1, 2, 1}}) == 0);
}

TEST_CASE("A row that began and ended before it was written is written once") {
    TempLedger ledger;
    IntervalTable<PageIntervals> table(ledger.database());
    const int before = ledger.database().getTotalChanges();
    for (Moment at = 1; at <= 10; ++at) {
        table.set({series, 1}, at, forever, {{at, "zlib.md"}});
    }
    table.flush();
    CHECK(ledger.database().getTotalChanges() - before == 10);
    CHECK(table.at({series, 1}, 7) == std::vector<SeenPage>{{7, "zlib.md"}});
}

TEST_CASE("What others read of a table need not be read again") {
    TempLedger ledger;
    IntervalTable<PageIntervals> table(ledger.database());
    table.set({series, 1}, 1, forever, {{1, "a.md"}});
    table.set({series, 2}, 1, 5, {{2, "b.md"}});
    table.set({series + 1, 3}, 1, forever, {{3, "c.md"}});
    table.forget();
    CHECK_FALSE(table.knows({series, 1}));
    table.know({series, 1}, 6, {{{1, "a.md"}, 1}});
    table.know({series, 2}, 6, {});
    CHECK(table.knows({series, 2}));
    CHECK(table.groups_at(series, 6) == std::vector{PageIntervals::Group(series, 1)});
    const int before = ledger.database().getTotalChanges();
    table.set({series, 1}, 7, forever, {{1, "a.md"}});
    table.set({series, 2}, 7, forever, {});
    table.flush();
    CHECK(ledger.database().getTotalChanges() == before);
    CHECK(table.at({series, 2}, 3) == std::vector<SeenPage>{{2, "b.md"}});
}

}  // namespace interval_table_test
