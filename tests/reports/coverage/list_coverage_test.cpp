#include <fmt/format.h>

#include "reports/questions/coverage/coverage.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/wishes/wanted_builds.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace list_coverage_test {

using namespace cacheledger;

namespace {

void add_builds(GraphLedger& ledger) {
    ledger.add({"glibc", "glibc"});
    ledger.add({.stem = "hdf", .package = "hdf5", .edges = {{"glibc"}}, .version = "1.14.3"});
    ledger.add({.stem = "off", .package = "hdf5", .version = "1.12", .variants = "~shared"});
    GraphNode page{.stem = "page", .package = "zlib", .version = "1.3"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"hdf", "page"}, {"off"}});
}

Coverage cover(GraphLedger& ledger, const std::string& text,
               const std::string& snapshot = "develop@0") {
    auto& database = ledger.database();
    return cover_list(database, find_snapshot(database, snapshot), "list",
                      read_spec_list(text, "list"));
}

/// "2 zlib@9: page version: 9 -> 1.3": line, text, the nearest and what differs.
Lines missing(const Coverage& coverage) {
    Lines lines;
    for (const auto& row : coverage.missing.rows) {
        lines.push_back(fmt::format("{} {}: {} {}", to_text(row[8]), to_text(row[9]),
                                    to_text(row[6]).substr(0, 4), to_text(row[7])));
    }
    return lines;
}

}  // namespace

TEST_CASE("Of a list each line is one wanted spec, which a matching build covers") {
    Filled<GraphLedger, add_builds> ledger;
    const Coverage coverage = cover(ledger,
                                    "hdf5@1.14 +shared\n# none\nhdf5 ~shared\nhdf5 ^glibc\n"
                                    "zlib@9\nnowhere@1:\n");
    CHECK(coverage.runtime.specs == 5);
    CHECK(coverage.runtime.covered == 2);
    CHECK(coverage.runtime.percent() == 40.0);
    CHECK_FALSE(coverage.all);
    CHECK(missing(coverage) == Lines{"3 hdf5 ~shared: " + hash_of("hdf").substr(0, 4) + " +shared",
                                     "5 zlib@9: page version: 9 -> 1.3", "6 nowhere@1::  "});
    CHECK(coverage.missing.rows[0][0] == Value("hdf5"));
    CHECK(is_null(coverage.missing.rows[0][1]));
    CHECK(coverage.missing.rows[2][2] == Value("1:"));
    CHECK(coverage.remarks.empty());
}

TEST_CASE("A line of which it is not known whether a build matches is neither there nor missing") {
    Filled<GraphLedger, add_builds> ledger;
    const Coverage coverage = cover(ledger, "zlib ^glibc\nzlib cflags=-g\nzlib\n");
    CHECK(coverage.runtime.specs == 3);
    CHECK(coverage.runtime.covered == 1);
    CHECK(coverage.missing.rows.empty());
    REQUIRE(coverage.undecided.rows.size() == 2);
    CHECK(coverage.undecided.rows[1] ==
          std::vector<Value>{std::int64_t{2}, "zlib cflags=-g", std::int64_t{1}});
    REQUIRE(coverage.remarks.size() == 1);
    CHECK(coverage.remarks[0].starts_with("2 lines may be there: pages do not list dependencies"));
}

TEST_CASE("What a spack.yaml leaves out counts as not there, and what it requires is told") {
    Filled<GraphLedger, add_builds> ledger;
    SpecList wanted;
    wanted.specs = {{.line = 2, .text = "zlib", .query = parse_spec("zlib"), .is_wish = true},
                    {.line = 3,
                     .text = "hdf5",
                     .query = parse_spec("hdf5"),
                     .is_wish = true,
                     .conditions = parse_conditions(R"([{"one_of":["@9","@8"]}])")}};
    wanted.left_out = {{4, "specs: '$a' is not defined above: left out", true}};
    auto& database = ledger.database();
    const Coverage coverage =
        cover_list(database, find_snapshot(database, "develop@0"), "spack.yaml", wanted);
    CHECK(coverage.runtime.specs == 3);
    CHECK(coverage.runtime.covered == 1);
    REQUIRE(coverage.undecided.rows.size() == 1);
    CHECK(coverage.undecided.rows[0] ==
          std::vector<Value>{std::int64_t{4}, wanted.left_out[0].detail, Value()});
    CHECK(coverage.remarks == Lines{"1 entry can't be read or judged, and counts as not there."});
    REQUIRE(coverage.missing.rows.size() == 1);
    CHECK(coverage.missing.rows[0][column_of(coverage.missing, "requires")] ==
          Value("one of: @9, @8"));
    CHECK(coverage.missing.rows[0][7] == Value("required: one of: @9, @8"));
}

