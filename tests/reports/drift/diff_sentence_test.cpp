#include "reports/questions/diff/diff.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/shown.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace diff_sentence_test {

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
    return compare_snapshots(ledger.database(), Catalog(), before.front().tag + "@2025-03-01",
                             to + "@2025-03-02", filters)
        .sentence;
}

PrintedPage page(const std::string& package, const std::vector<PrintedSpec>& specs,
                 const std::string& tag = "develop") {
    return {package, specs, tag};
}

PrintedSpec for_system(const std::string& hash, const std::string& os, const std::string& target,
                       const std::string& platform = "linux") {
    return {.hash = hash_of(hash), .platform = platform, .os = os, .target = target};
}

}  // namespace

TEST_CASE("A sentence says that nothing changed") {
    CHECK(said({page("zlib", {spec("b")})}, {page("zlib", {spec("b")})}) ==
          "No change: both have the same build.");
    CHECK(said({page("zlib", {spec("b"), spec("c")})}, {page("zlib", {spec("b"), spec("c")})}) ==
          "No change: both have the same 2 builds.");
    CHECK(said({page("zlib", {})}, {page("zlib", {})}) == "No change: both are empty.");
    CHECK(said({page("zlib", {spec("b")}), page("hwloc", {})},
               {page("zlib", {spec("c")}), page("hwloc", {})},
               {{"stack", "ml"}}) == "No change: neither has such a build.");
    CHECK(said({page("zlib", {spec("b")})}, {page("hwloc", {spec("c")})}, {}, {.partial = true}) ==
          "No change in the packages that both observed.");
}

TEST_CASE("A sentence says that builds were rebuilt, and what that means") {
    CHECK(said({page("zlib", {spec("b")})}, {page("zlib", {spec("d")})}) ==
          "1 build was rebuilt: same version and options, new hash.");
    CHECK(said({page("zlib", {spec("b"), spec("c")})}, {page("zlib", {spec("d"), spec("e")})}) ==
          "All 2 builds were rebuilt: same version and options, new hash.");
    CHECK(said({page("zlib", {spec("b"), spec("c")})}, {page("zlib", {spec("b"), spec("e")})}) ==
          "1 of 2 builds was rebuilt: same version and options, new hash.");
    CHECK(
        said({page("zlib", {spec("b"), spec("c"), spec("d")})},
             {page("zlib", {spec("e"), spec("f")})}) ==
        "2 of 3 builds were rebuilt (same version and options, new hash); 1 fewer copy of a build "
        "that is still there. 3 builds before, 2 after.");
    CHECK(said({page("zlib", {spec("b")})}, {page("zlib", {spec("b"), spec("c"), spec("d")})}) ==
          "Only additions: 2 more copies of builds that were there. 1 build before, 3 after.");
}

TEST_CASE("A sentence says which stacks builds joined and left") {
    const Pages before = {page("zlib", {in_stacks("b", {"e4s", "root"}), in_stacks("c", {"e4s"}),
                                        in_stacks("d", {"ml"}), spec("e")})};
    const auto after = [&](const std::vector<std::string>& b, const std::vector<std::string>& c,
                           const char* last = "e") {
        return Pages{page(
            "zlib", {in_stacks("b", b), in_stacks("c", c), in_stacks("d", {"ml"}), spec(last)})};
    };
    CHECK(said(before, after({"ml"}, {"e4s"})) ==
          "1 build moved from the stack e4s to the stack ml; no build was added or removed.");
    CHECK(said(before, after({"e4s", "ml"}, {"e4s", "ml", "root"})) ==
          "2 builds joined the stack ml; no build was added or removed.");
    CHECK(said(before, after({"root"}, {})) ==
          "2 builds left the stack e4s and are now in no stack; no build was added or removed.");
    CHECK(
        said(before, after({"root"}, {"e4s", "ml"})) ==
        "1 build joined the stack ml, 1 build left the stack e4s and is now in no stack; no build "
        "was added or removed.");
    CHECK(
        said(before, after({"ml"}, {"e4s"}, "f")) ==
        "1 build moved from the stack e4s to the stack ml; 1 of 4 builds was rebuilt (same version "
        "and options, new hash).");
}

