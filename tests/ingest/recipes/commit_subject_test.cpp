#include <string>

#include "ingest/sources/recipes/diffed_recipes.hpp"
#include "tests/support/catch.hpp"

namespace commit_subject_test {

using cacheledger::clean_subject;

TEST_CASE("A subject is text of one line") {
    CHECK(clean_subject("cmake: add v3.30 (#123)") == "cmake: add v3.30 (#123)");
    CHECK(clean_subject("<b>&amp;") == "<b>&amp;");
    CHECK(clean_subject("\x1b[31mred\x1b[0m\a\x7f") == "[31mred[0m");
    CHECK(clean_subject("a\tb\r") == "a b");
    CHECK(clean_subject("\xc2\x9b"
                        "31m\xc2\xa0") == "31m\xc2\xa0");  // CSI is one of them, too
    CHECK(clean_subject("") == "");
}

TEST_CASE("What is not UTF-8 in a subject is replaced") {
    CHECK(clean_subject("caf\xe9!") == "caf\xef\xbf\xbd!");
    CHECK(clean_subject("caf\xc3\xa9") == "caf\xc3\xa9");
    CHECK(clean_subject("\xed\xa0\x80") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
    CHECK(clean_subject("\xc0\x80") == "\xef\xbf\xbd\xef\xbf\xbd");                  // too long
    CHECK(clean_subject("a\xf0\x9f\x98") == "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(clean_subject("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
}

TEST_CASE("A subject is cut between characters") {
    std::string accents;
    for (int i = 0; i < 200; ++i) {
        accents += "\xc3\xa9";
    }
    CHECK(clean_subject(accents) == accents.substr(0, 240));
    CHECK(clean_subject(std::string(1 << 20, 'x')) == std::string(120, 'x'));
}

TEST_CASE("A subject names no people") {
    CHECK(clean_subject("Merge pull request #12 from somebody/branch") == "Merge pull request #12");
    CHECK(clean_subject("fix (thanks to A <a@example.org>)") == "fix (thanks to A )");
    CHECK(clean_subject("a <b@c.org> <d> e@1.2 <f@g") == "a  <d> e@1.2 <f@g");
}

}  // namespace commit_subject_test
