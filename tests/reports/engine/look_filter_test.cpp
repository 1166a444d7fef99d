#include <fmt/format.h>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/history/history.hpp"
#include "reports/questions/specs/found_specs.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/file/database.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/shown.hpp"

namespace look_filter_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

const Value at = "develop@2025-03-02T00:00:00Z";

/// hdf5 and zlib, for two targets and by several compilers, in two snapshots.
struct TwoPackages {
    TwoPackages() {
        const PrintedPage zlib = {"zlib", {{.hash = hash_of("z"), .compiler = "none"}}};
        ledger.take("2025-03-01", {zlib});
        ledger.take(
            "2025-03-02",
            {{"hdf5",
              {{.hash = hash_of("a"), .version = "1.14.3", .variants = {"+mpi", "api=v18"}},
               {.hash = hash_of("b"), .version = "1.14.3", .target = "zen3", .variants = {"+mpi"}},
               {.hash = hash_of("c"), .version = "1.12.2", .variants = {"~mpi", "api=v18"}},
               {.hash = hash_of("d"),
                .version = "1.14.3",
                .compiler = "clang@15.0.7",
                .os = "rhel8",
                .variants = {"~mpi"},
                .stacks = {"ml"}}}},
             zlib});
    }

    /// The hashes that a report of --at counts, by their first letters.
    std::string hashes(const FilterWords& words) {
        const LookFilter filter(words);
        const AskedLooks looks(ledger.database(), filter);
        return ledger.value(
            "SELECT ifnull(group_concat(letter, ''), '') FROM (SELECT substr(x.hash, 1, 1) AS "
            "letter FROM present_specs p JOIN asked_looks USING (look_id) JOIN spec x USING "
            "(spec_id) WHERE p.snapshot = 'develop@2025-03-02T00:00:00Z' ORDER BY 1)");
    }

    Lines rows(const FilterWords& words, const std::string& report, const Arguments& arguments) {
        const AskedLooks looks(ledger.database(), LookFilter(words));
        return report_rows(ledger, report, arguments);
    }

    TempLedger ledger;
};

std::string refusal(const FilterWords& words) {
    return thrown<UsageError>([&] { const LookFilter filter(words); }, "");
}

FoundSpecs found(GraphLedger& ledger, const std::string& typed) {
    auto& database = ledger.database();
    return find_specs(database, find_snapshot(database, "latest"),
                      {parse_spec(typed), std::nullopt, 9, true});
}

std::string shown(GraphLedger& ledger, const std::string& typed) {
    FoundSpecs specs = found(ledger, typed);
    return shown(document_of(specs));
}

}  // namespace

TEST_CASE("A filter asks for builds as Spack means a spec") {
    TwoPackages two;
    CHECK(two.hashes({}) == "abcdz");
    CHECK(two.hashes({.target = "zen3"}) == "b");
    CHECK(two.hashes({.target = "x86_64_v3:"}) == "abcdz");
    CHECK(two.hashes({.os = "rhel8"}) == "d");
    CHECK(two.hashes({.platform = "linux"}) == "abcdz");
    CHECK(two.hashes({.compiler = "gcc@13"}) == "abc");
    CHECK(two.hashes({.compiler = "%gcc@12"}).empty());
    CHECK(two.hashes({.compiler = "clang"}) == "d");
    CHECK(two.hashes({.compiler = "llvm@:15"}) == "d");
    CHECK(two.hashes({.variants = {"+mpi"}}) == "ab");
    CHECK(two.hashes({.variants = {"~mpi", "api=v18"}}) == "c");
    CHECK(two.hashes({.target = "x86_64_v3", .compiler = "gcc", .variants = {"+mpi api=v18"}}) ==
          "a");
}