TEST_CASE("A build counts only if what it links and runs is as a spack.yaml requires") {
    GraphLedger ledger;
    ledger.add({.stem = "mom", .package = "mom5", .version = "2025.05"});
    ledger.add({.stem = "mpi", .package = "openmpi", .version = "5.0"});
    ledger.add({.stem = "lib", .package = "lib", .edges = {{"mom"}, {"mpi", "link", "mpi"}}});
    ledger.add({.stem = "root", .package = "access", .edges = {{"lib", "run"}}});
    ledger.add({.stem = "tool", .package = "tool", .edges = {{"mom", "build"}}});
    GraphNode page{.stem = "page", .package = "zlib"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"root", "tool", "page"}});
    auto& database = ledger.database();
    // "access" if it is there, "access?" if that is not known.
    const auto cover_with = [&](const std::string& packages) {
        const WishList list =
            read_wish_list("spack:\n  specs: [access, tool, zlib]\n  packages: " + packages + "\n",
                           "spack.yaml", {{}, true});
        SpecList wanted;
        for (const Wish& wish : list.wishes) {
            wanted.specs.push_back({wish.line, wish.spec, wish.query, false, true, wish.conditions,
                                    wish.of_dependencies});
        }
        return cover_list(database, find_snapshot(database, "develop@0"), "spack.yaml", wanted);
    };
    const auto answers = [&](const std::string& packages) {
        const Coverage coverage = cover_with(packages);
        return fmt::format("{} of {}, {} not known", coverage.runtime.covered,
                           coverage.runtime.specs, coverage.undecided.rows.size());
    };
    CHECK(answers("{mom5: {require: '@2025'}}") == "2 of 3, 1 not known");
    CHECK(answers("{mom5: {require: '@2026'}}") == "1 of 3, 1 not known");
    CHECK(answers("{mom5: {conflict: '@2025'}}") == "1 of 3, 1 not known");
    CHECK(answers("{mom5: {require: [{spec: '@2026', when: +x}]}}") == "2 of 3, 1 not known");
    CHECK(answers("{mom5: {require: [{one_of: ['@2026', '@2025']}]}}") == "2 of 3, 1 not known");
    CHECK(answers("{mpi: {require: openmpi}}") == "2 of 3, 1 not known");
    CHECK(answers("{mpi: {require: [mpich, openmpi@4]}}") == "1 of 3, 1 not known");
    CHECK(answers("{gcc: {require: '@99'}, c: {require: llvm}}") == "3 of 3, 0 not known");
    const Coverage coverage = cover_with("{mom5: {require: '@2026'}}");
    CHECK(missing(coverage) ==
          Lines{"2 access: " + hash_of("root").substr(0, 4) + " required of mom5: @2026"});
}

TEST_CASE("Where it is not known what a spack.yaml includes, nothing is surely there") {
    Filled<GraphLedger, add_builds> ledger;
    SpecList wanted;
    wanted.specs = {{.line = 2, .text = "zlib", .query = parse_spec("zlib"), .is_wish = true},
                    {.line = 3, .text = "none", .query = parse_spec("none"), .is_wish = true}};
    wanted.not_read = "What it includes is not read: ci.";
    auto& database = ledger.database();
    const Coverage coverage =
        cover_list(database, find_snapshot(database, "develop@0"), "spack.yaml", wanted);
    CHECK(coverage.runtime.covered == 0);
    CHECK(coverage.undecided.rows.size() == 1);
    CHECK(coverage.missing.rows.size() == 1);
    const std::string sentence =
        "What it includes is not read: ci. It may require more, so that no spec is surely there.";
    CHECK(coverage.remarks == Lines{sentence});
    const Document document = document_of(coverage, {.least = 0});
    REQUIRE(document.gates.size() == 1);
    CHECK(document.gates[0].has_failed);
    CHECK(document.gates[0].message ==
          "0.0 % is not less than --fail-under 0: 0 of 2 specs are there. " + sentence +
              " No gate passes then.");
}

