#include "ingest/rows/intervals/timeline.hpp"

#include <array>
#include <random>

#include "tests/support/catch.hpp"

namespace timeline_test {

using namespace cacheledger;

namespace {

using Letters = Timeline<char>;

constexpr std::size_t moments = 24;

/// The value at each moment; '.' is none.
struct Model {
    std::array<char, moments> at;

    Model() { at.fill('.'); }
    void assign(std::size_t from, std::size_t to, char value) {
        for (std::size_t moment = from; moment < to; ++moment) {
            at[moment] = value;
        }
    }
};

bool is_minimal(const Letters& timeline) {
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        if (timeline[i].from >= timeline[i].to) {
            return false;
        }
        if (i > 0 && (timeline[i].from < timeline[i - 1].to ||
                      (timeline[i].from == timeline[i - 1].to &&
                       timeline[i].value == timeline[i - 1].value))) {
            return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("A value is assigned to a part of a timeline") {
    const Letters before = {{0, 10, 'a'}};
    CHECK(assign<char>(before, 3, 5, 'b') == Letters{{0, 3, 'a'}, {3, 5, 'b'}, {5, 10, 'a'}});
    CHECK(assign<char>(before, 3, 5, std::nullopt) == Letters{{0, 3, 'a'}, {5, 10, 'a'}});
    CHECK(assign<char>(before, 3, 5, 'a') == before);
    CHECK(assign<char>({}, 3, forever, 'a') == Letters{{3, forever, 'a'}});
    CHECK(assign<char>(before, 0, 10, std::nullopt).empty());
}

TEST_CASE("Neighbours that say the same become one") {
    CHECK(assign<char>({{0, 3, 'a'}, {5, 9, 'a'}}, 3, 5, 'a') == Letters{{0, 9, 'a'}});
    CHECK(assign<char>({{0, 3, 'a'}}, 3, forever, 'a') == Letters{{0, forever, 'a'}});
    CHECK(assign<char>({{0, 3, 'a'}}, 3, 5, 'b') == Letters{{0, 3, 'a'}, {3, 5, 'b'}});
}

TEST_CASE("An interval is half-open") {
    const Letters timeline = {{3, 5, 'a'}, {7, forever, 'b'}};
    CHECK(value_at(timeline, 2) == std::nullopt);
    CHECK(value_at(timeline, 3) == 'a');
    CHECK(value_at(timeline, 4) == 'a');
    CHECK(value_at(timeline, 5) == std::nullopt);
    CHECK(value_at(timeline, forever - 1) == 'b');
}

TEST_CASE("A timeline holds what was assigned to it") {
    for (unsigned seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        std::uniform_int_distribution<std::size_t> any_moment(0, moments);
        std::uniform_int_distribution<int> any_value(0, 3);
        Letters timeline;
        Model model;
        for (int step = 0; step < 30; ++step) {
            const auto [from, to] = std::minmax({any_moment(random), any_moment(random)});
            if (from == to) {
                continue;
            }
            const char value = ".abc"[any_value(random)];
            timeline = assign<char>(timeline, static_cast<Moment>(from), static_cast<Moment>(to),
                                    value == '.' ? std::nullopt : std::optional(value));
            model.assign(from, to, value);
            REQUIRE(is_minimal(timeline));
            for (std::size_t moment = 0; moment < moments; ++moment) {
                REQUIRE(value_at(timeline, static_cast<Moment>(moment)).value_or('.') ==
                        model.at[moment]);
            }
        }
    }
}

}  // namespace timeline_test
