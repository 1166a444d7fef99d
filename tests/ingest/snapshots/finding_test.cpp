#include <fmt/format.h>

#include <string>
#include <vector>

#include "ingest/runs/files/ingest.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace finding_test {

using namespace cacheledger;
using Counts = std::vector<std::pair<std::string, std::int64_t>>;

namespace {

const Lines none;

/// What is noticed of a page with two specs of zlib, 1.0 and 1.1, that says this of itself.
Lines findings_of_meta(const std::string& meta) {
    TempLedger ledger;
    PrintedPage page{"zlib", {spec("b"), spec("c")}, "develop", meta};
    page.specs[1].version = "1.1";
    ledger.take("2025-03-30", {page});
    return ledger.rows("SELECT kind, detail FROM findings ORDER BY kind, detail");
}

/// What is noticed of a page of zlib with these lines before `meta`, and this text at its end.
Lines findings_of_lines(const std::string& lines, const std::string& end = "") {
    TempLedger ledger;
    std::string text = PrintedPage{"zlib", {spec("b")}}.text();
    text.insert(text.find("meta:"), lines);
    const auto file = ledger.folder().write("zlib.md", text + end);
    ledger.ingest("2025-03-30", {file.string()});
    CHECK(ledger.rows("SELECT package, hash FROM specs") == Lines{"zlib|" + hash_of("b")});
    return ledger.rows("SELECT kind, detail FROM findings ORDER BY kind, detail");
}

/// What is noticed of a page that says this instead of `layout: cache` or its categories.
Lines findings_with(const std::string& line, const std::string& by) {
    TempLedger ledger;
    std::string text = PrintedPage{"zlib", {spec("b")}}.text();
    text.replace(text.find(line), line.size(), by);
    const auto file = ledger.folder().write("zlib.md", text);
    ledger.ingest("2025-03-30", {file.string()});
    return ledger.rows("SELECT kind, detail FROM findings ORDER BY kind, detail");
}

Lines findings_of_tarball(const std::string& url, const std::string& compiler = "gcc@=13.2.0") {
    TempLedger ledger;
    PrintedSpec printed{.hash = hash_of("b"), .compiler = compiler};
    printed.more = fmt::format(R"(, "tarball": "{}")", url);
    ledger.take("2025-03-30", {{"zlib", {printed}}});
    return ledger.rows("SELECT kind, detail FROM findings");
}

/// A page whose `meta` is wrong in so many numbers.
PrintedPage wrong_page(const std::string& package, int mistakes) {
    const std::string meta =
        mistakes == 1 ? R"({"num_specs": 3})" : R"({"num_specs": 3, "versions": ["9.9"]})";
    return {package, {{.hash = hash_of(package.substr(0, 1))}}, "develop", meta};
}

}  // namespace

TEST_CASE("A page that says the truth of itself gives no finding") {
    CHECK(findings_of_meta(
              R"({"versions": ["1.1", "1.0"], "compilers": ["gcc@=13.2.0"], "num_specs": 2, )"
              R"("oss": ["ubuntu24.04"], "platforms": ["linux"], "targets": ["x86_64_v3"], )"
              R"("stacks": ["root", "e4s"], "num_specs_by_stack": {"root": 2, "e4s": 2}})") ==
          none);
}

TEST_CASE("Where meta disagrees with the specs there is a finding") {
    CHECK(findings_of_meta(R"({"num_specs": 3})") ==
          Lines{"meta-mismatch|num_specs: meta says 3, spec_details has 2"});
    CHECK(findings_of_meta(R"({"versions": ["1.0", "1.2"]})") ==
          Lines{"meta-mismatch|versions: meta has 1.2, no spec does",
                "meta-mismatch|versions: specs have 1.1, meta does not"});
    CHECK(findings_of_meta(R"({"compilers": ["gcc@=13.2.0", "none", "clang@15"]})") ==
          Lines{"meta-mismatch|compilers: meta has llvm@15, no spec does"});
    CHECK(findings_of_meta(R"({"num_specs_by_stack": {"e4s": 2, "ml": 1}})") ==
          Lines{"meta-mismatch|num_specs_by_stack.ml: meta says 1, spec_details has 0",
                "meta-mismatch|num_specs_by_stack.root: not in meta, spec_details has 2"});
}

