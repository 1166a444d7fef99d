#include "reports/table/text_width.hpp"

#include "tests/support/catch.hpp"

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

TEST_CASE("Text is cut to fit") {
    CHECK(fit("zlib", 4) == "zlib");
    CHECK(fit("zlib", 3) == "zl…");
    CHECK(fit("zlib", 1) == "…");
    CHECK(fit("zlib", 0).empty());
    CHECK(fit("", 0).empty());
}

TEST_CASE("A cut is never wider than asked, and goes between whole characters") {
    CHECK(fit("漢字漢字", 5) == "漢字…");
    CHECK(fit("漢字漢字", 4) == "漢…");
    CHECK(fit("漢字", 2) == "…");
    CHECK(fit("e\u0301e\u0301e\u0301", 2) == "e\u0301…");
    CHECK(fit("a👩\u200d🔬bcdef", 3) == "a…");  // the joined pair is one character
    for (std::size_t width = 0; width < 12; ++width) {
        CHECK(display_width(fit("aé漢e\u0301📦b\xff 漢字", width)) <= width);
    }
}
