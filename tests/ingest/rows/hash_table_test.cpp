#include "ingest/graphs/graph/hash_table.hpp"

#include <bit>
#include <chrono>
#include <map>
#include <random>
#include <string>

#include "tests/support/catch.hpp"

namespace hash_table_test {

using namespace cacheledger;

namespace {

/// A hash that differs from others of this kind in its last characters only.
DagHash alike(std::size_t number) {
    DagHash hash{};
    hash.fill('a');
    for (std::size_t at = hash.size(); number > 0; number /= 26) {
        hash[--at] = static_cast<char>('a' + number % 26);
    }
    return hash;
}

double seconds_to_fill(std::size_t size, DagHash (*make)(std::size_t)) {
    const auto start = std::chrono::steady_clock::now();
    HashTable<std::uint32_t> table;
    for (std::size_t i = 0; i < size; ++i) {
        table.emplace(make(i), static_cast<std::uint32_t>(i));
    }
    for (std::size_t i = 0; i < size; ++i) {
        REQUIRE(*table.find(make(i)) == i);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

DagHash spread(std::size_t number) {
    std::mt19937_64 random(number);
    DagHash hash{};
    for (char& c : hash) {
        c = static_cast<char>('a' + random() % 26);
    }
    return hash;
}

}  // namespace

TEST_CASE("A hash table finds what a map finds") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    HashTable<int> table;
    std::map<DagHash, int> model;
    CHECK(table.find(alike(1)) == nullptr);
    for (int i = 0; i < 5000; ++i) {
        const DagHash hash = random() % 2 == 0 ? alike(random() % 3000) : spread(random() % 3000);
        const auto [value, is_new] = table.emplace(hash, i);
        const auto [known, is_new_there] = model.emplace(hash, i);
        REQUIRE(is_new == is_new_there);
        REQUIRE(value == known->second);
    }
    CHECK(table.size() == model.size());
    for (std::size_t i = 0; i < 3000; ++i) {
        for (const DagHash& hash : {alike(i), spread(i)}) {
            const auto known = model.find(hash);
            const int* const found = table.find(hash);
            REQUIRE((found == nullptr) == (known == model.end()));
            REQUIRE((found == nullptr || *found == known->second));
        }
    }
}

// With one fixed function 60,000 of them took 20 times as long as others, and 120,000 four times
// that.
TEST_CASE("Hashes that are alike take as long as others") {
    constexpr std::size_t size = 60'000;
    const double others = seconds_to_fill(size, spread);
    CHECK(seconds_to_fill(size, alike) < 3 * others + 0.2);
}

// Computed in Python by the definition of wyhash (mum = the halves of the product, one upon the
// other): each word of 16 bytes, then the last 16 or fewer, then the size.
TEST_CASE("A keyed hash is wyhash") {
    if constexpr (std::endian::native == std::endian::little) {
        const KeyedHash hash(
            KeyedHash::Key{0x0123456789abcdefU, 0xfedcba9876543210U, 0x0f1e2d3c4b5a6978U});
        CHECK(hash("") == 0x12a8d9c39e7dcb86U);
        CHECK(hash("go") == 0xf3c49ef3b153d47fU);
        CHECK(hash("zlib") == 0x13f7222ff04fd050U);
        CHECK(hash("zlib-ng") == 0xf8c2fcd10c3e14a3U);
        CHECK(hash("zlib-ng@2.1.6") == 0x86a2a778b1de5df8U);
        CHECK(hash("zlib-ng@2.1.6 ~xy") == 0xff95eac8115404dfU);
        CHECK(hash(dag_hash("abcdefghijklmnopqrstuvwxyz234567")) == 0x0ea16755ff270a65U);
    }
    CHECK(KeyedHash()("zlib") == KeyedHash()(std::string("zlib")));
    CHECK(KeyedHash()("zlib") != KeyedHash(KeyedHash::Key{})("zlib"));
}

TEST_CASE("Texts are found by any kind of text") {
    TextMap<int> map;
    map.emplace("zlib", 1);
    map.emplace("", 2);
    CHECK(map.find(std::string_view("zlib"))->second == 1);
    CHECK(map.find("")->second == 2);
    CHECK(map.find("zlib-ng") == map.end());
}

}  // namespace hash_table_test