TEST_CASE("What is not known is a finding") {
    CHECK(findings_of_meta(R"({"colour": "red"})") ==
          Lines{"unknown-field|meta.colour is not known and not stored"});
    TempLedger ledger;
    PrintedSpec printed = spec("b");
    printed.more = R"(, "colour": "red")";
    ledger.take("2025-03-30", {{"zlib", {printed}}});
    CHECK(ledger.rows("SELECT package, path, kind, detail FROM findings") ==
          Lines{"zlib|develop/zlib.md|unknown-field|spec_details[0]: 'colour' is not known and not "
                "stored"});
}

TEST_CASE("A key that is not known of pages is a finding") {
    CHECK(findings_of_lines("colour: red\n") ==
          Lines{"unknown-field|'colour' is not known and not stored"});
    CHECK(findings_of_lines("\"colour\" : {meta: 1, spec_details: [2]}\nSize:\n") ==
          Lines{"unknown-field|'Size' is not known and not stored",
                "unknown-field|'colour' is not known and not stored"});
    CHECK(findings_of_lines("# a comment is nothing\n\n") == none);
    // It is no more than quoted.
    const std::string long_key = std::string(59, 'x') + "\xc3\xa9" + std::string(60, 'x');
    CHECK(findings_of_lines(long_key + ": 1\n") ==
          Lines{fmt::format("unknown-field|'{}...' is not known and not stored",
                            std::string(59, 'x'))});
}

TEST_CASE("Categories and a layout that pages of packages do not have are findings") {
    const std::string categories = "[package, develop]";
    CHECK(findings_with(categories, "[package, develop, tools]") ==
          Lines{"category-mismatch|categories[2]: 'tools', behind the tag, is not stored"});
    CHECK(findings_with(categories, "[package, develop, [tools], null]") ==
          Lines{"category-mismatch|categories[2]: '...', behind the tag, is not stored",
                "category-mismatch|categories[3]: '...', behind the tag, is not stored"});
    CHECK(findings_with(categories, "[package, develop]\ncategory: tools") ==
          Lines{"category-mismatch|category is 'tools', that of a package page is 'package'"});
    CHECK(findings_with(categories, "[package, develop]\ncategory: package") == none);
    CHECK(findings_with(categories, "[]\ncategory: package") == none);
    CHECK(findings_with(categories, "[tools, develop]\ncategory: package") ==
          Lines{"category-mismatch|categories begins with 'tools', that of a package page with "
                "'package'"});
    CHECK(findings_with("layout: cache", "layout: default") ==
          Lines{"layout-mismatch|layout is 'default', that of a package page is 'cache'"});
    CHECK(findings_with("layout: cache", "layout: 'cache'") == none);
    CHECK(findings_with("layout: cache\n", "") == none);
}

TEST_CASE("Text behind a page is a finding, white space is nothing") {
    CHECK(findings_of_lines("", "") == none);
    CHECK(findings_of_lines("", "\n") == none);
    CHECK(findings_of_lines("", " \t\r\n \n\f\v\n") == none);
    CHECK(findings_of_lines("", "\n \n Some text. \r\nMore.\n") ==
          Lines{"trailing-text|what stands behind the closing '---' is not stored; it begins with "
                "'Some text.'"});
}

