#include "schema/text/counted.hpp"

#include "tests/support/catch.hpp"

namespace counted_test {

using namespace cacheledger;

TEST_CASE("A noun agrees with its number") {
    CHECK(counted(0, "spec") == "0 specs");
    CHECK(counted(1, "spec") == "1 spec");
    CHECK(counted(2, "spec") == "2 specs");
    CHECK(counted(1204, "spec") == "1,204 specs");
    CHECK(counted(-1, "spec") == "-1 specs");
    CHECK(counted(1, "more copy", "more copies") == "1 more copy");
    CHECK(counted(1000001, "more copy", "more copies") == "1,000,001 more copies");
    CHECK(words_for(1, "spec needs", "specs need") == "spec needs");
    CHECK(words_for(0, "spec needs", "specs need") == "specs need");
}

TEST_CASE("Numbers for people have commas") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1,000");
    CHECK(grouped(-999) == "-999");
    CHECK(grouped(-1234567) == "-1,234,567");
}

}  // namespace counted_test