TEST_CASE("Of a dependency that is asked, what a build has instead is said") {
    GraphLedger ledger;
    ledger.add({.stem = "gcc", .package = "gcc", .version = "12.3.0"});
    ledger.add({.stem = "llvm", .package = "llvm", .version = "17.0.6"});
    ledger.add({.stem = "zlib", .package = "zlib", .version = "1.3"});
    ledger.add({.stem = "mpi",
                .package = "openmpi",
                .edges = {{"zlib"}, {"gcc", "build", "c,cxx"}},
                .version = "4.1.6"});
    ledger.add(
        {.stem = "hdf",
         .package = "hdf5",
         .edges = {{"mpi", "link", "mpi"}, {"gcc", "build", "fortran"}, {"llvm", "build", "c"}},
         .compiler = "llvm@17.0.6",
         .compiler_from = "edge"});
    ledger.take({{"hdf"}});
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"hdf5 ^openmpi@5", "^openmpi: 5 -> 4.1.6"},
        {"hdf5 %openmpi@5+x", "%openmpi: 5 -> 4.1.6, x: true -> (none)"},
        {"hdf5 %c=gcc ^openmpi@5", "%c: gcc -> llvm@17.0.6; ^openmpi: 5 -> 4.1.6"},
        {"hdf5 ^mpich", "^mpich: not among its dependencies"},
        {"hdf5 %zlib", "%zlib: not among its direct dependencies"},
        {"hdf5 ^mpi=mpich", "^mpi: mpich -> openmpi@4.1.6"},
        {"hdf5 ~shared ^mpi", "+shared"},
        {"hdf5 ^blas", "^blas: not among its dependencies"},
        {"hdf5 %gcc@13", "%gcc: 13 -> 12.3.0"},
        {"hdf5 %llvm@16", "compiler: llvm@16 -> llvm@17.0.6"},
        {"hdf5 %intel-oneapi-compilers", "compiler: intel-oneapi-compilers -> llvm@17.0.6"},
        {"hdf5 ^openmpi ^zlib@1.2", "^zlib: 1.2 -> 1.3"},
        {"hdf5 %[deptypes=run] openmpi", "%[deptypes=run]openmpi: needed for link"},
        {"hdf5 ^[virtuals=blas] openmpi", "^blas=openmpi: used for mpi"},
        {"hdf5 ^openmpi target=zen4", "^openmpi: target: zen4 -> x86_64_v3"},
    };
    for (const auto& [line, words] : expected) {
        INFO(line);
        const Coverage coverage = cover(ledger, line);
        REQUIRE(coverage.missing.rows.size() == 1);
        CHECK(to_text(coverage.missing.rows[0][7]) == words);
    }
    // As in Spack, no variant is asked of what provides a virtual package.
    CHECK(cover(ledger, "hdf5 ^mpi\nhdf5 ^mpi=openmpi\nhdf5 %mpi\nhdf5 ^mpi ~shared\n")
              .runtime.covered == 4);
}

TEST_CASE("Of a hash whose look the cache has, the packages that both use otherwise are said") {
    GraphLedger ledger;
    ledger.add({.stem = "old", .package = "zlib", .version = "1.2"});
    ledger.add({.stem = "new", .package = "zlib", .version = "1.3"});
    ledger.add({.stem = "hdfa", .package = "hdf5", .edges = {{"old"}}});
    ledger.add({.stem = "hdfb", .package = "hdf5", .edges = {{"new"}}});
    ledger.take({{"hdfa"}});
    CHECK(missing(cover(ledger, hash_of("hdfb"))) ==
          Lines{"1 " + hash_of("hdfb") + ": hdfa dependencies: zlib"});
}

TEST_CASE("A build without known dependencies may have each that is asked") {
    Filled<GraphLedger, add_builds> ledger;
    CHECK(
        missing(cover(ledger, "zlib@9 ^openmpi@5")) ==
        Lines{
            "1 zlib@9 ^openmpi@5: page version: 9 -> 1.3; ^openmpi@5: dependencies are not known"});
}