TEST_CASE("A package of a filter is a name, a pattern, or a spec") {
    TwoPackages two;
    CHECK(two.hashes({.packages = {"hdf5@1.14"}}) == "abd");
    CHECK(two.hashes({.packages = {"hdf5@=1.14"}}).empty());
    CHECK(two.hashes({.packages = {"hd*@1.14: +mpi target=zen3"}}) == "b");
    CHECK(two.hashes({.packages = {"[^h]*@1"}}) == "z");
    CHECK(two.hashes({.packages = {"hdf5@1.12", "zlib"}}) == "cz");
    CHECK(two.hashes({.packages = {"hdf5~mpi%clang", "hdf5 -mpi %gcc"}}) == "cd");
    CHECK(two.hashes({.packages = {"os=rhel8"}}) == "d");
    CHECK(two.hashes({.packages = {"hdf5 +mpi"}, .target = "zen3"}) == "b");

    CHECK(LookFilter(FilterWords{.packages = {"' OR 1=1 --*"}}).package_pattern() ==
          "' OR 1=1 --*");

    const LookFilter one(FilterWords{.packages = {"hdf5*"}});
    CHECK_FALSE(one.asks_for_looks());
    CHECK(one.package_pattern() == "hdf5*");
    CHECK(one.has_package("hdf5-vol"));
    CHECK_FALSE(one.has_package("zlib"));
    const LookFilter several(FilterWords{.packages = {"hdf5@1.14", "z*"}});
    CHECK(several.asks_for_looks());
    CHECK(several.package_pattern() == "*");
    CHECK(several.has_package("zlib"));
    CHECK_FALSE(several.has_package("gcc"));
    CHECK_FALSE(LookFilter().asks_for_looks());
}

TEST_CASE("A filter tells of builds that do not say whether they match") {
    TwoPackages two;
    const auto notes = [&](const FilterWords& words) {
        return AskedLooks(two.ledger.database(), LookFilter(words)).notes();
    };
    REQUIRE(notes({.compiler = "gcc"}).size() == 1);
    CHECK(notes({.compiler = "gcc"})[0].find("builds of 1 look ") != std::string::npos);
    CHECK(notes({.packages = {"hdf5 %gcc"}}).empty());
    CHECK(notes({.target = "zen3"}).empty());
}

TEST_CASE("What a filter made is gone with it") {
    TwoPackages two;
    CHECK(two.hashes({.target = "zen3"}) == "b");
    CHECK(two.ledger.value("SELECT count(*) FROM sqlite_temp_schema WHERE type = 'table'") == "0");
    CHECK(two.hashes({}) == "abcdz");
}

TEST_CASE("Reports and filters read a ledger that an earlier program made") {
    TwoPackages two;
    two.ledger.database().exec("DROP VIEW asked_looks");
    SQLite::Database database = open_for_reading(two.ledger.database().getFilename());
    const Report targets = Catalog().find("coverage/targets");
    CHECK(run_report(database, targets, {{"at", at}}).rows.size() == 2);
    const AskedLooks looks(database, LookFilter(FilterWords{.target = "zen3"}));
    CHECK(run_report(database, targets, {{"at", at}}).rows.size() == 1);
}

TEST_CASE("Reports count the builds that a filter asks for") {
    TwoPackages two;
    const FilterWords mpi = {.variants = {"+mpi"}};
    CHECK(two.rows(mpi, "coverage/targets", {{"at", at}}) ==
          Lines{"x86_64_v3|1|1|1", "zen3|1|1|1"});
    CHECK(two.rows(mpi, "coverage/summary", {{"at", at}}) == Lines{"1|1|2|2|1|2|2|1|0|0"});
    CHECK(two.rows(mpi, "coverage/matrix", {{"at", at}}) == Lines{"hdf5|2"});
    CHECK(two.rows(mpi, "coverage/packages", {{"at", at}}) == Lines{"hdf5|1|2|1|2|1"});
    CHECK(two.rows({.compiler = "clang"}, "coverage/packages", {{"at", at}}) ==
          Lines{"hdf5|1|1|1|1|1"});
    CHECK(two.rows({.os = "rhel8"}, "coverage/stacks", {{"at", at}}) ==
          Lines{"ml|1|1|1|NULL|NULL|NULL"});
    CHECK(two.rows(mpi, "sizes/packages", {{"at", at}}) == Lines{"hdf5|2|2|NULL|NULL"});
    CHECK(two.rows(mpi, "history/packages", {}) ==
          Lines{"develop|hdf5|1.14.3|2025-03-02T00:00:00Z|2025-03-02T00:00:00Z|2|2"});
    CHECK(two.rows(mpi, "history/lifetime", {})[0] == "develop|under 1 day|0|2|0|0");
}

