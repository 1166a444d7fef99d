#include "ingest/pages/front_matter/limited_yaml.hpp"

#include <fmt/format.h>

#include <array>
#include <random>
#include <stdexcept>
#include <string>

#include "ingest/bytes/problems/problem.hpp"
#include "tests/support/catch.hpp"

namespace simple_front_matter_test {

using namespace cacheledger;

namespace {

// What is read of the lines, as one text. With a comment above them they are not plain, and the
// YAML parser reads them.
std::string read(const std::string& lines) {
    try {
        const FrontMatter front = read_front_matter("---\n" + lines + "---\n");
        std::string all =
            fmt::format("title {} tag {} page {} before tags {}", front.title.value_or("(none)"),
                        front.tag.value_or("(none)"), front.is_page, front.before_tags);
        for (const PageFinding& finding : front.findings) {
            all += fmt::format(" {}: {}", finding.kind.word(), finding.detail());
        }
        return all;
    } catch (const Problem&) {
        return "refused";
    }
}

bool is_plain(const std::string& lines) {
    FrontMatter page;
    return read_simple_front_matter(lines, page);
}

}  // namespace

TEST_CASE("The lines of a generator are plain") {
    FrontMatter page;
    REQUIRE(read_simple_front_matter(
        "title: \"zlib-ng\"\nlayout: cache\n\ncategories: [package, v0.21.0]\n\n", page));
    CHECK(page.title == "zlib-ng");
    CHECK(page.tag == "v0.21.0");
    CHECK(page.is_page);
}

TEST_CASE("What is not plain leaves the page as it was") {
    for (const std::string line : {"title: null",
                                   "title: 'zlib'",
                                   "title: a b",
                                   "title: a # b",
                                   "title:",
                                   "title: *a",
                                   "title: \"a\\n\"",
                                   "title: [a]",
                                   "categories: [package, null]",
                                   "categories: [package]",
                                   "categories: [package,develop]",
                                   "category: package",
                                   "other: zlib",
                                   " title: zlib",
                                   "- a",
                                   "title: zlib\ntitle: zlib",
                                   "title: \xc3\xa9",
                                   "layout: default",
                                   "categories: [package, develop, x]",
                                   "categories: [tools, develop]"}) {
        INFO(line);
        FrontMatter page;
        page.title = "before";
        CHECK_FALSE(read_simple_front_matter("layout: cache\n" + line + "\n", page));
        CHECK(page.title == "before");
        CHECK_FALSE(page.is_page);
    }
}

TEST_CASE("Plain lines and the YAML parser read the same") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto any = [&](const auto& words) { return std::string(words[random() % words.size()]); };
    constexpr std::array<std::string_view, 6> keys = {"title",  "layout", "categories",
                                                      "title ", "other",  "category"};
    constexpr std::array<std::string_view, 20> values = {"zlib",
                                                         "\"zlib\"",
                                                         "cache",
                                                         "package",
                                                         "[package, develop]",
                                                         "[package, v1.0]",
                                                         "1.0",
                                                         "true",
                                                         "null",
                                                         "~",
                                                         "0x1F",
                                                         "[a, b]",
                                                         "1e3",
                                                         "\"\"",
                                                         "\"1.0\"",
                                                         "[package, null]",
                                                         "[\"package\", \"x\"]",
                                                         "py-3to2",
                                                         "-zlib",
                                                         "a: b"};
    int plain = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string lines;
        for (std::size_t line = 0; line < 1 + random() % 3; ++line) {
            lines += fmt::format("{}: {}\n", any(keys), any(values));
        }
        INFO(lines);
        plain += is_plain(lines) ? 1 : 0;
        CHECK(read(lines) == read("# not plain\n" + lines));
    }
    CHECK(plain > 30);  // some 130 are expected
}

}  // namespace simple_front_matter_test
