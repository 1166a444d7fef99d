#include "reports/questions/diff/diff.hpp"

#include "tests/support/catch.hpp"

namespace diff_gates_test {

using namespace cacheledger;

TEST_CASE("A gate on the number of specs says a percentage that is not the gate's own") {
    Diff diff;
    diff.compared_from = 10000;
    diff.compared_to = 9496;
    CHECK(judge(diff, read_gates({"specs-5%"}, {})).at(0).message ==
          "5.04 % fewer, from 10,000 to 9,496 specs");
    diff.compared_from = 12000;
    diff.compared_to = 12000 - 1194;
    CHECK_FALSE(judge(diff, read_gates({"specs-9.95%"}, {})).at(0).has_failed);
    CHECK(judge(diff, read_gates({"specs-9.94%"}, {})).at(0).has_failed);
}

}  // namespace diff_gates_test
