#include "reports/render/table/text_width.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace text_width_test {

using namespace cacheledger;

TEST_CASE("Width is what a terminal shows") {
    CHECK(display_width("") == 0);
    CHECK(display_width("zlib") == 4);
    CHECK(display_width("é") == 1);
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("漢字") == 4);
    CHECK(display_width("📦") == 2);
    CHECK(display_width("a\xff") == 2);
}

TEST_CASE("What would not show is written out") {
    CHECK(visible("zlib@1.3 ~ipo") == "zlib@1.3 ~ipo");
    CHECK(visible("漢字 é 📦") == "漢字 é 📦");
    CHECK(visible("a\nb\tc\r") == "a\\nb\\tc\\r");
    CHECK(visible("\x1b[31mred\x7f") == "\\x1b[31mred\\x7f");
    CHECK(visible(std::string_view("\0", 1)) == "\\x00");
    CHECK(visible("a\u202eb\u2066") == "a\\u{202e}b\\u{2066}");
    CHECK(visible("\u009b") == "\\u{9b}");
    CHECK(visible("\u200b\ufeff\u2028") == "\\u{200b}\\u{feff}\\u{2028}");
    CHECK(visible("a\u200db\u200c\ufe0f") == "a\\u{200d}b\\u{200c}\\u{fe0f}");
    CHECK(visible("👩\u200d🔬 ☀\ufe0f") == "👩\u200d🔬 ☀\ufe0f");
    CHECK(visible("a\u00ad\u3164\u115f\u034f") == "a\\u{ad}\\u{3164}\\u{115f}\\u{34f}");
    CHECK(visible("C:\\tmp") == "C:\\tmp");
}

TEST_CASE("Bytes that are not UTF-8 are written out") {
    CHECK(visible("a\xff\xfe") == "a\\xff\\xfe");
    CHECK(visible("\xe6\xbc") == "\\xe6\\xbc");           // cut short
    CHECK(visible("\xc0\xaf") == "\\xc0\\xaf");           // overlong
    CHECK(visible("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
}

TEST_CASE("Text is folded at words, else at marks, else between characters") {
    using Lines = std::vector<std::string>;
    CHECK(fold("zlib", 4) == Lines{"zlib"});
    CHECK(fold("", 4) == Lines{""});
    CHECK(fold("+mpi ~ipo +shared", 10) == Lines{"+mpi ~ipo ", "+shared"});
    CHECK(fold("a,b,c", 3) == Lines{"a,", "b,c"});
    CHECK(fold("/mirrors/site", 9) == Lines{"/mirrors/", "site"});
    CHECK(fold("specs_in_no_stack", 9) == Lines{"specs_in_", "no_stack"});
    CHECK(fold("abcdefg", 3) == Lines{"abc", "def", "g"});
    CHECK(fold("ab  cd", 2) == Lines{"ab  ", "cd"});  // blanks at an end may lie beyond it
    CHECK(fold("abc", 0) == Lines{"a", "b", "c"});
    CHECK(widest_word("+mpi build_type=Release a/bc") == 18);
    CHECK(widest_word("a,bc") == 2);
    CHECK(widest_word("") == 0);
}

TEST_CASE("A fold loses nothing, is never wider than asked, and goes between whole characters") {
    CHECK(fold("漢字漢字", 5) == std::vector<std::string>{"漢字", "漢字"});
    CHECK(fold("漢字", 1) == std::vector<std::string>{"漢", "字"});
    CHECK(fold("a👩\u200d🔬b", 5) == std::vector<std::string>{"a👩\u200d🔬", "b"});
    const std::string text = "aé漢e\u0301📦b\xff 漢字, x_y/z-w  e\u0301";
    for (std::size_t width = 2; width < 30; ++width) {
        std::string joined;
        for (const std::string& line : fold(text, width)) {
            joined += line;
            CHECK(display_width(line.substr(0, line.find_last_not_of(' ') + 1)) <= width);
        }
        CHECK(joined == text);
    }
}

}  // namespace text_width_test
