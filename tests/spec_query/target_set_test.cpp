#include "schema/constraints/target_set.hpp"

#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace cacheledger;

namespace {

Answer is_in(std::string_view target, std::string_view list) {
    return TargetSet(list).contains(target);
}

}  // namespace

TEST_CASE("A target is only itself") {
    CHECK(is_in("x86_64_v3", "x86_64_v3") == Answer::yes);
    CHECK(is_in("zen4", "x86_64_v3") == Answer::no);
    CHECK(is_in("zen99", "zen99") == Answer::yes);
    CHECK(is_in("zen4", "zen99") == Answer::no);
    CHECK(is_in("zen2", "haswell,zen2") == Answer::yes);
}

TEST_CASE("A range of targets has those on which its code runs") {
    for (const auto* const target : {"x86_64_v3", "x86_64_v4", "haswell", "icelake", "zen4"}) {
        INFO(target);
        CHECK(is_in(target, "x86_64_v3:") == Answer::yes);
    }
    for (const auto* const target : {"x86_64", "x86_64_v2", "ivybridge", "bulldozer", "aarch64"}) {
        INFO(target);
        CHECK(is_in(target, "x86_64_v3:") == Answer::no);
    }
    CHECK(is_in("x86_64_v2", ":haswell") == Answer::yes);
    CHECK(is_in("zen", ":haswell") == Answer::no);
    CHECK(is_in("broadwell", "haswell:icelake") == Answer::yes);
    CHECK(is_in("zen3", "haswell:icelake") == Answer::no);
    CHECK(is_in("neoverse_v2", "armv8.2a:") == Answer::yes);
    CHECK(is_in("neoverse_n1", ":broadwell,neoverse_n1") == Answer::yes);
    CHECK(is_in("anything", ":") == Answer::yes);
}

TEST_CASE("Whether a target that is not known lies in a range is unknown") {
    CHECK(is_in("zen99", "x86_64_v3:") == Answer::unknown);
    CHECK(is_in("zen99", ":x86_64_v3,zen99") == Answer::yes);
}

TEST_CASE("A range of targets ends at those that are known") {
    CHECK_THROWS_WITH(TargetSet("zen99:"),
                      "expected a target that is known as the end of a range, like x86_64_v3, "
                      "found 'zen99'");
    CHECK_THROWS_AS(TargetSet(":zen99"), std::invalid_argument);
    CHECK_THROWS_AS(TargetSet("zen4,"), std::invalid_argument);
    CHECK_THROWS_AS(TargetSet(""), std::invalid_argument);
}
