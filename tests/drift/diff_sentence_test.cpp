#include "reports/diff/diff_sentence.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/temp_ledger.hpp"

using namespace cacheledger;

namespace {

using Pages = std::vector<PrintedPage>;

/// What is said of two snapshots of one series, or of the tags develop and v1.
std::string said(const Pages& before, const Pages& after, const Arguments& filters = {},
                 const IngestOptions& options = {}) {
    TempLedger ledger;
    ledger.take("2025-03-01", before, options);
    ledger.take("2025-03-02", after, options);
    const std::string to = after.front().tag;
    return sentence(compare_snapshots(ledger.database(), Catalog(),
                                      before.front().tag + "@2025-03-01", to + "@2025-03-02",
                                      filters));
}

PrintedPage page(const std::string& package, const std::vector<PrintedSpec>& specs,
                 const std::string& tag = "develop") {
    return {package, specs, tag};
}

PrintedSpec spec(const std::string& hash) {
    return {.hash = hash_of(hash)};
}

}  // namespace

TEST_CASE("A sentence says that nothing changed") {
    CHECK(said({page("zlib", {spec("b")})}, {page("zlib", {spec("b")})}) ==
          "No change: both have the same 1 build.");
    CHECK(said({page("zlib", {spec("b"), spec("c")})}, {page("zlib", {spec("b"), spec("c")})}) ==
          "No change: both have the same 2 builds.");
    CHECK(said({page("zlib", {spec("b")}), page("hwloc", {})},
               {page("zlib", {spec("c")}), page("hwloc", {})},
               {{"stack", "ml"}}) == "No change: neither has such a build.");
    IngestOptions partial;
    partial.partial = true;
    CHECK(said({page("zlib", {spec("b")})}, {page("hwloc", {spec("c")})}, {}, partial) ==
          "No change in what both observed.");
}

TEST_CASE("A sentence says that builds were replaced by ones that look the same") {
    CHECK(said({page("zlib", {spec("b"), spec("c")})}, {page("zlib", {spec("d"), spec("e")})}) ==
          "No visible change: all 2 builds were replaced by ones that look the same.");
    CHECK(said({page("zlib", {spec("b"), spec("c")})}, {page("zlib", {spec("b"), spec("e")})}) ==
          "No visible change: 1 of 2 builds was replaced by one that looks the same.");
    CHECK(said({page("zlib", {spec("b"), spec("c"), spec("d")})},
               {page("zlib", {spec("e"), spec("f")})}) ==
          "No visible change: 2 of 3 builds were replaced by ones that look the same; 1 fewer "
          "build that looks like others. 3 builds before, 2 after.");
    CHECK(said({page("zlib", {spec("b")})}, {page("zlib", {spec("b"), spec("c"), spec("d")})}) ==
          "No visible change: 2 more builds that look like others. 1 build before, 3 after.");
}

TEST_CASE("A sentence says that builds are in other stacks") {
    PrintedSpec moved = spec("b");
    moved.stacks = {"ml"};
    CHECK(said({page("zlib", {spec("b"), spec("c")})}, {page("zlib", {moved, spec("c")})}) ==
          "The same 2 builds, 1 of them in other stacks.");
    CHECK(said({page("zlib", {spec("b"), spec("c")})}, {page("zlib", {moved, spec("d")})}) ==
          "No visible change: 1 of 2 builds was replaced by one that looks the same; 1 build is in "
          "other stacks.");
}

TEST_CASE("A sentence says that there are only additions, or only removals") {
    const PrintedPage zlib = page("zlib", {spec("b")});
    const PrintedPage hwloc = page("hwloc", {spec("c"), spec("d")});
    CHECK(said({zlib}, {zlib, hwloc}) ==
          "Only additions: 1 new package (2 builds). 1 build before, 3 after.");
    CHECK(said({zlib, hwloc}, {zlib}) ==
          "Only removals: 1 package gone (2 builds). 3 builds before, 1 after.");
}

TEST_CASE("A sentence begins with what concerns most builds, and counts what is small") {
    const auto of = [](const char* hash, const char* version) {
        return PrintedSpec{.hash = hash_of(hash), .version = version};
    };
    PrintedSpec target = of("ta", "2");
    PrintedSpec compiler = of("ca", "3");
    PrintedSpec variants = of("va", "4");
    const Pages before = {page("zlib", {target, compiler, variants, of("ra", "5"), of("xa", "6")}),
                          page("hwloc", {spec("h")})};
    target = {.hash = hash_of("tb"), .version = "2", .target = "zen4"};
    compiler = {.hash = hash_of("cb"), .version = "3", .compiler = "gcc@14.1.0"};
    variants = {.hash = hash_of("vb"), .version = "4", .variants = {"+pic"}};
    const Pages after = {
        page("zlib", {target, compiler, variants, of("rb", "5"), of("xa", "6"), of("ya", "7"),
                      of("yb", "7"), of("yc", "7"), of("yd", "8")})};
    CHECK(said(before, after) ==
          "2 new versions (4 builds); 1 package gone (1 build); 1 new build for other targets; "
          "6 builds otherwise. 6 builds before, 9 after.");
    CHECK(said({page("zlib", {spec("b")})},
               {page("zlib", {{.hash = hash_of("c"), .compiler = "gcc@14"}})}) ==
          "1 new build by other compilers; 1 build by other compilers gone.");
}

TEST_CASE("A sentence on two series says which of them has what") {
    const Pages develop = {page("zlib", {spec("b")}), page("hwloc", {spec("c")})};
    CHECK(said({page("zlib", {spec("b")}, "v1")}, develop) ==
          "Only additions: 1 package only in develop (1 build). 1 build before, 2 after.");
    CHECK(said({page("zlib", {spec("d")}, "v1")}, {page("zlib", {spec("b")})}) ==
          "No visible change: 1 of 1 build has another hash and looks the same.");
    CHECK(said({page("zlib", {{.hash = hash_of("d"), .target = "zen2"}}, "v1")},
               {page("zlib", {spec("b")})}) ==
          "1 build for other targets only in develop; 1 build for other targets only in v1.");
}

TEST_CASE("A sentence on two series counts one build that looks the same") {
    CHECK(said({page("zlib", {spec("d")}, "v1")},
               {page("zlib", {spec("b")}), page("hwloc", {spec("c"), spec("e")})}) ==
          "1 package only in develop (2 builds); 1 build that looks the same, with other hashes. "
          "1 build before, 3 after.");
}

TEST_CASE("A sentence counts the builds of packages that both snapshots observed") {
    const std::vector<PrintedSpec> two = {spec("b"), spec("c")};
    TempLedger ledger;
    ledger.take("2025-03-01", {page("zlib", two, "v1"), page("hwloc", {spec("h")}, "v1")});
    IngestOptions partial;
    partial.partial = true;
    ledger.take("2025-03-02", {page("zlib", {spec("b")})}, partial);
    const auto said_of = [&](const char* from, const char* to) {
        return sentence(compare_snapshots(ledger.database(), Catalog(), from, to, {}));
    };
    CHECK(said_of("v1", "develop") ==
          "No visible change: 1 fewer build that looks like others. 2 builds before, 1 after, of "
          "what both observed.");
    CHECK(said_of("develop", "v1") ==
          "No visible change: 1 more build that looks like others. 1 build before, 2 after, of "
          "what both observed.");
}