TEST_CASE("Names of specs that disagree with spec_details are findings") {
    const auto names = [](const std::string& list) {
        return findings_of_lines("spec_names:\n" + list);
    };
    const std::string arch = " build_system=cmake arch=linux-ubuntu24.04-x86_64_v3";
    CHECK(names(" - 'zlib@1.0%gcc@13.2.0" + arch + " ^a@2'\n") == none);
    CHECK(names("- zlib@=1.0%gcc@=13.2.0" + arch + " /baaaaaa\n") == none);
    const std::string has = fmt::format(
        "spec-name-mismatch|{}: spec_details has zlib@1.0%gcc@13.2.0 "
        "arch=linux-ubuntu24.04-x86_64_v3, the page prints ",
        hash_of("b"));
    CHECK(names("- zlib@1.1%gcc@13.2.0\n") == Lines{has + "zlib@1.1%gcc@13.2.0"});
    CHECK(names("- zlib%gcc@12\n") == Lines{has + "zlib%gcc@12"});
    CHECK(names("- mpich\n") == Lines{has + "mpich"});
    CHECK(names("- zlib /aaaaaaa\n") == Lines{has + "zlib /aaaaaaa"});
    const std::string printed = "zlib@1.0%gcc@13.2.0~x cflags=\"-O3\"" + arch;
    CHECK(names("- '" + printed + "'\n") ==
          Lines{fmt::format("spec-name-mismatch|{}: spec_details has zlib@1.0%gcc@13.2.0{}, the "
                            "page prints {}",
                            hash_of("b"), arch, printed)});
    CHECK(names("- zlib\n- zlib\n") ==
          Lines{"spec-name-mismatch|spec_names has 2 names, spec_details 1 spec"});
    CHECK(names("") == Lines{"spec-name-mismatch|spec_names has 0 names, spec_details 1 spec"});
    CHECK(names("- 'zlib\n") ==
          Lines{"spec-name-mismatch|spec_names: 6: a quote is not closed on its line"});
    CHECK(findings_of_lines("spec_names: [zlib]\n") ==
          Lines{"unknown-field|expected 'spec_names' to be a list with a line '- ...' a spec; it "
                "is not read"});
}

TEST_CASE("Spec files that are not read are a finding") {
    CHECK(findings_of_lines("spec_files:\n- spec-0.json\n") ==
          Lines{"spec-files-unread|spec_files: 1 file is not read, spec_details says the specs"});
}

TEST_CASE("A page without meta is a finding") {
    TempLedger ledger;
    const auto file = ledger.folder().write(
        "zlib.md", "---\ntitle: zlib\ncategories: [package, develop]\nspec_details: []\n---");
    ledger.ingest("2025-03-30", {file.string()});
    CHECK(ledger.rows("SELECT kind, detail FROM findings") ==
          Lines{"meta-missing|the page has no 'meta'"});
}

TEST_CASE("A tarball that follows from the attributes is no finding") {
    const std::string place = "build_cache/linux-ubuntu24.04-x86_64_v3/gcc-13.2.0/zlib-1.0/";
    const std::string file =
        fmt::format("linux-ubuntu24.04-x86_64_v3-gcc-13.2.0-zlib-1.0-{}.spack", hash_of("b"));
    const std::string site = "https://binaries.spack.io/";
    CHECK(findings_of_tarball(site + "develop/" + place + file) == none);
    CHECK(findings_of_tarball(site + "releases/develop/" + place + file) == none);
    // Spelling is no disagreement.
    for (const std::string spelling : {"gcc@13.2.0", "gcc@13.2.0/abcdefg", "gcc@=13.2.0/a@b"}) {
        CHECK(findings_of_tarball(site + "develop/" + place + file, spelling) == none);
    }
    const auto renamed = [](std::string url, const std::string& name) {
        for (std::size_t at = 0; (at = url.find("gcc-13.2.0")) != std::string::npos;) {
            url.replace(at, 10, name);
        }
        return url;
    };
    for (const std::string spelling : {"clang@=15.0.7", "llvm@15.0.7/abc"}) {
        CHECK(findings_of_tarball(renamed(site + place + file, "clang-15.0.7"), spelling) == none);
        CHECK(findings_of_tarball(renamed(site + place + file, "llvm-15.0.7"), spelling) == none);
        CHECK(findings_of_tarball(renamed(site + place + file, "gcc-15.0.7"), spelling).size() ==
              1);
    }
}

TEST_CASE("A tarball that disagrees with the attributes is a finding") {
    const std::string url = fmt::format(
        "https://binaries.spack.io/develop/build_cache/linux-ubuntu24.04-x86_64_v3/gcc-12.3.0/"
        "zlib-1.0/linux-ubuntu24.04-x86_64_v3-gcc-12.3.0-zlib-1.0-{}.spack",
        hash_of("b"));
    CHECK(findings_of_tarball(url) ==
          Lines{fmt::format("tarball-mismatch|{}: the attributes say ..."
                            "/linux-ubuntu24.04-x86_64_v3/gcc-13.2.0/...-zlib-1.0-{}.spack, the "
                            "tarball is {}",
                            hash_of("b"), hash_of("b"), url)});
}

