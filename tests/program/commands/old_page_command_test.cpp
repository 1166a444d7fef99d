#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/old_page.hpp"
#include "tests/support/program/bad_input.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace old_page_command_test {

using old_page::Files;
using namespace program;

namespace {

/// A site with a page of each old generation, and later ones for some of their specs.
struct Site : Workbench {
    Site() {
        put("early/_cache/zlib", old_page::g0("zlib", {{hash('a')}, {hash('b')}}));
        put("early/_cache/hwloc", old_page::g0b("hwloc", {{hash('h')}}));
        put("middle/_cache/develop/zlib",
            old_page::g1("zlib", "develop", {{hash('a')}, {hash('b')}}));
        Entry entry = program::entry('a');
        entry["versions"] = R"(["1.0"])";
        entry["compiler"] = R"("gcc@=9.3.0")";
        entry["os"] = R"("ubuntu20.04")";
        entry["target"] = R"("x86_64")";
        write("late/_cache/develop/zlib/specs.md", page("zlib", details({entry})));
    }

    static std::string hash(char letter) { return std::string(32, letter); }

    void put(const std::string& folder, const Files& files) const {
        for (const auto& [name, text] : files) {
            write(folder + "/" + name, text);
        }
    }
    Run ingest(const std::string& folder, const std::string& moment) const {
        return run({"ingest", folder, "--taken-at", moment});
    }
    /// The lines of a report as CSV, without its header.
    Words report(const Words& words) const {
        Words arguments = {"report"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        arguments.insert(arguments.end(), {"--format", "csv"});
        Words lines = lines_of(done(run(arguments)).out);
        lines.erase(lines.begin());
        return lines;
    }
};

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
    const Run run = done(bench.run({"ingest", "page.md", "--taken-at", "2025-01-01"}));
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

TEST_CASE("The oldest pages are loaded, and loaded once") {
    const Site site;
    check_run(
        site.ingest("early", "2022-03-01"),
        {.out = {"2 pages, 3 specs (3 new), 1 snapshot loaded", "untagged@2022-03-01T00:00:00Z"}});
    const Words all_specs = {"sql", "SELECT * FROM specs ORDER BY hash", "--format", "csv"};
    const std::string before = site.run(all_specs).out;
    check_run(site.ingest("early", "2022-03-01"), {.out = {"0 snapshots loaded (1 unchanged)"}});
    CHECK(site.run(all_specs).out == before);
    CHECK(site.run({"check"}).out == "ok\n");
}

TEST_CASE("A spec file that is missing is told by page, line and name") {
    const Site site;
    std::filesystem::remove(site.file("early/_cache/zlib/spec-1.json"));
    const Run run = done(site.ingest("early", "2022-03-01"), 3);
    CHECK(run.errors() == Words{"cacheledger: early/_cache/zlib/index.md:8: spec-1.json, which it "
                                "lists, is not beside it"});
    CHECK(site.snapshots() == 0);
}

TEST_CASE("A page may not name files of other folders") {
    const Site site;
    Files files = old_page::g0("zlib", {{site.hash('a')}});
    std::string& text = files["index.md"];
    text.replace(text.find("spec-0.json"), 11, "../hwloc/spec-0.json");
    site.put("early/_cache/zlib", files);
    const Run run = done(site.ingest("early", "2022-03-01"), 3);
    CHECK(run.errors() ==
          Words{"cacheledger: early/_cache/zlib/index.md:7: ../hwloc/spec-0.json, which it lists, "
                "is not the name of a file beside it"});
}

TEST_CASE("An old page can't come from standard input") {
    const Site site;
    const Run run = done(site.run({"ingest", "-"}, site.read("early/_cache/zlib/index.md")), 3);
    CHECK(run.errors() == Words{"cacheledger: -:7: spec-0.json, which it lists, can't be read: "
                                "nothing is beside standard input"});
}

TEST_CASE("An old page that lost its first line is no other text") {
    const Site site;
    std::string text = site.read("early/_cache/zlib/index.md");
    text.erase(0, 4);
    site.write("early/_cache/zlib/index.md", text);
    check_run(site.ingest("early", "2022-03-01"),
              {.status = 3, .err = {"early/_cache/zlib/index.md:1: expected front matter"}});
}

TEST_CASE("Coverage reports count no stack where stacks are not known") {
    const Site site;
    REQUIRE(site.ingest("early", "2022-03-01").status == 0);
    REQUIRE(site.ingest("late", "2023-06-01").status == 0);  // which knows the stack hpc
    const auto report = [&](const std::string& name, Words more) {
        more.insert(more.begin(), {name, "--at", "untagged"});
        return site.report(more);
    };
    CHECK(report("coverage/stacks", {}).empty());
    CHECK(report("coverage/matrix", {}).empty());
    CHECK(report("coverage/gaps", {}).empty());
    CHECK(report("coverage/packages", {"--stack", "hpc"}).empty());
    // packages, versions, specs, looks, stacks, systems, targets, compilers, specs without
    // compiler, specs in no stack
    CHECK(report("coverage/summary", {}) == Words{"2,2,3,2,,1,1,1,0,"});
    CHECK(report("coverage/versions", {}).size() == 2);
    CHECK(report("coverage/variants", {"--package", "zlib"}).size() == 1);
}

TEST_CASE("A spec of an old page and of a later one is one spec, and its stacks no drift") {
    const Site site;
    REQUIRE(site.ingest("middle", "2022-06-01").status == 0);
    REQUIRE(site.ingest("late", "2023-06-01").status == 0);
    CHECK(site.query("SELECT count(*) FROM spec") == Words{"2"});
    CHECK(site.report({"drift/stacks"}).empty());
    CHECK(site.report({"drift/specs"}).size() == 1);
    CHECK(site.query("SELECT hash, change FROM changes WHERE taken_at GLOB '2023*'") ==
          Words{site.hash('b') + ",removed"});
    CHECK(site.query("SELECT stacks FROM specs WHERE taken_at GLOB '2023*'") ==
          Words{"\"hpc,root\""});
    CHECK(site.run({"diff", "develop~1", "develop", "--kind", "stack-joined", "--format", "csv"})
              .out.find("stack-joined,") == std::string::npos);
    CHECK(site.run({"check"}).out == "ok\n");
}

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
        Entry odd = entry();
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

}  // namespace old_page_command_test
