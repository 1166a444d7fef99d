#include "ingest/pages/reader/page_reader.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "schema/text/digest.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace page_reader_test {

using namespace cacheledger;
using nlohmann::json;

namespace {

Content read(const std::string& text, bool must_be_page = true) {
    PageReader reader;
    return reader.read({"zlib.md", text, blob_id(text), must_be_page,
                        [](const std::string&) { return std::nullopt; }});
}

Page page_of(const std::string& text) {
    auto result = read(text);
    if (const auto* const bad = std::get_if<BadPage>(&result)) {
        FAIL(bad->problem.message());
    }
    return std::get<Page>(result);
}

std::string problem_of(const std::string& text) {
    const auto result = read(text);
    const auto* const bad = std::get_if<BadPage>(&result);
    return bad == nullptr ? "(none)" : bad->problem.message();
}

json zlib_entry() {
    return {{"compiler", "gcc@13.2.0"},
            {"hash", hash_of("zlib")},
            {"os", "ubuntu24.04"},
            {"platform", "linux"},
            {"size", "-"},
            {"stacks", {"e4s", "root"}},
            {"target", "x86_64_v3"},
            {"variants", {"+shared", "build_system=makefile"}},
            {"versions", {"1.3.1"}}};
}

std::string page_with_entry(const json& entry) {
    return page_with_details(fmt::format("[{}]", entry.dump()));
}

// The problem of a page whose only entry has another value for one key; null: lacks the key.
std::string problem_with(const std::string& key, const json& value) {
    json entry = zlib_entry();
    if (value.is_null()) {
        entry.erase(key);
    } else {
        entry[key] = value;
    }
    return problem_of(page_with_entry(entry));
}

const std::string in_entry = "zlib.md:6: spec_details[0]: ";

}  // namespace

TEST_CASE("A page is read") {
    const std::string text = page_with_entry(zlib_entry());
    const Page page = page_of(text);
    CHECK(page.digest == blob_id(text));
    CHECK(page.package == "zlib");
    CHECK(page.tag == "develop");
    CHECK(page.num_specs == 1);
    CHECK(page.findings.empty());
    REQUIRE(page.specs.size() == 1);
    const SpecEntry& spec = page.specs[0];
    CHECK(text_of(spec.hash) == hash_of("zlib"));
    CHECK(spec.version->text == "1.3.1");
    CHECK(spec.arch->platform == "linux");
    CHECK(spec.arch->os == "ubuntu24.04");
    CHECK(spec.arch->target == "x86_64_v3");
    CHECK(spec.compiler->spec == "gcc@13.2.0");
    CHECK(spec.variants->text == "build_system=makefile +shared");
    CHECK(spec.stacks->text == "e4s,root");
    CHECK(spec.stacks->named_text == "e4s");
    CHECK_FALSE(spec.size);
}

TEST_CASE("Each field of an entry is needed, but for size and tarball") {
    for (const std::string key :
         {"hash", "versions", "platform", "os", "target", "compiler", "variants", "stacks"}) {
        CHECK(problem_with(key, nullptr) == fmt::format("{}expected a '{}'", in_entry, key));
    }
    CHECK(problem_with("size", nullptr) == "(none)");
    json entry = zlib_entry();
    entry["size"] = "1.2 MB";
    CHECK(page_of(page_with_entry(entry)).specs.at(0).size->text == "1.2 MB");
}

TEST_CASE("Each field of an entry has its type") {
    for (const std::string key : {"hash", "platform", "os", "target", "compiler", "size"}) {
        CHECK(problem_with(key, 7) ==
              fmt::format("{}{}: expected a text, found a number", in_entry, key));
        CHECK(problem_with(key, json::array()) ==
              fmt::format("{}{}: expected a text, found a list", in_entry, key));
    }
    for (const std::string key : {"versions", "variants", "stacks"}) {
        CHECK(problem_with(key, "x") ==
              fmt::format("{}{}: expected a list of texts, found 'x'", in_entry, key));
        CHECK(problem_with(key, {true}) ==
              fmt::format("{}{}: expected a text, found true or false", in_entry, key));
    }
    CHECK(problem_with("tarball", json::object()) ==
          in_entry + "tarball: expected a text, found an object");
}

