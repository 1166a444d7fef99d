#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/old_page.hpp"
#include "tests/support/program/bad_input.hpp"

namespace page_form_test {

using program::contains;
using program::details;
using program::entry;
using program::LoadedBench;
using program::page;
using program::Run;
using program::Words;
using program::Workbench;

namespace {

constexpr const char* byte_order_mark = "\xef\xbb\xbf";

std::string replaced(std::string text, const std::string& part, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size()) {
        text.replace(at, part.size(), by);
    }
    return text;
}

/// What a page of this text says, in an empty ledger.
Words specs_of(const std::string& text) {
    const Workbench bench;
    bench.write("page.md", text);
    const Run run = bench.run({"ingest", "page.md", "--taken-at", "2025-01-01"});
    INFO(run);
    REQUIRE(run.status == 0);
    return bench.query("SELECT * FROM specs");
}

/// Checks that old pages with this text in their one spec file are refused.
void check_spec_file(const LoadedBench& bench, const std::string& text, const std::string& reason) {
    for (const auto& [name, as_it_is] : old_page::g1("zlib", "develop", {{std::string(32, 'a')}})) {
        bench.write("old/" + name, name == "spec-0.json" ? text : as_it_is);
    }
    bench.check_refused({"old/specs.md"}, "old/specs.md", "spec-0.json: " + reason);
}

}  // namespace

TEST_CASE("A byte order mark and the ends of lines mean nothing") {
    const std::string text = page("zlib", details({entry()}));
    const Words specs = specs_of(text);
    REQUIRE(specs.size() == 1);
    CHECK(specs_of(byte_order_mark + text) == specs);
    CHECK(specs_of(replaced(text, "\n", "\r\n")) == specs);
    CHECK(specs_of(byte_order_mark + replaced(text, "\n", "\r\n")) == specs);
    CHECK(specs_of(text.substr(0, text.size() - 1)) == specs);
    CHECK(specs_of(text + "what follows is not read: \r [[[[[") == specs);
}

TEST_CASE("Lines that end otherwise are none") {
    const LoadedBench bench;
    const std::string text = page("zlib", details({entry()}));
    bench.write("page.md", replaced(text, "\n", "\r"));
    bench.check_refused({"page.md"}, "page.md:1", "a first line '---'");
    bench.write("page.md", replaced(text, "\ncategories", "\rcategories"));
    bench.check_refused({"page.md"}, "page.md:2", "found a carriage return alone");
    bench.write("page.md", std::string(byte_order_mark) + byte_order_mark + text);
    bench.check_refused({"page.md"}, "page.md:1", "a first line '---'");
}

TEST_CASE("A file that has no more than a fence, or less, is no page") {
    const LoadedBench bench;
    for (const std::string& text :
         {std::string(), std::string("---"), std::string("---\n"), std::string("---\r\n"),
          std::string("---\n---"), std::string(byte_order_mark), std::string("\n"),
          std::string("\xff\xfe-\0-\0-\0\n\0", 10), std::string("\0", 1)}) {
        bench.write("specs.md", text);
        bench.check_refused({"specs.md"}, "specs.md", "");
    }
}

TEST_CASE("A second YAML document in the front matter is refused") {
    const LoadedBench bench;
    for (const std::string line : {"...", "--- # here", "--- {a: b}", "... "}) {
        bench.write(
            "page.md",
            replaced("---\ntitle: a\nLINE\ncategories: [package, b]\nspec_details: []\n---\n",
                     "LINE", line));
        bench.check_refused({"page.md"}, "page.md:3", "one YAML document");
    }
}

TEST_CASE("Numbers and words that are texts stay as they are written") {
    for (const std::string title : {"1.0", "0x1F", "true", "1e999", "99999999999999999999999"}) {
        std::string text = page("zlib", details({entry()}));
        text = replaced(text, "\"zlib\"", title);
        REQUIRE(specs_of(text).size() == 1);
        CHECK(contains(specs_of(text)[0], "," + title + ","));
    }
}

TEST_CASE("Numbers that are too large are broken JSON") {
    const LoadedBench bench;
    for (const std::string number : {"1e999", "-1e999", "123456789012345678901234567890"}) {
        program::Entry odd = entry();
        odd["colour"] = number;
        bench.write("page.md", page("zlib", details({odd})));
        bench.check_refused({"page.md"}, "page.md", "broken JSON");
    }
}

TEST_CASE("A spec file that is not as it should be is refused") {
    const LoadedBench bench;
    const std::string good =
        old_page::g1("zlib", "develop", {{std::string(32, 'a')}}).at("spec-0.json");
    check_spec_file(bench, "", "broken JSON");
    check_spec_file(bench, "null", "the spec: expected an object");
    check_spec_file(bench, "[]", "the spec: expected an object");
    check_spec_file(bench, std::string(1000, '\0'), "broken JSON");
    check_spec_file(bench, byte_order_mark + good + good, "broken JSON");
    check_spec_file(bench, replaced(good, "\"linux\"", "\"\xff\""), "broken JSON");
    check_spec_file(bench, replaced(good, "\"linux\"", "\"\\u0000\""), "arch.platform: expected");
    check_spec_file(bench, replaced(good, "\"linux\"", "7"), "arch.platform: expected a text");
    check_spec_file(bench, replaced(good, "\"linux\"", "null"), "arch.platform: expected a text");
    check_spec_file(bench, replaced(good, "\"linux\"", "[\"linux\"]"),
                    "arch.platform: expected a text");
    check_spec_file(bench, replaced(good, "\"platform\": \"linux\"", "\"os\": 1, \"os\": 2"),
                    "'arch.os' is given twice");
    check_spec_file(bench, replaced(good, "\"1.0\"", "1.5"), "version: expected");
    check_spec_file(bench, replaced(good, "\"1.0\"", "-1"), "version: expected");
    check_spec_file(bench, replaced(good, "\"1.0\"", "1e999"), "broken JSON");
}

}  // namespace page_form_test