TEST_CASE("Of builds that are as near, the one with the dependency that is asked is nearest") {
    GraphLedger ledger;
    ledger.add({.stem = "old", .package = "zlib", .version = "1.2"});
    ledger.add({.stem = "new", .package = "zlib", .version = "1.3"});
    ledger.add({.stem = "hdfa", .package = "hdf5", .edges = {{"old"}}});
    ledger.add({.stem = "hdfb", .package = "hdf5", .edges = {{"new"}}});
    ledger.take({{"hdfa", "hdfb"}});
    CHECK(missing(cover(ledger, "hdf5@9 ^zlib@1.3")) ==
          Lines{"1 hdf5@9 ^zlib@1.3: hdfb version: 9 -> 1.0"});
}

TEST_CASE("Each spec of a tree is wanted by its hash, however it spells its options") {
    Filled<GraphLedger, add_builds> ledger;
    const std::string hdf = hash_of("hdf").substr(0, 7);
    const std::string page = hash_of("page").substr(0, 7);
    const Coverage coverage = cover(ledger, "[+]  " + hdf +
                                                "  hdf5@1.14.3 patches=abc1234\n[e]  abcdefg      "
                                                "^glibc@2.35\n -   " +
                                                page + "      ^zlib@1.3 cflags=-g\n -   " + hdf +
                                                "      ^hdf5@1.14.3\n -   bcdefgh      ^gmake@4\n");
    CHECK(coverage.runtime.specs == 3);
    CHECK(coverage.runtime.covered == 2);
    CHECK(coverage.external == 1);
    CHECK(coverage.remarks == Lines{"1 external spec is left out."});
    CHECK(missing(coverage) == Lines{"5 bcdefgh gmake@4:  "});
    CHECK(coverage.undecided.rows.empty());
}

TEST_CASE("What the ledger knows as external only is left out of a list that does not mark it") {
    GraphLedger ledger;
    GraphNode gcc{.stem = "gcc", .package = "gcc", .version = "12.2.0"};
    gcc.external_path = "/usr";
    GraphNode ssl{.stem = "ssl", .package = "openssl", .version = "3.0"};
    ssl.external_path = "/usr";
    ledger.add(gcc).add(ssl);
    ledger.add({.stem = "built", .package = "openssl", .version = "3.0"});
    ledger.add({.stem = "hdf", .package = "hdf5", .edges = {{"gcc", "build"}, {"ssl"}, {"built"}}});
    ledger.take({{"hdf"}});
    const auto external = [&](const std::string& text) {
        SpecList list = read_spec_list(text, "list");
        leave_out_externals(ledger.database(), list);
        return list.external;
    };
    const std::string header = "-- linux-ubuntu24.04-x86_64_v3 / no compilers --\n";
    CHECK(external(header + hash_of("gcc").substr(0, 7) + " gcc@12.2.0\n") == 1);
    CHECK(external("gcc/" + hash_of("gcc") + "\n/" + hash_of("hdf") + "\n") == 1);
    CHECK(external(header + "gcc@12.2.0  gcc@12.2  hdf5@1.0\n") == 1);
    CHECK(external("$ spack find --no-groups\ngcc@12.2.0\n") == 1);
    // Another system, and what a user asks for.
    CHECK(external("-- linux-rhel8-zen2 / no compilers --\ngcc@12.2.0\n") == 0);
    CHECK(external("gcc@12.2.0\n") == 0);
    // One is built by Spack.
    CHECK(external(header + "openssl@3.0\n") == 0);
    CHECK(external("/" + hash_of("ssl") + "\n") == 1);
}

TEST_CASE("A gate fails where a list has lines that can't be read") {
    Filled<GraphLedger, add_builds> ledger;
    const Coverage coverage = cover(ledger, "hdf5@1.14\nzlib\nzlib@@1\n");
    CHECK(coverage.runtime.specs == 3);
    CHECK(coverage.remarks == Lines{"1 entry can't be read or judged, and counts as not there."});
    const Document document = document_of(coverage, {.least = 50});
    REQUIRE(document.gates.size() == 1);
    CHECK(document.gates[0].has_failed);
    CHECK(
        document.gates[0].message ==
        "66.6 % is not less than --fail-under 50: 2 of 3 specs are there. 1 entry can't be read or "
        "judged, and counts as not there. No gate passes then.");
}