TEST_CASE("Fields that can't be what they say") {
    CHECK(problem_with("versions", json::array()) ==
          in_entry + "versions: expected a list of one version, found 0");
    CHECK(problem_with("versions", {"1", "2"}) ==
          in_entry + "versions: expected a list of one version, found 2");
    CHECK(problem_with("stacks", {"a,b"}) ==
          in_entry + "expected the name of a stack, without ',', found 'a,b'");
    CHECK(problem_with("compiler", "") ==
          in_entry + "expected a compiler like gcc@13.2.0 or none, found ''");
    CHECK(problem_with("variants", {"mpi"}) ==
          in_entry + "expected a variant like +name, ~name or name=value, found 'mpi'");
    CHECK(problem_with("os", std::string("a\0b", 3)) ==
          in_entry + "os: expected a text without NUL characters");
}

TEST_CASE("A hash is 32 characters of base32") {
    const std::string expected = in_entry + "hash: expected 32 characters of a-z and 2-7, found ";
    for (const std::string& hash : {std::string(31, 'a'), std::string(33, 'a'),
                                    std::string(31, 'a') + "1", std::string(31, 'a') + "A"}) {
        CHECK(problem_with("hash", hash) == expected + "'" + hash + "'");
    }
}

TEST_CASE("What a problem quotes is not cut within a character") {
    const std::string value = std::string(59, 'x') + "\xc3\xa9";
    CHECK(problem_with("stacks", value) ==
          in_entry + "stacks: expected a list of texts, found '" + std::string(59, 'x') + "...'");
}

TEST_CASE("A hash is on a page once") {
    const std::string entry = zlib_entry().dump();
    CHECK(
        problem_of(page_with_details(fmt::format("[{}, {}]", entry, entry))) ==
        fmt::format("zlib.md:6: spec_details[1]: hash: {} is on this page twice", hash_of("zlib")));
}

TEST_CASE("A key is in an entry once") {
    std::string entry = zlib_entry().dump();
    entry.insert(1, R"("os": "sequoia", )");
    CHECK(problem_of(page_with_details(fmt::format("[{}]", entry))) ==
          in_entry + "'os' is given twice");
}

TEST_CASE("spec_details is a list of objects") {
    CHECK(problem_of(page_with_details("{}")) ==
          "zlib.md:6: spec_details: expected a list, found an object");
    CHECK(problem_of(page_with_details("null")) ==
          "zlib.md:6: spec_details: expected a list, found null");
    CHECK(problem_of(page_with_details("[[]]")) == in_entry + "expected an object, found a list");
    CHECK(page_of(page_with_details("[]")).num_specs == 0);
}

TEST_CASE("Broken JSON is told with its line") {
    for (const std::string broken : {"[", "[{]", "[] []", "[1,]", "nul", "[\"a\tb\"]"}) {
        INFO(broken);
        CHECK(problem_of(page_with_details(broken)).starts_with("zlib.md:6: broken JSON"));
    }
    CHECK(problem_of(page_with_details("[{\"os\": x}]"))
              .starts_with("zlib.md:6: broken JSON at character 9 of the value: "));
}

TEST_CASE("JSON that is nested deeply is refused") {
    const std::size_t depth = 1'000'000;
    CHECK(problem_of(page_with_details(std::string(depth, '[')))
              .starts_with("zlib.md:6: broken JSON"));
    CHECK(problem_of(page_with_details(std::string(depth, '[') + std::string(depth, ']'))) ==
          "zlib.md:6: broken JSON: nested more than 1,024 deep");
}