TEST_CASE("A page in the folder of another package or tag is a finding") {
    TempLedger ledger;
    ledger.folder().write("site/_cache/v1.0/zlib/specs.md",
                          PrintedPage{"zlib-ng", {spec("b")}, "develop", ""}.text());
    ledger.ingest("2025-03-30", {(ledger.folder().path() / "site").string()});
    CHECK(ledger.rows("SELECT package, kind, detail FROM findings ORDER BY kind") ==
          Lines{"zlib-ng|tag-mismatch|the page says develop, it lies in the folder of v1.0",
                "zlib-ng|title-mismatch|the page lies in the folder of zlib"});
}

TEST_CASE("A finding of a page holds in each snapshot that was given the page") {
    TempLedger ledger;
    const PrintedPage odd{"zlib", {spec("b")}, "develop", R"({"num_specs": 2})"};
    const PrintedPage hwloc{"hwloc", {spec("c")}};
    ledger.take("2025-03-01", {odd});
    ledger.take("2025-03-02", {odd});
    ledger.take("2025-03-03", {hwloc}, {.partial = true});
    ledger.take("2025-03-04", {hwloc});
    CHECK(ledger.rows("SELECT snapshot, kind FROM findings ORDER BY 1") ==
          Lines{"develop@2025-03-01T00:00:00Z|meta-mismatch",
                "develop@2025-03-02T00:00:00Z|meta-mismatch"});
}

TEST_CASE("The findings that a run adds are counted by kind") {
    TempLedger ledger;
    ledger.take("2025-03-01", {wrong_page("zlib", 1)});
    const NewFindings findings(ledger.database());
    CHECK(findings.counts().empty());
    ledger.take("2025-03-02", {wrong_page("zlib", 1), wrong_page("hwloc", 1)});
    CHECK(findings.counts() == Counts{{"meta-mismatch", 1}});
    PrintedPage odd = wrong_page("mpich", 1);
    odd.meta = R"({"num_specs": 3, "colour": "red", "taste": "sweet"})";
    ledger.take("2025-03-03", {wrong_page("zlib", 1), wrong_page("hwloc", 1), odd});
    CHECK(findings.counts() == Counts{{"meta-mismatch", 2}, {"unknown-field", 2}});
}

TEST_CASE("A finding that a replaced snapshot had before is not new") {
    TempLedger ledger;
    ledger.take("2025-03-01", {wrong_page("zlib", 1)});
    const NewFindings findings(ledger.database());
    PrintedPage more = wrong_page("zlib", 1);
    more.specs[0].stacks = {"ml"};
    ledger.take("2025-03-01", {more, wrong_page("hwloc", 1)}, {.replace = true});
    CHECK(findings.counts() ==
          Counts{{"meta-mismatch", 2}});  // the text of the page is another one
    ledger.take("2025-03-01", {more}, {.replace = true});
    CHECK(findings.counts() == Counts{{"meta-mismatch", 1}});
}

TEST_CASE("A snapshot without specs after one that has some is noted") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {}}});
    ledger.take("2025-03-02", {{"zlib", {{.hash = hash_of("b")}}}});
    ledger.take("2025-03-03", {{"zlib", {}}});
    ledger.take("2025-03-04", {{"zlib", {}}});
    const auto noted = [&](const std::string& date) {
        return notes_on_empty_snapshots(ledger.database(), {"develop@" + date + "T00:00:00Z"});
    };
    CHECK(noted("2025-03-01").empty());
    CHECK(noted("2025-03-02").empty());
    CHECK(noted("2025-03-03") ==
          std::vector<std::string>{
              "develop@2025-03-03T00:00:00Z has no specs; the snapshot before it, "
              "develop@2025-03-02T00:00:00Z, has 1"});
    CHECK(noted("2025-03-04").empty());
}

}  // namespace finding_test
