#include "ingest/bytes/problems/problem.hpp"

#include "ingest/pages/page/page.hpp"
#include "tests/support/catch.hpp"

namespace problem_test {

using namespace cacheledger;

TEST_CASE("A problem is formatted with all that is known of its place") {
    Problem problem("hash", "expected a text, found null");
    problem.enter("spec_details[3]");
    problem.file = "zlib.md";
    CHECK(problem.message() == "zlib.md: spec_details[3]: hash: expected a text, found null");
    const auto read = [&] { throw problem; };
    try {
        at_line(6, read);
    } catch (const Problem& thrown) {
        CHECK(thrown.message() == "zlib.md:6: spec_details[3]: hash: expected a text, found null");
    }
    problem.line = 7;
    CHECK_THROWS_MATCHES(at_line(6, read), Problem,
                         Catch::Matchers::Predicate<Problem>(
                             [](const Problem& thrown) { return thrown.line == 7; }));
}

TEST_CASE("A finding is the same at any entry of a page") {
    const PageFinding finding{"unknown-field", entry_place(3), "'x' is not known"};
    CHECK(finding.detail() == "spec_details[3]: 'x' is not known");
    CHECK(finding.is_at_any_entry("spec_details[3]: 'x' is not known"));
    CHECK(finding.is_at_any_entry("spec_details[12]: 'x' is not known"));
    CHECK_FALSE(finding.is_at_any_entry("spec_details[3]: 'y' is not known"));
    CHECK_FALSE(finding.is_at_any_entry("spec_details[3]: 'a]: 'x' is not known"));
    CHECK_FALSE(finding.is_at_any_entry("]: 'x' is not known"));
    CHECK_FALSE(finding.is_at_any_entry("'x' is not known"));
    const PageFinding other{"meta-mismatch", "versions", "meta has 2"};
    CHECK(other.is_at_any_entry("versions: meta has 2"));
    CHECK_FALSE(other.is_at_any_entry("targets: meta has 2"));
}

TEST_CASE("Findings beyond a number are counted") {
    Findings some;
    for (std::size_t i = 0; i < most_findings - 1; ++i) {
        some.add("unknown-field", "", std::to_string(i));
    }
    CHECK(some.all().size() == most_findings - 1);
    Findings more = some;
    more.add(some);
    const auto all = more.all();
    REQUIRE(all.size() == most_findings + 1);
    CHECK(all[most_findings - 1].text == "0");
    CHECK(all.back().detail() == "998 more, not kept");
}

}  // namespace problem_test
