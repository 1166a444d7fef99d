#include "ingest/graphs/files/read_ahead.hpp"

#include <stdexcept>
#include <vector>

#include "tests/support/catch.hpp"

namespace read_ahead_test {

using namespace cacheledger;

namespace {

using Numbers = std::vector<int>;

/// Fills batches with the numbers from 0 on, three each, and throws before `broken`.
ReadAhead<Numbers>::Fill count_to(int last, int broken = -1) {
    return [=, next = 0](Numbers& into) mutable {
        into.clear();
        for (int i = 0; i < 3 && next < last; ++i) {
            if (next == broken) {
                throw std::runtime_error("broken");
            }
            into.push_back(next++);
        }
        return next < last;
    };
}

Numbers numbers_to(int last) {
    Numbers numbers;
    for (int number = 0; number < last; ++number) {
        numbers.push_back(number);
    }
    return numbers;
}

}  // namespace

TEST_CASE("Batches that are read ahead come in their order") {
    for (const int last : {0, 1, 3, 1000}) {
        ReadAhead<Numbers> ahead(count_to(last));
        Numbers all;
        while (const Numbers* const batch = ahead.next()) {
            all.insert(all.end(), batch->begin(), batch->end());
        }
        CHECK(all == numbers_to(last));
        CHECK(ahead.next() == nullptr);
    }
}

TEST_CASE("What was read ahead before a failure comes before the failure") {
    ReadAhead<Numbers> ahead(count_to(1000, 500));
    Numbers all;
    CHECK_THROWS_WITH(
        [&] {
            while (const Numbers* const batch = ahead.next()) {
                all.insert(all.end(), batch->begin(), batch->end());
            }
        }(),
        "broken");
    CHECK(all == numbers_to(500));
}

TEST_CASE("Reading ahead can be given up") {
    ReadAhead<Numbers> ahead(count_to(1'000'000));
    REQUIRE(ahead.next() != nullptr);
    CHECK(*ahead.next() == Numbers{3, 4, 5});
}

}  // namespace read_ahead_test