TEST_CASE("The architecture may be one text") {
    json entry = zlib_entry();
    for (const char* const key : {"platform", "os", "target"}) {
        entry.erase(key);
    }
    entry["architecture"] = "linux-rhel-9-x86_64";
    const Page page = page_of(page_with_entry(entry));
    CHECK(page.specs.at(0).arch->platform == "linux");
    CHECK(page.specs.at(0).arch->os == "rhel-9");
    CHECK(page.specs.at(0).arch->target == "x86_64");
    for (const auto& [key, other] :
         std::map<std::string, std::string>{{"platform", "darwin"}, {"os", "x"}, {"target", "x"}}) {
        json both = entry;
        both[key] = other;
        CHECK(problem_of(page_with_entry(both)) ==
              in_entry +
                  "architecture: expected the same as platform, os and target, found "
                  "'linux-rhel-9-x86_64'");
    }
    entry["os"] = "rhel-9";
    CHECK(page_of(page_with_entry(entry)).specs.at(0).arch->os == "rhel-9");
    entry["architecture"] = "linux-x86_64";
    CHECK(problem_of(page_with_entry(entry)) ==
          in_entry + "architecture: expected platform-os-target, found 'linux-x86_64'");
}

TEST_CASE("What a page lacks is told") {
    CHECK(problem_of("---\ncategories: [package, develop]\nspec_details: []\n---\n") ==
          "zlib.md: expected a 'title', the name of the package");
    CHECK(problem_of("---\ntitle: zlib\ncategories: [package, develop]\nmeta: {}\n---\n") ==
          "zlib.md: expected 'spec_details' or 'spec_files'");
    CHECK(problem_of("---\ntitle: zlib\ncategories: [package, v0.18.0]\nspec_names:\n- a\n---\n") ==
          "zlib.md: expected 'spec_details' or 'spec_files'");
    CHECK(problem_of("---\ntitle: zlib\ncategories: [package, v0.18.0]\nspec_files:\n- a\n---\n") ==
          "zlib.md:5: a, which it lists, is not beside it");
}

TEST_CASE("A bad page says what is known of it") {
    const auto result = read(page_with_details("["));
    REQUIRE(std::holds_alternative<BadPage>(result));
    CHECK(std::get<BadPage>(result).package == "zlib");
    CHECK(std::get<BadPage>(result).tag == "develop");
}

TEST_CASE("Other texts with front matter are no pages") {
    const std::string about = "---\ntitle: About\nlayout: default\n---\nText\n";
    for (const std::string& text : {about, std::string("---\n---\n")}) {
        CHECK(std::holds_alternative<NoPage>(read(text, false)));
        CHECK(problem_of(text) == "zlib.md: expected a package page, with 'spec_details'");
    }
}

TEST_CASE("Bytes that are no text are refused") {
    CHECK(problem_of(page_with_details("[\"\xff\"]")) == "zlib.md: expected UTF-8 text");
    CHECK(problem_of(page_with_details("[\"\xc0\xaf\"]")) == "zlib.md: expected UTF-8 text");
    const std::string nul("[\"a\0b\"]", 7);
    CHECK(problem_of(page_with_details(nul)).starts_with("zlib.md:6: expected text without NUL"));
    CHECK(problem_of("---\ntitle: \"z\\0\"\nspec_details: []\n---\n") ==
          "zlib.md: expected a title without NUL characters");
}

TEST_CASE("A tag must be one that snapshots can be named by") {
    CHECK(problem_of("---\ntitle: zlib\ncategories: [package, a b]\nspec_details: []\n---\n") ==
          "zlib.md: a tag can't hold blanks, control characters, '@', '~', '*', '{' or '}': 'a "
          "b'");
    CHECK(problem_of("---\ntitle: zlib\ncategories: [package, latest]\nspec_details: []\n---\n") ==
          "zlib.md: a tag can't be called 'latest', which means the newest snapshot: 'latest'");
    CHECK(problem_of("---\ntitle: zlib\ncategories: [package, \"\"]\nspec_details: []\n---\n") ==
          "zlib.md: the tag is empty: ''");
}

}  // namespace page_reader_test