TEST_CASE("A filter refuses what is not what it should be") {
    CHECK(refusal({.target = "zen3 +mpi"}) ==
          "--target 'zen3 +mpi': expected a target such as x86_64_v3, or x86_64_v3:");
    TwoPackages two;  // only a ledger knows some targets
    CHECK_THROWS_WITH(LookFilter(FilterWords{.target = "zen9:"}).check_names(two.ledger.database()),
                      Catch::Matchers::ContainsSubstring("expected a target that is known"));
    CHECK(refusal({.os = ""}).starts_with("--os '': expected a value behind 'os='"));
    CHECK(refusal({.variants = {"+mpi", "~mpi"}}) ==
          "--variant '~mpi': expected variant 'mpi' once");
    CHECK(refusal({.variants = {"+mpi", "api=v18", "+mpi"}}) ==
          "--variant '+mpi': expected variant 'mpi' once");
    CHECK(refusal({.variants = {"mpi"}}) ==
          "--variant 'mpi': expected a variant such as +mpi, ~mpi or build_type=Release");
    CHECK(refusal({.compiler = "gcc@"}).starts_with("--compiler 'gcc@': expected a version"));
    CHECK(refusal({.packages = {"hdf5 zlib"}}) ==
          "--package 'hdf5 zlib': expected one package, found also 'zlib'");
    CHECK(refusal({.packages = {"hdf5 target=zen3"}, .target = "zen2"})
              .starts_with("--package 'hdf5 target=zen3': expected one target"));
    for (const char* const hidden :
         {"hdf5/abc", "hdf5 ^zlib", "hdf5 cflags=-O2", "hdf5 patches=abc", "hdf5 namespace=mine",
          "hdf5 %[deptypes=build]gcc"}) {
        INFO(hidden);
        CHECK(refusal({.packages = {hidden}}) ==
              fmt::format("--package '{}': expected only what a build shows (version, variants, "
                          "compiler, os, platform, target); 'cacheledger specs' finds builds by "
                          "all that a spec can ask",
                          hidden));
    }
}

TEST_CASE("A filter answers an unknown name with the nearest") {
    TwoPackages two;
    const auto check = [&](const FilterWords& words) {
        return LookFilter(words).check_names(two.ledger.database());
    };
    CHECK_THROWS_MATCHES(check({.target = "zen33"}), UsageError,
                         Message("no target 'zen33'; did you mean 'zen3'?"));
    CHECK_THROWS_MATCHES(check({.os = "rhel88"}), UsageError,
                         Message("no operating system 'rhel88'; did you mean 'rhel8'?"));
    CHECK_THROWS_MATCHES(check({.platform = "darwin"}), UsageError,
                         Message("no platform 'darwin'; there are: linux"));
    CHECK_THROWS_MATCHES(check({.compiler = "gccc@13"}), UsageError,
                         Message("no compiler 'gccc'; did you mean 'gcc'?"));
    CHECK_THROWS_MATCHES(check({.variants = {"+mpii"}}), UsageError,
                         Message("no variant 'mpii'; did you mean 'mpi'?"));
    CHECK_THROWS_MATCHES(check({.packages = {"hdf@1.14"}}), UsageError,
                         Message("no package 'hdf'; did you mean 'hdf5'?"));
    CHECK(check({.target = "x86_64_v3:"}).empty());
    CHECK(check({.packages = {"q*@1"}}) == Lines{"no package is like 'q*'"});
}

TEST_CASE("Builds that differ only in the flags of compilers are told apart") {
    GraphLedger ledger;
    ledger.add({.stem = "a", .package = "zlib", .flags = ""});
    ledger.add({.stem = "b", .package = "zlib", .flags = "cflags=-O2 -g"});
    ledger.add({.stem = "c", .package = "hdf5", .flags = "cflags=-O3"});
    ledger.add({.stem = "d", .package = "hdf5", .recipe = "r2", .flags = "cflags=-O3"});
    ledger.add({.stem = "e", .package = "cmake"});
    ledger.add({.stem = "f", .package = "cmake", .recipe = "r2"});
    ledger.take({{"a", "b", "c", "d", "e", "f"}});
    CHECK(shown(ledger, "zlib").find("cflags=-O2 -g") != std::string::npos);
    CHECK(shown(ledger, "hdf5")
              .find("all: hdf5@1.0 linux ubuntu24.04 x86_64_v3 (no compiler) "
                    "cflags=-O3 +shared") != std::string::npos);
    CHECK(shown(ledger, "cmake").find("flags") == std::string::npos);
    CHECK(shown(ledger, "zlib cflags=-g").find("cflags=-O2 -g") != std::string::npos);

    const FoundSpecs all = found(ledger, "zlib");
    CHECK(all.builds.columns.back() == "flags");
    CHECK(all.builds.rows.at(0).back() == Value(""));
    CHECK(all.builds.rows.at(1).back() == Value("cflags=-O2 -g"));
}

