#include "schema/ledger/names/tag.hpp"

#include <string>

#include "tests/support/catch.hpp"

namespace tag_test {

using namespace cacheledger;

TEST_CASE("A dated tag has the moment of its date") {
    CHECK(moment_of_tag("develop-2025-03-30") == parse_moment("2025-03-30"));
    CHECK(moment_of_tag("v1-2025-03-30") == parse_moment("2025-03-30"));
    for (const auto* tag : {"develop", "v0.21.0", "v2025.07.0", "", "2025-03-30", "-2025-03-30",
                            "develop2025-03-30", "develop-2025-02-30", "develop-2025-03-30x"}) {
        INFO(tag);
        CHECK_FALSE(moment_of_tag(tag));
    }
}

TEST_CASE("Dated tags of one prefix are one series") {
    CHECK(series_of_tag("develop-2025-03-30") == "develop-*");
    CHECK(series_of_tag("develop-2025-03-23") == "develop-*");
    CHECK(series_of_tag("develop") == "develop");
    CHECK(series_of_tag("v0.21.0") == "v0.21.0");
}

TEST_CASE("A snapshot is named by its tag, and its moment unless the tag says it") {
    const Moment moment = parse_moment("2025-03-30T06:00:00").value();
    CHECK(snapshot_name("develop", moment) == "develop@2025-03-30T06:00:00Z");
    CHECK(snapshot_name("develop-2025-03-30", moment) == "develop-2025-03-30");
    CHECK(snapshot_name(untagged, 0) == "untagged@1970-01-01T00:00:00Z");
}

TEST_CASE("A tag can be part of a snapshot's name") {
    for (const auto* tag : {"develop", "v0.21.0", "develop-2025-03-30", "pr/123", "\xc3\xa4"}) {
        CHECK_FALSE(tag_problem(tag));
    }
    for (const auto* tag : {"latest-2025-03-30", "Latest", "a-b", "a-"}) {
        CHECK_FALSE(tag_problem(tag));
    }
    CHECK(tag_problem("") == "the tag is empty");
    CHECK(tag_problem("latest") ==
          "a tag can't be called 'latest', which means the newest snapshot");
    for (const auto* tag : {"-", "-v1", "--tag"}) {
        CHECK(tag_problem(tag) == "a tag can't begin with '-', as options do");
    }
    for (const std::string& tag :
         {std::string("a b"), std::string("a@b"), std::string("a~1"), std::string("develop-*"),
          std::string("a\tb"), std::string("a\0b", 3), std::string("a\x7f"), std::string("a{b"),
          std::string("a}")}) {
        INFO(tag);
        CHECK(tag_problem(tag) ==
              "a tag can't hold blanks, control characters, '@', '~', '*', '{' or '}'");
    }
}

}  // namespace tag_test
