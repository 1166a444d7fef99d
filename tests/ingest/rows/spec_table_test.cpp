#include "ingest/rows/specs/spec_rows.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace spec_table_test {

using namespace cacheledger;

TEST_CASE("A spec table finds what a map finds") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    SpecTable table;
    CHECK(table.find(dag_hash(hash_of("a"))) == nullptr);
    std::multimap<std::string, KnownSpec> model;
    const auto any_hash = [&] {
        std::string stem;
        for (int i = 0; i < 3; ++i) {
            stem += static_cast<char>('a' + random() % 16);
        }
        return hash_of(stem);
    };
    std::vector<std::int64_t> ids(5000);
    std::iota(ids.begin(), ids.end(), 1);
    std::shuffle(ids.begin(), ids.end(), random);
    for (const std::int64_t id : ids) {
        const std::string hash = any_hash();
        const KnownSpec spec{id, id % 7, static_cast<std::int64_t>(random() % 1000)};
        const auto [begin, end] = model.equal_range(hash);
        if (std::none_of(begin, end, [&](const auto& known) {
                return known.second.package_id == spec.package_id;
            })) {
            table.insert(dag_hash(hash), spec);
            model.emplace(hash, spec);
        }
    }
    CHECK(table.size() == model.size());
    for (int i = 0; i < 5000; ++i) {
        const std::string hash = any_hash();
        const auto [begin, end] = model.equal_range(hash);
        const KnownSpec* const found = table.find(dag_hash(hash));
        REQUIRE((found == nullptr) == (begin == end));
        if (found != nullptr) {
            CHECK(found->spec_id ==
                  std::min_element(begin, end, [](const auto& one, const auto& other) {
                      return one.second.spec_id < other.second.spec_id;
                  })->second.spec_id);
            const auto last = std::prev(end)->second;
            const KnownSpec* const of_package = table.find(dag_hash(hash), last.package_id);
            REQUIRE(of_package != nullptr);
            CHECK(of_package->package_id == last.package_id);
            CHECK(table.find(dag_hash(hash), 1000) == nullptr);
        }
    }
}

}  // namespace spec_table_test