TEST_CASE("A sentence begins with a stack that is gone from the whole snapshot") {
    const Pages before = {
        page("zlib", {in_stacks("b", {"aws", "root"}), in_stacks("c", {"aws", "e4s"})}),
        page("hwloc", {in_stacks("d", {"e4s"}), in_stacks("e", {"aws"})})};
    const Pages after = {page("zlib", {in_stacks("b", {"root"}), in_stacks("c", {"e4s"})}),
                         page("hwloc", {in_stacks("d", {"e4s"}), in_stacks("f", {"e4s"})})};
    CHECK(said(before, after) ==
          "Stack aws is gone: 2 builds left it, 1 is now in no stack; 1 more was removed. 1 of 4 "
          "builds "
          "was rebuilt: same version and options, new hash.");
    CHECK(
        said(before, after, {{"package", "zlib"}}) ==
        "Stack aws is gone: 2 of these builds left it, 1 is now in no stack. No build was added or "
        "removed.");
    CHECK(said(before, after, {{"stack", "aws"}}) ==
          "Stack aws is gone: 2 builds left it, 1 is now in no stack; 1 more was removed. Only "
          "removals: 2 "
          "packages gone (3 builds). 3 builds before, 0 after.");
    CHECK(said(before, after, {{"stack", "e4s"}}).starts_with("Only additions: "));
    CHECK(said(after, before) ==
          "Stack aws is new: 2 builds joined it; 1 more was added. 1 of 4 builds was rebuilt: same "
          "version "
          "and options, new hash.");
}

TEST_CASE("A sentence names several stacks that are gone or new") {
    const Pages before = {
        page("zlib", {in_stacks("b", {"aws", "ml"}), in_stacks("c", {"ml"}), spec("d")})};
    const Pages after = {page("zlib", {in_stacks("b", {}), in_stacks("c", {"gpu"}), spec("d")})};
    CHECK(
        said(before, after) ==
        "Stacks aws and ml are gone: 2 builds left them, 1 is now in no stack. Stack gpu is new: 1 "
        "build joined it. No build was added or removed.");
    CHECK(said({page("zlib", {in_stacks("b", {"aws"}), spec("d")})}, {page("zlib", {spec("d")})}) ==
          "Stack aws is gone: its only build was removed. Only removals: 1 fewer copy of a build "
          "that "
          "is still there. 2 builds before, 1 after.");
    CHECK(said({page("zlib", {spec("d")})},
               {page("zlib", {spec("d"), in_stacks("b", {"aws"}), in_stacks("c", {"aws"})})}) ==
          "Stack aws is new, with 2 new builds. Only additions: 2 more copies of builds that were "
          "there. 1 build before, 3 after.");
}

TEST_CASE("A sentence says that there are only additions, or only removals") {
    const PrintedPage zlib = page("zlib", {spec("b")});
    const PrintedPage hwloc = page("hwloc", {spec("c"), spec("d")});
    CHECK(said({zlib}, {zlib, hwloc}) ==
          "Only additions: 1 new package (2 builds). 1 build before, 3 after.");
    CHECK(said({zlib, hwloc}, {zlib}) ==
          "Only removals: 1 package gone (2 builds). 3 builds before, 1 after.");
}

TEST_CASE("Screens say of the cause and kind 'target' what else differs, other programs do not") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page("zlib", {for_system("b", "rhel8", "zen3")})});
    ledger.take("2025-03-02", {page("zlib", {for_system("c", "rhel9", "zen3")})});
    Diff diff = compare_snapshots(ledger.database(), Catalog(), "develop@2025-03-01",
                                  "develop@2025-03-02", {});
    const std::string screen = shown(document_of(diff, false, 100));
    CHECK(screen.find("\ntarget (operating system)") != std::string::npos);
    CHECK(
        screen.find("\nOperating systems gained and lost: 1 target-changed (operating system)\n") !=
        std::string::npos);
    CHECK(shown(document_of(diff, true, 100, true)).find("\ntarget-changed (operating system)") !=
          std::string::npos);
    const std::string json = shown(document_of(diff, false, 100), Format::json);
    CHECK(json.find("operating system)") == std::string::npos);
    CHECK(json.find("\"kind\": \"target-changed\", \"package\"") != std::string::npos);
}