TEST_CASE("Of several caches it is said which one has each build") {
    GraphLedger ledger;
    ledger.add({.stem = "a", .package = "zlib", .flags = ""});
    ledger.add({.stem = "b", .package = "zlib", .flags = "cflags=-O2"});
    ledger.add({.stem = "c", .package = "zlib", .flags = "cflags=-O3"});
    ledger.take({{"a", "b"}, {"b", "c"}});
    auto& database = ledger.database();
    FoundSpecs both = find_specs(
        database, {find_snapshot(database, "develop@0"), find_snapshot(database, "develop@1")},
        {parse_spec("zlib"), std::nullopt, 9, true});
    CHECK(both.all == 3);
    CHECK(both.snapshot == "develop@0, develop@1");
    CHECK(both.builds.columns.back() == "caches");
    std::vector<std::string> caches;
    for (const auto& row : both.builds.rows) {
        caches.push_back(to_text(row.back()));
    }
    CHECK(caches == std::vector<std::string>{"develop@0", "develop@0,develop@1", "develop@1"});
    CHECK(shown(document_of(both)).find("develop@0,develop@1") != std::string::npos);
}

TEST_CASE("An external spec is shown as one, and is no build") {
    GraphLedger ledger;
    GraphNode ssl{.stem = "ssl", .package = "openssl"};
    ssl.external_path = "/usr";
    ledger.add(ssl);
    ledger.add({.stem = "a", .package = "zlib"}).add({.stem = "b", .package = "zlib-ng"});
    ledger.take({{"ssl", "a", "b"}}, "install");
    CHECK(found(ledger, "openssl").num_builds() == 0);
    const std::string only = shown(ledger, "openssl");
    CHECK(only.starts_with("No build matches openssl at develop@0: only 1 external spec\n"));
    CHECK(only.find("/usr") != std::string::npos);
    const std::string all = shown(ledger, "target=x86_64_v3");
    CHECK(all.starts_with("2 builds match target=x86_64_v3 at develop@0, and 1 external spec\n"));
    CHECK(all.find("external") < all.find("/usr"));
    CHECK(shown(ledger, "zlib").find("external spec") == std::string::npos);

    auto& database = ledger.database();
    const FoundSpecs first = find_specs(database, find_snapshot(database, "latest"),
                                        {parse_spec("os=ubuntu24.04"), std::nullopt, 1, true});
    CHECK(first.all == 3);
    CHECK(first.external == 1);
}

TEST_CASE("Of a package that is only external that is said, and of others that they are needed") {
    GraphLedger ledger;
    GraphNode glibc{.stem = "glibc", .package = "glibc"};
    glibc.external_path = "/usr";
    ledger.add(glibc).add({"cmake", "cmake"});
    ledger.add({"app", "app", {{"glibc"}, {"cmake", "build"}}});
    ledger.take({{"app"}});
    CHECK(shown(ledger, "glibc").find("it is in no snapshot: it is external.") !=
          std::string::npos);
    CHECK(shown(ledger, "cmake").find("it is in no snapshot: other builds only depend on it.") !=
          std::string::npos);
    const auto remarks = [&](const std::string& package) {
        AskedHistory asked;
        asked.query = parse_spec(package);
        return find_history(ledger.database(), Catalog(), asked).remarks;
    };
    CHECK(remarks("glibc") == std::vector<std::string>{"It is in no snapshot: it is external."});
    CHECK(remarks("cmake") ==
          std::vector<std::string>{"It is in no snapshot: other builds only depend on it."});
}

TEST_CASE("Why nobody knows whether builds match is said as it is") {
    GraphLedger ledger;
    ledger.add({.stem = "new", .package = "zlib", .target = "zen99"});
    GraphNode page{.stem = "page", .package = "zlib"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"new", "page"}});
    CHECK(shown(ledger, "zlib target=zen2:")
              .find("1 more build may match: what the target zen99 runs is not known.") !=
          std::string::npos);
    const std::string pages = "pages do not list dependencies, flags and patches";
    CHECK(shown(ledger, "zlib ^gmake").find("1 more build may match: " + pages + ".") !=
          std::string::npos);
    auto& database = ledger.database();
    const auto remarks = [&](const std::string& list) {
        return cover_list(database, find_snapshot(database, "latest"), "list",
                          read_spec_list(list, "list"))
            .remarks;
    };
    CHECK(
        remarks("zlib target=zen2:\n") ==
        std::vector<std::string>{"1 line may be there: what the target zen99 runs is not known."});
    CHECK(remarks("zlib ^gmake\nzlib target=zen2:\n") ==
          std::vector<std::string>{"2 lines may be there: " + pages +
                                   "; what the target zen99 runs is not known."});
}

}  // namespace look_filter_test