TEST_CASE(
    "A line with a hash is covered by that build only, and what the ledger knows of it is used") {
    Filled<GraphLedger, add_builds> ledger;
    const std::string off = hash_of("off");
    const std::string hdf = hash_of("hdf");
    const Coverage coverage = cover(ledger, hdf + "\n/hdf\n" + off + "\nhdf5@1.14.3/" + off + "\n");
    CHECK(coverage.runtime.covered == 2);
    const std::string near = hdf.substr(0, 4);
    CHECK(missing(coverage) ==
          Lines{"3 " + off + ": " + near + " version: 1.12 -> 1.14.3; +shared",
                "4 hdf5@1.14.3/" + off + ": " + near + " hash: " + off + " -> " + hdf});
    CHECK(coverage.missing.rows[0][1] == Value(off));
}

TEST_CASE("Of specs that nothing matches, those are said that Spack before 1.0 read otherwise") {
    GraphLedger ledger;
    ledger.add({.stem = "gcc", .package = "gcc", .version = "12.2.0", .variants = "~shared"});
    ledger.add({.stem = "hdf",
                .package = "hdf5",
                .edges = {{"gcc", "build", "c"}},
                .compiler = "gcc@12.2.0",
                .compiler_from = "edges"});
    ledger.take({{"hdf", "gcc"}});
    CHECK(cover(ledger, "hdf5 %gcc +shared\nhdf5 +shared %gcc\nhdf5 %gcc@12 +shared\n").remarks ==
          Lines{"Before Spack 1.0 'hdf5 %gcc +shared' asked for 'hdf5 +shared %gcc', which 1 build "
                "matches; so it was with 1 more spec."});
    CHECK(cover(ledger, "hdf5 +shared %gcc\nhdf5 %gcc +other\n").remarks.empty());
    SECTION("printed texts are read as they were printed") {
        CHECK(cover(ledger, "[+] hdf5@9%gcc@12.2.0+shared arch=linux-rhel8-x86_64_v3\n")
                  .remarks.empty());
    }
}

TEST_CASE("Of a spliced dependency the spec that was built has to be in the mirror") {
    GraphLedger ledger;
    ledger.add({"built", "zlib"});
    ledger.add({.stem = "spliced", .package = "zlib", .build_hash = hash_of("built")});
    ledger.add({.stem = "curl", .package = "curl", .edges = {{"spliced"}}});
    ledger.add({"gone", "libpng"});
    ledger.add({.stem = "plot", .package = "gnuplot", .edges = {{"gone"}}});
    ledger.take({{"built", "curl", "plot"}, {"curl"}});
    ledger.database().exec(
        "INSERT INTO finding (snapshot_id, kind, detail) SELECT snapshot_id, 'binary-missing', "
        "'libpng@1.0/' || '" +
        hash_of("gone") + "' FROM snapshot");
    const std::string list = "curl\ngnuplot\n";
    CHECK(cover(ledger, list).runtime.covered == 1);
    CHECK(cover(ledger, list, "develop@1").runtime.covered == 0);
}

TEST_CASE("A line of a list is there if any of several caches has it") {
    GraphLedger ledger;
    ledger.add({.stem = "hdf", .package = "hdf5", .version = "1.14"});
    ledger.add({.stem = "old", .package = "hdf5", .version = "1.10"});
    ledger.add({.stem = "zl", .package = "zlib", .version = "1.3"});
    ledger.take({{"old", "zl"}, {"hdf", "zl"}});
    auto& database = ledger.database();
    const std::vector<Snapshot> then = {find_snapshot(database, "develop@1")};
    const Coverage coverage =
        cover_list(database, find_snapshot(database, "develop@0"), "list",
                   read_spec_list("hdf5@1.14\nzlib\nhdf5@1.12\n", "list"), then);
    CHECK(coverage.runtime.covered == 2);
    Lines shares;
    for (const CacheShare& one : coverage.caches) {
        shares.push_back(fmt::format("{} {} {}", one.snapshot, one.covered, one.adds));
    }
    CHECK(shares == Lines{"develop@0 1 1", "develop@1 2 1"});
    REQUIRE(coverage.there.rows.size() == 2);
    CHECK(to_text(coverage.there.rows[0][2]) == "develop@1");
    CHECK(to_text(coverage.there.rows[1][2]) == "develop@0");
    REQUIRE(coverage.missing.rows.size() == 1);
    CHECK(to_text(coverage.missing.rows[0][9]) == "hdf5@1.12");
}

}  // namespace list_coverage_test
