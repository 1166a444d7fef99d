#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/temp_ledger.hpp"

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

const Lines none;

PrintedSpec spec(const std::string& stem) {
    return {.hash = hash_of(stem)};
}

/// What is noticed of a page with two specs of zlib, 1.0 and 1.1, that says this of itself.
Lines findings_of_meta(const std::string& meta) {
    TempLedger ledger;
    PrintedPage page{"zlib", {spec("b"), spec("c")}, "develop", meta};
    page.specs[1].version = "1.1";
    ledger.take("2025-03-30", {page});
    return ledger.rows("SELECT kind, detail FROM findings ORDER BY kind, detail");
}

Lines findings_of_tarball(const std::string& url) {
    TempLedger ledger;
    PrintedSpec printed{.hash = hash_of("b"), .compiler = "gcc@=13.2.0"};
    printed.more = fmt::format(R"(, "tarball": "{}")", url);
    ledger.take("2025-03-30", {{"zlib", {printed}}});
    return ledger.rows("SELECT kind, detail FROM findings");
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
    IngestOptions partial;
    partial.partial = true;
    ledger.take("2025-03-01", {odd});
    ledger.take("2025-03-02", {odd});
    ledger.take("2025-03-03", {hwloc}, partial);
    ledger.take("2025-03-04", {hwloc});
    CHECK(ledger.rows("SELECT snapshot, kind FROM findings ORDER BY 1") ==
          Lines{"develop@2025-03-01T00:00:00Z|meta-mismatch",
                "develop@2025-03-02T00:00:00Z|meta-mismatch"});
}
