#include "schema/specs/lists/list_sections.hpp"

#include "tests/support/catch.hpp"

namespace terminal_text_test {

using namespace cacheledger;

TEST_CASE("Colours, links and titles are taken out of a line") {
    CHECK(without_escapes("\x1b[0;32m[+]\x1b[0m  \x1b[90mabcdefg\x1b[m  zlib") ==
          "[+]  abcdefg  zlib");
    CHECK(without_escapes("\x1b[38;5;1mz\x1b[K\x1b(B\x1b=lib") == "zlib");
    CHECK(without_escapes("\x1b]8;;http://x\x1b\\zlib\x1b]8;;\x1b\\ \x1b]0;title\a@1") ==
          "zlib @1");
}

TEST_CASE("What only begins like an escape sequence stays") {
    for (const char* const text :
         {"\x1b", "zlib\x1b[", "zlib\x1b[0;3", "\x1b]0;title", "\x1b[\x1b", "zlib"}) {
        CAPTURE(text);
        CHECK(without_escapes(text) == text);
    }
}

}  // namespace terminal_text_test
