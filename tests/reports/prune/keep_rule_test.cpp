#include "reports/questions/keep/seen_specs.hpp"

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace keep_rule_test {

using namespace cacheledger;

TEST_CASE("Rules of what is kept are read") {
    const auto seen = read_keep_rule("seen within 14 days");
    REQUIRE(seen);
    CHECK(seen->kind == KeepRule::Kind::seen);
    CHECK(seen->age == "14 days");
    CHECK(read_keep_rule("  seen  within 1  week ")->age == "1 week");

    const auto newest = read_keep_rule("newest 2 of develop-*");
    REQUIRE(newest);
    CHECK(newest->kind == KeepRule::Kind::newest);
    CHECK(newest->count == 2);
    CHECK(newest->name == "develop-*");
    CHECK(read_keep_rule("newest 3")->name.empty());

    CHECK(read_keep_rule("stack (no stack)")->name == "(no stack)");
}

TEST_CASE("A rule that names what is lost means the same") {
    CHECK(read_keep_rule("not seen for 14 days")->text == "seen within 14 days");
}

TEST_CASE("A text that is no rule may be another thing") {
    for (const char* const text : {"", "develop", "seen", "spack.lock", "sen within 14 days"}) {
        INFO(text);
        CHECK(!read_keep_rule(text));
    }
}

TEST_CASE("A rule that goes on in another way is refused, with an example") {
    for (const char* const text :
         {"seen within", "seen within days", "seen within 14", "seen within 14 apples",
          "seen within now", "seen within 2025-03-01", "not seen for ever", "seen before 3 days",
          "newest 0", "newest -1", "newest many", "newest 2 of", "newest 2 in develop"}) {
        INFO(text);
        CHECK_THROWS_AS(read_keep_rule(text), UsageError);
    }
    CHECK_THROWS_WITH(read_keep_rule("seen within 14 apples"),
                      "--keep 'seen within 14 apples': expected an age, such as 'seen within 14 "
                      "days' or 'seen within 3 months'");
}

}  // namespace keep_rule_test