TEST_CASE("A sentence says in what the systems of builds differ") {
    const auto one = [](const PrintedSpec& before, const PrintedSpec& after) {
        return said({page("zlib", {before})}, {page("zlib", {after})});
    };
    const PrintedSpec old = for_system("b", "rhel8", "zen3");
    CHECK(one(old, for_system("c", "rhel9", "zen3")) ==
          "1 build for another operating system (rhel8 -> rhel9).");
    CHECK(one(old, for_system("c", "rhel8", "zen4")) ==
          "1 build for another target (zen3 -> zen4).");
    CHECK(one(old, for_system("c", "rhel8", "zen3", "freebsd")) ==
          "1 build for another platform (linux -> freebsd).");
    CHECK(one(old, for_system("c", "rhel9", "zen4")) ==
          "1 build for another operating system and target (rhel8-zen3 -> rhel9-zen4).");
    CHECK(one(old, for_system("c", "ventura", "m1", "darwin")) ==
          "1 build for another platform, operating system and target (linux-rhel8-zen3 -> "
          "darwin-ventura-m1).");
    // Each side of the mixture is said apart: one build for another OS, one for another target.
    CHECK(
        said({page("zlib", {old}), page("hwloc", {for_system("d", "rhel8", "zen3")})},
             {page("zlib", {for_system("c", "rhel9", "zen3")}),
              page("hwloc", {for_system("e", "rhel8", "zen4")})}) ==
        "1 build for another target (zen3 -> zen4); 1 build for another operating system (rhel8 -> "
        "rhel9).");
    // Nearest to both.
    CHECK(
        said({page("zlib", {for_system("b", "rhel8", "zen4"), for_system("c", "rhel9", "zen3")})},
             {page("zlib", {for_system("b", "rhel8", "zen4"), for_system("c", "rhel9", "zen3"),
                            for_system("d", "rhel9", "zen4")})}) ==
        "Only additions: 1 new build for another operating system or target (rhel9-zen4). 2 builds "
        "before, 3 after.");
    CHECK(said({page("zlib", {old, for_system("c", "rhel8", "zen4")})}, {page("zlib", {old})}) ==
          "Only removals: 1 build for target zen4 gone. 2 builds before, 1 after.");
    CHECK(said({page("zlib", {old})}, {page("zlib", {for_system("c", "rhel8", "zen4"),
                                                     for_system("d", "rhel8", "zen5")})}) ==
          "2 new builds for other targets (zen4, zen5), 1 gone (zen3). 1 build before, 2 after.");
}

TEST_CASE("A sentence begins with what concerns most builds, and says every change") {
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
    CHECK(
        said(before, after) ==
        "2 new versions (4 builds); 1 build for another target (x86_64_v3 -> zen4); 1 build with "
        "another compiler (gcc@13.2.0 -> gcc@14.1.0); 1 build with other variants; 1 package gone "
        "(1 build); 1 of 6 builds was rebuilt (same version and options, new hash). 6 builds "
        "before, 9 after.");
}

TEST_CASE("A sentence on two series says which of them has what") {
    const Pages develop = {page("zlib", {spec("b")}), page("hwloc", {spec("c")})};
    CHECK(said({page("zlib", {spec("b")}, "v1")}, develop) ==
          "1 package only in develop (1 build). 1 build in v1, 2 in develop.");
    CHECK(said({page("zlib", {spec("d")}, "v1")}, {page("zlib", {spec("b")})}) ==
          "1 build of v1 looks the same in develop, with another hash.");
    CHECK(said({page("zlib", {spec("d"), spec("e")}, "v1")},
               {page("zlib", {spec("b"), spec("c")})}) ==
          "All 2 builds of v1 look the same in develop, with other hashes.");
    CHECK(said({page("zlib", {{.hash = hash_of("d"), .target = "zen2"}}, "v1")},
               {page("zlib", {spec("b")})}) ==
          "1 build for another target only in develop (x86_64_v3), 1 only in v1 (zen2).");
    CHECK(said({page("zlib", {in_stacks("b", {"ml"}), spec("c")}, "v1")},
               {page("zlib", {in_stacks("b", {"e4s"}), spec("c")})}) ==
          "Stack ml is only in v1 (1 build). 1 build of both is in different stacks; no build was "
          "added or removed.");
}

TEST_CASE("A sentence on two series counts one build that looks the same") {
    CHECK(said({page("zlib", {spec("d")}, "v1")},
               {page("zlib", {spec("b")}), page("hwloc", {spec("c"), spec("e")})}) ==
          "1 package only in develop (2 builds); 1 build of v1 looks the same in develop, with "
          "another hash. 1 build in v1, 3 in develop.");
}

TEST_CASE("A sentence counts the builds of packages that both snapshots observed") {
    const std::vector<PrintedSpec> two = {spec("b"), spec("c")};
    TempLedger ledger;
    ledger.take("2025-03-01", {page("zlib", two, "v1"), page("hwloc", {spec("h")}, "v1")});
    ledger.take("2025-03-02", {page("zlib", {spec("b")})}, {.partial = true});
    const auto said_of = [&](const char* from, const char* to) {
        return compare_snapshots(ledger.database(), Catalog(), from, to, {}).sentence;
    };
    CHECK(said_of("v1", "develop") ==
          "1 more copy in v1. 2 builds in v1, 1 in develop, counting the packages that "
          "both observed.");
    CHECK(said_of("develop", "v1") ==
          "1 more copy in v1. 1 build in develop, 2 in v1, counting the packages that "
          "both observed.");
}

}  // namespace diff_sentence_test
