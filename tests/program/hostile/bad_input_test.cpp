#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program/bad_input.hpp"
#include "tests/support/program/checks.hpp"

namespace bad_input_test {

using namespace program;

namespace {

/// A page that can't be loaded: its text, the line that is named (0: none), and part of the reason.
struct BadPage {
    std::string name;
    std::string text;
    int line = 0;
    std::string reason;
};

Entry without(const std::string& key) {
    Entry changed = entry();
    changed.erase(key);
    return changed;
}

BadPage bad_entry(const std::string& name, const Entry& bad, const std::string& reason) {
    return {name, page("bad", details({entry('z'), bad})), 5, "spec_details[1]: " + reason};
}

BadPage bad_details(const std::string& name, const std::string& json, const std::string& reason) {
    return {name, page("bad", json), 5, reason};
}

/// A page with the given lines between its fences.
BadPage bad_lines(const std::string& name, const std::string& lines, int line,
                  const std::string& reason) {
    return {name, "---\n" + lines + "---\n", line, reason};
}

void add_entries(std::vector<BadPage>& pages) {
    for (const std::string key :
         {"hash", "versions", "compiler", "os", "platform", "target", "variants", "stacks"}) {
        pages.push_back(bad_entry("no " + key, without(key), "expected a '" + key + "'"));
        for (const std::string value : {"7", "null", "true", "{}", "[[]]", "[7]"}) {
            pages.push_back(bad_entry(key + " is " + value, with(key, value), key + ": expected "));
        }
    }
    for (const std::string key : {"hash", "compiler", "os", "platform", "target", "size"}) {
        pages.push_back(bad_entry(key + " is a list", with(key, R"(["x"])"), key + ": expected "));
        pages.push_back(
            bad_entry("NUL in " + key, with(key, R"("a\u0000b")"), key + ": expected "));
    }
    for (const std::string key : {"versions", "variants", "stacks"}) {
        pages.push_back(bad_entry(key + " is a text", with(key, R"("x")"), key + ": expected "));
        pages.push_back(
            bad_entry("NUL in " + key, with(key, R"(["a\u0000b"])"), key + ": expected "));
    }
    pages.push_back(bad_entry("no version", with("versions", "[]"), "versions: expected "));
    pages.push_back(bad_entry("empty version", with("versions", R"([""])"), "versions: expected "));
    pages.push_back(
        bad_entry("two versions", with("versions", R"(["1", "2"])"), "versions: expected "));
    pages.push_back(bad_entry("a comma in a stack", with("stacks", R"(["a,b"])"),
                              "expected the name of a stack"));
    pages.push_back(
        bad_entry("an empty stack", with("stacks", R"([""])"), "expected the name of a stack"));
    Entry of_2022 = without("platform");
    of_2022["architecture"] = R"("linux")";
    pages.push_back(bad_entry("architecture", of_2022, "architecture: expected "));
    for (const std::string& hash :
         {std::string(), std::string(31, 'a'), std::string(33, 'a'), std::string(32, 'A'),
          std::string(32, '1'), std::string(32, '0'), std::string(32, '-'),
          std::string(31, 'a') + " ", std::string(31, 'a') + "\xc3\xa9", many(16, "\xc3\xa9")}) {
        pages.push_back(
            bad_entry("hash '" + hash + "'", with("hash", json_text(hash)), "hash: expected "));
    }
    pages.push_back(bad_details("a hash twice", details({entry('a'), entry('b'), entry('a')}),
                                "spec_details[2]: hash: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
    std::string twice = details({entry()});
    twice.insert(2, R"("os": "x", )");
    pages.push_back(bad_details("a key twice", twice, "'os' is given twice"));
}

void add_json(std::vector<BadPage>& pages) {
    const std::string good = details({entry()});
    pages.push_back(
        bad_details("a value missing", R"([{"hash": }])", "broken JSON at character 11"));
    pages.push_back(bad_details("not closed", good.substr(0, good.size() - 2), "broken JSON"));
    pages.push_back(bad_details("more behind", good + " x", "broken JSON"));
    pages.push_back(bad_details("another list behind", good + " []", "broken JSON"));
    pages.push_back(bad_details("single quotes", "[{'hash': 'a'}]", "broken JSON"));
    pages.push_back(bad_details("a lone surrogate", R"([{"hash": "\ud800"}])", "broken JSON"));
    pages.push_back(bad_details("not a number", "[NaN]", "broken JSON"));
    pages.push_back(bad_details("a control character", "[\"a\tb\"]", "broken JSON"));
    pages.push_back(bad_details("a NUL", std::string("[\0]", 3), "without NUL characters"));
    pages.push_back(bad_details("an object", "{}", "expected a list, found an object"));
    pages.push_back(bad_details("null", "null", "expected a list, found null"));
    pages.push_back(bad_details("a number", "7", "expected a list, found a number"));
    pages.push_back(bad_details("a text", R"("[]")", "expected a list, found '[]'"));
    for (const std::string value : {"[]", "7", "null", R"("x")"}) {
        pages.push_back(bad_details("entry is " + value, "[" + value + "]", "spec_details[0]: "));
    }
    pages.push_back(bad_details("deep lists", many(100000, "["), "broken JSON"));
    pages.push_back(bad_details("deep lists, closed", many(100000, "[") + many(100000, "]"),
                                "broken JSON: nested more than 1,024 deep"));
    pages.push_back(bad_details("deep objects", many(100000, R"({"a":)"), "broken JSON"));
    pages.push_back(bad_details("a huge line", "[\"" + std::string(8 << 20, 'x'), "broken JSON"));
}

void add_front_matter(std::vector<BadPage>& pages) {
    const std::string rest = "spec_details: " + details({entry()}) + "\n";
    const auto front = [&](const std::string& name, const std::string& lines, int line,
                           const std::string& reason) {
        pages.push_back(bad_lines(name, lines + rest, line, reason));
    };
    front("illegal mapping", "title: a: b\n", 2, "broken YAML");
    front("unknown escape", "categories: [package, develop]\ntitle: \"\\q\"\n", 3, "broken YAML");
    front("a tab", "categories: [package, develop]\n\ttitle: x\n", 3, "broken YAML");
    front("an unknown anchor", "title: *anchor\n", 2, "broken YAML");
    front("not a mapping", "- title\n", 0, "");
    front("no title", "categories: [package, develop]\n", 0, "expected a 'title'");
    front("an empty title", "title: \"\"\n", 0, "expected a 'title'");
    front("a title twice", "title: a\ntitle: b\n", 3, "'title' is given twice");
    front("title is a list", "title: [a]\n", 2, "expected 'title' to be a text");
    front("title is an object", "title: {a: b}\n", 2, "expected 'title' to be a text");
    front("NUL in the title", "title: \"a\\0b\"\n", 0, "NUL");
    front("NUL byte", std::string("title: a\0b\n", 11), 0, "");
    front("categories is a text", "title: a\ncategories: package\n", 3, "to be a list");
    front("tag is a list", "title: a\ncategories: [package, [x]]\n", 3, "to be a text");
    front("tag with a blank", "title: a\ncategories: [package, \"a b\"]\n", 0, "'a b'");
    front("tag with a line end", "title: a\ncategories: [package, \"a\\nb\"]\n", 0, "'a\\nb'");
    front("an empty tag", "title: a\ncategories: [package, \"\"]\n", 0, "the tag is empty");
    front("deep YAML lists", "title: " + many(100000, "[") + "\n", 2, "nested too deeply");
    front("deep YAML objects", "title: " + many(100000, "{a: ") + "\n", 2, "nested too deeply");
    front("deep YAML entries", "title:\n" + many(100000, "- ") + "x\n", 3, "nested too deeply");
    front("a huge YAML line", "title: " + std::string(2 << 20, 'x') + "\n", 2, "longer than 1 MiB");
    front("details twice", "title: a\n" + rest, 4, "'spec_details' is given twice");
    front("meta is a list", "title: a\nmeta: []\n", 3, "meta: expected an object");
    front("broken meta", "title: a\nmeta: {\"a\"\n", 3, "broken JSON");
    front("meta on the next line", "title: a\nmeta:\n  num_specs: 1\n", 3, "expected the value");
    front("num_specs is a text", "title: a\nmeta: {\"num_specs\": \"1\"}\n", 3,
          "meta.num_specs: expected a whole number");
    front("meta.versions is a number", "title: a\nmeta: {\"versions\": 1}\n", 3,
          "meta.versions: expected a list of texts");
    front("not UTF-8", "title: \"\xff\xfe\"\n", 0, "UTF-8");
    pages.push_back(bad_lines("no details", "title: a\ncategories: [package, develop]\n", 0,
                              "expected 'spec_details'"));
    pages.push_back({"cut off", "---\ntitle: a\n" + rest, 4, "cut off"});
    pages.push_back({"cut off in the first line", "---", 0, ""});
    pages.push_back({"two pages", page("a", details({entry()})) + page("b", "[]"), 7, "second"});
}

std::vector<BadPage> bad_pages() {
    std::vector<BadPage> pages;
    add_entries(pages);
    add_json(pages);
    add_front_matter(pages);
    return pages;
}

}  // namespace

TEST_CASE("A bad page is refused by name, line and reason, and nothing is loaded") {
    const LoadedBench bench;
    for (const BadPage& bad : bad_pages()) {
        INFO(bad.name.substr(0, 100));
        bench.write("page.md", bad.text);
        const Words errors = bench.check_refused({"good", "page.md"});
        REQUIRE(errors.size() == 1);
        check_line(errors[0], "page.md", bad.line, bad.reason);
    }
}

TEST_CASE("Several bad pages are all listed, each in a line of its own") {
    const LoadedBench bench;
    const auto pages = bad_pages();
    for (std::size_t i = 0; i < pages.size(); ++i) {
        bench.write("good/bad-" + std::to_string(1000 + i) + "/specs.md", pages[i].text);
    }
    const Words errors = bench.check_refused({"good"});
    REQUIRE(errors.size() == pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        INFO(pages[i].name.substr(0, 100));
        check_line(errors[i], "good/bad-" + std::to_string(1000 + i) + "/specs.md", pages[i].line,
                   pages[i].reason);
    }
}

TEST_CASE("With --keep-going it loads the good pages, and keeps the bad ones as findings") {
    const Workbench bench;
    bench.write("pages/zlib.md", page("zlib", details({entry('q')})));
    bench.write("pages/cmake.md", page("cmake", details({entry('r')})));
    const auto pages = bad_pages();
    for (std::size_t i = 0; i < pages.size(); ++i) {
        bench.write("pages/bad-" + std::to_string(1000 + i) + "/specs.md", pages[i].text);
    }
    const Run run =
        done(bench.run({"ingest", "pages", "--keep-going", "--taken-at", "2025-01-01"}));
    CHECK(contains(run.out, "2 pages, 2 specs (2 new)"));
    CHECK(run.errors().size() == pages.size() + 1);  // the last line counts the findings
    // No snapshot of a tag that no page can have.
    CHECK(bench.query("SELECT tag FROM snapshots ORDER BY tag") == Words{"develop"});
    CHECK(lines_of(run.out).size() == 1);
    CHECK(bench.query("SELECT package FROM specs ORDER BY package") == Words{"cmake", "zlib"});
    const Words paths = bench.query("SELECT DISTINCT path FROM findings ORDER BY path");
    CHECK(paths.size() == pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const std::string path = "bad-" + std::to_string(1000 + i) + "/specs.md";
        INFO(pages[i].name.substr(0, 100));
        CHECK(std::any_of(paths.begin(), paths.end(),
                          [&](const std::string& found) { return contains(found, path); }));
    }
    CHECK(bench.query("SELECT DISTINCT kind FROM findings") == Words{"page-unreadable"});
    CHECK(bench.run({"check"}).out == "ok\n");
    check_run(bench.run({"ingest", "pages", "--keep-going", "--taken-at", "2025-01-01"}),
              {.out = {"0 snapshots loaded"}});
}

TEST_CASE("A database that is not there yet holds no snapshot after bad input") {
    const Workbench bench;
    bench.write("page.md", page("zlib", "[{}]"));
    const Run run = done(bench.run({"ingest", "page.md"}), 3);
    CHECK(bench.snapshots() == 0);
    check_run(bench.run({"ingest", "page.md", "--keep-going"}), {.status = 3});
    CHECK(bench.snapshots() == 0);
}

}  // namespace bad_input_test
