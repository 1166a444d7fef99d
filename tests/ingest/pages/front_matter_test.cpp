#include <fmt/format.h>

#include <array>
#include <random>
#include <string>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/front_matter/front_matter.hpp"
#include "ingest/pages/front_matter/limited_yaml.hpp"
#include "tests/support/catch.hpp"

namespace front_matter_test {

using namespace cacheledger;

namespace {

/// Why it is refused: what stands behind the name of the file and a colon.
std::string problem_of(const std::string& text) {
    try {
        read_front_matter(text);
    } catch (const Problem& found) {
        return found.message().substr(1);
    }
    return "(none)";
}

void check_refused(const std::string& text, const std::string& problem) {
    INFO(text.substr(0, 200));
    CHECK(problem_of(text) == problem);
}

std::string with_lines(const std::string& lines) {
    return fmt::format("---\n{}\n---\n", lines);
}

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

TEST_CASE("Front matter is read") {
    const std::string text =
        "---\ntitle: \"zlib\"\nlayout: cache\ncategories: [package, v0.21.0]\n"
        "meta: {\"num_specs\": 1}\nspec_details:  [1] \n---";
    const FrontMatter front = read_front_matter(text);
    CHECK(front.title == "zlib");
    CHECK(front.tag == "v0.21.0");
    CHECK(front.is_page);
    CHECK_FALSE(front.spec_files);
    REQUIRE(front.meta);
    CHECK(front.meta->text == "{\"num_specs\": 1}");
    CHECK(front.meta->line == 5);
    REQUIRE(front.spec_details);
    CHECK(front.spec_details->text == "[1]");
    CHECK(front.spec_details->line == 6);
}

TEST_CASE("A byte order mark and carriage returns mean nothing") {
    const std::string text =
        "\xef\xbb\xbf---\r\ntitle: zlib\r\ncategories: [package, develop]\r\n"
        "spec_details: []\r\n---\r\n";
    CHECK(opens_with_front_matter(text));
    const FrontMatter front = read_front_matter(text);
    CHECK(front.title == "zlib");
    CHECK(front.tag == "develop");
    CHECK(front.spec_details->text == "[]");
    CHECK(front.spec_details->line == 4);
}

TEST_CASE("Text that opens otherwise is no front matter") {
    for (const std::string text : {"", "--", "----\n", "title: zlib\n", "\n---\n", " ---\n"}) {
        INFO(text);
        CHECK_FALSE(opens_with_front_matter(text));
    }
    CHECK(opens_with_front_matter("---"));
    CHECK(opens_with_front_matter("---  \ntitle: zlib\n"));
    check_refused("", " the file is empty; expected a page that opens with a line '---'");
    check_refused("title: zlib\n", "1: expected front matter: a first line '---'");
}

TEST_CASE("Front matter must be closed") {
    check_refused("---\n", "2: the front matter is cut off; expected a closing line '---'");
    check_refused("---\ntitle: zlib\nspec_details: []\n",
                  "4: the front matter is cut off; expected a closing line '---'");
    check_refused("---\ntitle: zlib\nspec_details: [{\"ha",
                  "4: the front matter is cut off; expected a closing line '---'");
}

TEST_CASE("A file holds one page") {
    const std::string page = "---\ntitle: zlib\nspec_details: []\n---\n";
    check_refused(page + page, "5: expected one page in a file, here a second one begins");
    check_refused(page + " \n\xef\xbb\xbf---  \ntitle: mpich\n",
                  "6: expected one page in a file, here a second one begins");
    CHECK(read_front_matter(page + "Some text.\n").title == "zlib");
}

TEST_CASE("A key is given once") {
    check_refused(with_lines("title: a\nlayout: cache\ntitle: b"), "4: 'title' is given twice");
    check_refused(with_lines("meta: {}\nmeta: {}"), "3: 'meta' is given twice");
    check_refused(with_lines("spec_details: []\nspec_details: []"),
                  "3: 'spec_details' is given twice");
}

TEST_CASE("A key is given once, however it is spelled") {
    for (const std::string key : {"spec_details", "meta"}) {
        const std::string problem = fmt::format("3: '{}' is given twice", key);
        for (const std::string spelling : {"\"{}\":", "'{}':", "{} :", "\"{}\" :", "'{}'\t:",
                                           "? {}\n:", "!!str {}:", "&a {}:"}) {
            const std::string other = fmt::format(fmt::runtime(spelling), key);
            check_refused(with_lines(fmt::format("{}: []\n{} []", key, other)), problem);
        }
        check_refused(with_lines(fmt::format("'{0}': []\n{0}: []", key)), problem);
    }
    check_refused(with_lines("spec_details: []\n\"spec\\x5fdetails\": []"),
                  "3: 'spec_details' is given twice");
    check_refused(with_lines("spec_names:\n- a\n\"spec_names\" :\n- b"),
                  "4: 'spec_names' is given twice");
    check_refused(with_lines("title: a\n\"title\": b"), "3: 'title' is given twice");
    check_refused(with_lines("layout: cache\nlayout : cache"), "3: 'layout' is given twice");
}

TEST_CASE("A key may be spelled in any way") {
    for (const std::string spelling : {"\"{}\":", "'{}' :", "{}\t: "}) {
        INFO(spelling);
        const auto line = [&](const std::string& key, const std::string& value) {
            return fmt::format(fmt::runtime(spelling), key) + " " + value + "\n";
        };
        const std::string page =
            with_lines(line("title", "zlib") + line("meta", "{}") + line("spec_details", "[1]") +
                       line("spec_files", "\n - a") + line("spec_names", "\n- b"));
        const FrontMatter front = read_front_matter(page);
        CHECK(front.title == "zlib");
        CHECK(front.meta->text == "{}");
        CHECK(front.spec_details->text == "[1]");
        CHECK(front.spec_files->at(0).text == "- a");
        CHECK(front.spec_names->at(0).text == "- b");
    }
    check_refused(with_lines("? spec_details\n: [1]"),
                  "2: expected a line that begins with 'spec_details:'");
    check_refused(with_lines("{title: zlib, meta: {}}"),
                  "2: expected a line that begins with 'meta:'");
}

TEST_CASE("A quote is closed on its line") {
    for (const std::string open :
         {"title: 'zlib", "title: \"zlib", "title: 'it''s", "title: 'zlib''", "'title: zlib",
          "title: \"a\\\"", "title: &a 'zlib", "title: !!str 'zlib", "categories: [package, 'dev",
          "- 'a", "- - 'a", "? 'a", "a: {b: 'c", "a: 'b' 'c", "a: {\"b\":'c"}) {
        INFO(open);
        check_refused(with_lines("layout: cache\n" + open + "\ntags: ['x', 'y']"),
                      "3: broken YAML: a quote is not closed on its line");
    }
    check_refused(with_lines("tags: [x,\n  y, 'z\n  ]"),
                  "3: broken YAML: a quote is not closed on its line");
    for (const std::string closed :
         {"title: it's", "title: 5\" disk", "title: a, 'b", "title: a - 'b", "title: a:'b",
          "title: 'it''s'", "title: ''", "title: \"a\\\"b\"", "title: a # it's 'so", "# it's \"so",
          "title: 'a' # 'b", "tags: ['a', it's]", "\"title\": 'a'", "title: a['b"}) {
        INFO(closed);
        CHECK_NOTHROW(read_front_matter(with_lines(closed + "\nlayout: cache")));
    }
    CHECK(read_front_matter(with_lines("title: it's\nlayout: cache")).title == "it's");
}

TEST_CASE("Keys have their types") {
    check_refused(with_lines("layout: cache\ntitle: [a]"), "3: expected 'title' to be a text");
    check_refused(with_lines("categories: package"),
                  "2: expected 'categories' to be a list: [package, TAG]");
    check_refused(with_lines("categories: [package, [develop]]"),
                  "2: expected 'categories' to be a text");
    check_refused(with_lines("- title"), "2: expected lines of the form 'key: value'");
    check_refused(with_lines("title: a\nspec_details:"),
                  "3: expected the value of 'spec_details' as JSON on the same line");
}

TEST_CASE("Broken YAML is told with its line") {
    for (const std::string broken :
         {"categories: [package", "title: \"zlib", "title: {", "\t- a", "title: *nothing"}) {
        INFO(broken);
        CHECK_THAT(problem_of(with_lines("layout: cache\n" + broken)),
                   Catch::Matchers::StartsWith("3: broken YAML: ") ||
                       Catch::Matchers::StartsWith("4: broken YAML: "));
    }
}

TEST_CASE("YAML that is nested deeply is refused before it is parsed") {
    const std::string problem = "2: nested too deeply for the front matter of a page";
    const std::size_t depth = 1'000'000;
    check_refused(with_lines("a: " + std::string(depth, '[')), problem);
    check_refused(with_lines("a: " + std::string(depth, '{')), problem);
    std::string dashes;
    std::string questions;
    for (std::size_t i = 0; i < depth; ++i) {
        dashes += "- ";
        questions += "? ";
    }
    check_refused(with_lines(dashes), problem);
    check_refused(with_lines(questions), problem);
}

TEST_CASE("YAML that is nested line by line is refused") {
    std::string lines;
    for (std::size_t i = 0; i < 2'000; ++i) {
        lines += std::string(i, ' ') + "a:\n";
    }
    check_refused(with_lines(lines), "19: nested too deeply for the front matter of a page");
}

TEST_CASE("The small rest of front matter is small") {
    check_refused(with_lines("title: " + std::string(2 << 20, 'x')),
                  "2: the front matter beside meta and spec_details is longer than 1 MiB");
    const std::string details = fmt::format("spec_details: [{}1]", std::string(2 << 20, ' '));
    CHECK(read_front_matter(with_lines(details)).spec_details);
}

TEST_CASE("Many aliases of YAML take no time") {
    std::string lines = "a0: &a0 [x, x]\n";
    for (int i = 1; i < 30; ++i) {
        lines += fmt::format("a{}: &a{} [*a{}, *a{}]\n", i, i, i - 1, i - 1);
    }
    CHECK_FALSE(read_front_matter(with_lines(lines)).is_page);
}

TEST_CASE("Any mark of a package page makes one") {
    for (const std::string mark :
         {"layout: cache", "category: package", "categories: [package, develop]", "meta: {}",
          "spec_details: []", "spec_files:\n- a", "spec_names:\n- a"}) {
        INFO(mark);
        CHECK(read_front_matter(with_lines(mark)).is_page);
    }
    CHECK_FALSE(read_front_matter(with_lines("layout: default")).is_page);
    CHECK_FALSE(read_front_matter(with_lines("categories: [tags]")).is_page);
}

TEST_CASE("The lists that name specs are kept line by line") {
    const std::string text = with_lines(
        "title: zlib\nspec_files: \n - \"zlib@1 arch=a-b-c\": spec-0.json\n\n- spec-1.json\r\n"
        "spec_names:\n  - 'zlib@1'\nlayout: cache");
    const FrontMatter front = read_front_matter(text);
    REQUIRE(front.spec_files);
    REQUIRE(front.spec_files->size() == 2);
    CHECK(front.spec_files->at(0).text == "- \"zlib@1 arch=a-b-c\": spec-0.json");
    CHECK(front.spec_files->at(0).line == 4);
    CHECK(front.spec_files->at(1).text == "- spec-1.json");
    CHECK(front.spec_files->at(1).line == 6);
    REQUIRE(front.spec_names);
    REQUIRE(front.spec_names->size() == 1);
    CHECK(front.spec_names->at(0).text == "- 'zlib@1'");
    CHECK(front.title == "zlib");
    CHECK(read_front_matter(with_lines("spec_files:")).spec_files->empty());
}

// The page of adiak had 154,300 characters, and keys of more than the 1,024 that YAML allows.
TEST_CASE("The lists that name specs may be long") {
    std::string lines = "spec_files:\n";
    for (int i = 0; i < 2'000; ++i) {
        lines += fmt::format(" - \"{}\": spec-{}.json\n", std::string(5'000, 'x'), i);
    }
    CHECK(read_front_matter(with_lines(lines)).spec_files->size() == 2'000);
}

TEST_CASE("The lists that name specs have a line for each") {
    check_refused(with_lines("title: a\nspec_files: [a]"),
                  "3: expected 'spec_files' to be a list with a line '- ...' a spec");
    check_refused(with_lines("spec_names:\n  a"),
                  "2: expected 'spec_names' to be a list with a line '- ...' a spec");
    check_refused(with_lines("spec_files:\n- a\nspec_files:\n- a"),
                  "4: 'spec_files' is given twice");
    // Beside spec_details they say nothing new.
    CHECK(read_front_matter(with_lines("spec_details: []\nspec_names: [a]")).spec_details);
}

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

}  // namespace front_matter_test
