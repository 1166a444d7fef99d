#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/old_page.hpp"
#include "tests/support/program/bad_input.hpp"
#include "tests/support/program/checks.hpp"

namespace nesting_test {

using namespace program;

namespace {

constexpr std::size_t deep = 100000;

std::string nested(const std::string& open, const std::string& close, const std::string& in = "") {
    return many(deep, open) + in + many(deep, close);
}

/// Values that are nested deeply, as JSON and as YAML has them.
const Words deep_json = {nested("[", "]"), nested(R"({"a":)", "}", "1"),
                         nested(R"([{"a":)", "}]", "1"), many(deep, "["), many(deep, R"({"a":)")};
const Words deep_yaml = {nested("[", "]"),
                         nested("{a: ", "}"),
                         nested("[a: ", "]"),
                         many(deep, "["),
                         many(deep, "{"),
                         many(deep, "{? "),
                         "\n" + many(deep, "- ") + "x",
                         "\n" + many(deep, "? ") + "x",
                         "\r" + many(deep, "- ") + "x",
                         "\"a\"\r" + many(deep, "- ") + "x"};

std::string page_with(const std::string& line) {
    return "---\ntitle: zlib\ncategories: [package, develop]\n" + line +
           "\nspec_details: " + details({entry()}) + "\n---\n";
}

/// Lines that lead a step deeper each.
std::string staircase(std::size_t steps) {
    std::string lines;
    for (std::size_t step = 0; step < steps; ++step) {
        lines += std::string(step, ' ') + "a:\n";
    }
    return lines;
}

/// "a7: &a7"
std::string anchored(const std::string& letter, int level) {
    const std::string name = letter + std::to_string(level);
    return name + ": &" + name;
}

/// "*a6, *a6, *a6"
std::string aliased(const std::string& letter, int level, const std::string& separator, int times) {
    std::string list;
    for (int i = 0; i < times; ++i) {
        list += i > 0 ? separator : "";
        list += '*';
        list += letter + std::to_string(level);
    }
    return list;
}

}  // namespace

TEST_CASE("Deeply nested JSON is refused wherever it stands") {
    const LoadedBench bench;
    for (const std::string& json : deep_json) {
        INFO(json.substr(0, 40));
        for (const std::string& text :
             {page("zlib", json), page("zlib", details({with("colour", json)})),
              page("zlib", details({with("variants", json)})), page_with("meta: " + json),
              page_with(R"(meta: {"colour": )" + json + "}")}) {
            bench.write("page.md", text);
            bench.check_refused({"page.md"}, "page.md", "broken JSON");
        }
    }
}

TEST_CASE("Deeply nested JSON in a spec file is refused") {
    const LoadedBench bench;
    for (const std::string& json : deep_json) {
        INFO(json.substr(0, 40));
        for (const bool is_whole : {true, false}) {
            old_page::Spec spec{std::string(32, 'a')};
            spec.more_json = R"(, "colour": )" + json;
            old_page::Files files = old_page::g1("zlib", "develop", {spec});
            for (auto& [name, text] : files) {
                bench.write("old/" + name, is_whole && name == "spec-0.json" ? json : text);
            }
            bench.check_refused({"old/specs.md"}, "old/specs.md", "spec-0.json: broken JSON");
        }
    }
}

TEST_CASE("Deeply nested YAML is refused wherever it stands") {
    const LoadedBench bench;
    for (const std::string& yaml : deep_yaml) {
        INFO(yaml.substr(0, 40));
        for (const std::string& text :
             {page_with("title: " + yaml), page_with("colour: " + yaml),
              page_with("\"colour\": " + yaml), page_with("? " + yaml),
              page_with("colour: &a !!seq " + yaml),
              "---\ntitle: zlib\ncategories: " + yaml + "\nspec_details: []\n---\n",
              "---\ntitle: zlib\ncategory: package\nspec_files:\n- " + yaml + "\n---\n",
              "---\ntitle: zlib\ncategory: package\nspec_files: " + yaml + "\n---\n"}) {
            bench.write("page.md", text);
            bench.check_refused({"page.md"}, "page.md", "");
        }
    }
    bench.write("page.md", page_with(staircase(700)));  // almost 1 MiB of blanks
    bench.check_refused({"page.md"}, "page.md", "nested too deeply");
}

TEST_CASE("What is nested a little and not known is read over") {
    const LoadedBench bench;
    std::string colour = R"({"red": [[["x"]]]})";
    bench.write("page.md", page_with("colour: [a, [b, {c: [d]}]]\nshape:\n  - a:\n    - b\n" +
                                     ("meta: {\"colour\": " + colour + "}")));
    done(bench.run({"ingest", "page.md", "--taken-at", "2025-01-02"}));
    CHECK(bench.query("SELECT kind, detail FROM findings WHERE snapshot LIKE '%-02T%' "
                      "ORDER BY detail") ==
          Words{"unknown-field,'colour' is not known and not stored",
                "unknown-field,'shape' is not known and not stored",
                "unknown-field,meta.colour is not known and not stored"});
}

TEST_CASE("Aliases that refer to aliases cost nothing") {
    const LoadedBench bench;
    std::string laughs = "a0: &a0 [x, x, x]\n";
    for (int level = 1; level < 28; ++level) {
        const std::string before = aliased("a", level - 1, ", ", 10);
        laughs += anchored("a", level) + " [" + before + "]\n";
    }
    std::string blocks = "b0: &b0\n- x\n";
    for (int level = 1; level < 20000; ++level) {
        blocks += anchored("b", level) + "\n- " + aliased("b", level - 1, "\n- ", 2) + "\n";
    }
    for (const std::string& lines : {laughs, blocks, std::string("a: &a\n- *a\n- *a")}) {
        bench.write("page.md", page_with(lines));
        done(bench.run({"ingest", "page.md", "--taken-at", "2025-01-02", "--replace"}));
    }
    bench.write("page.md", "---\ncategories: [package, develop]\n" + laughs +
                               "title: *a27\nspec_details: []\n---\n");
    CHECK(bench.run({"ingest", "page.md"}).status == 3);
}

TEST_CASE("A merge key merges nothing: a page says its title itself") {
    const LoadedBench bench;
    const std::string base =
        "base: &base {title: zlib, categories: [package, develop]}\n<<: *base\n";
    bench.write("page.md", "---\n" + base + "spec_details: []\n---\n");
    bench.check_refused({"page.md"}, "page.md", "expected a 'title'");
    bench.write("page.md", page_with(base));
    CHECK(bench.run({"ingest", "page.md", "--taken-at", "2025-01-02"}).status == 0);
}

}  // namespace nesting_test
