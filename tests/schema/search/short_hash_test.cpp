#include "schema/ledger/search/short_hash.hpp"

#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace short_hash_test {

using namespace cacheledger;

TEST_CASE("A short hash has 7 characters, or as many as no other hash begins with") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib",
                                {{.hash = hash_of("bcdefghi")},
                                 {.hash = hash_of("bcdefghj")},
                                 {.hash = hash_of("bcdefgk")},
                                 {.hash = hash_of("z")}}}});
    HashShortener shortener(ledger.database());
    CHECK(shortener.shorten(hash_of("bcdefghi")) == "bcdefghi");
    CHECK(shortener.shorten(hash_of("bcdefghj")) == "bcdefghj");
    CHECK(shortener.shorten(hash_of("bcdefgk")) == "bcdefgk");
    CHECK(shortener.shorten(hash_of("z")) == "zaaaaaa");
}

}  // namespace short_hash_test
