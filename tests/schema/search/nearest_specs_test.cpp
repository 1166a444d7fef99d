#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace nearest_specs_test {

using namespace cacheledger;

namespace {

// "HASH: WORDS" of each, with the first letter of the hash.
Lines said(const std::vector<NearSpec>& near) {
    Lines lines;
    for (const NearSpec& one : near) {
        lines.push_back(
            fmt::format("{}: {}", one.spec.hash[0], fmt::join(one.difference.words, "; ")));
    }
    return lines;
}

constexpr std::size_t digits = 5;  // of a hash

std::set<std::string> hashes_of(TempLedger& ledger, const std::vector<std::int64_t>& specs) {
    std::set<std::string> hashes;
    for (const std::int64_t spec_id : specs) {
        hashes.insert(ledger.value(fmt::format("SELECT hash FROM spec WHERE spec_id = {}", spec_id))
                          .substr(0, digits));
    }
    return hashes;
}

// What this program says, as tests/data/satisfies/answers.txt says it. Builds of which the ledger
// does not know whether they match are those that Spack says, if it has them.
std::string answer_of(TempLedger& ledger, const std::string& typed, const std::string& expected) {
    try {
        const SpecQuery query = parse_spec(typed);
        const MatchingSpecs found = matching_specs(ledger.database(), 1, query);
        std::set<std::string> hashes = hashes_of(ledger, found.specs);
        for (const std::string& hash : hashes_of(ledger, found.unknown)) {
            if (expected.find(hash) != std::string::npos) {
                hashes.insert(hash);
            }
        }
        return fmt::format("{}", fmt::join(hashes, " "));
    } catch (const SpecError&) {
        return "!";
    }
}

}  // namespace

TEST_CASE("The nearest builds of a query are those of its package that differ least") {
    TempLedger ledger;
    ledger.take(
        "2025-03-01",
        {{"hdf5",
          {{.hash = hash_of("b"), .version = "1.12.2", .variants = {"+mpi"}},
           {.hash = hash_of("c"), .version = "1.14.3", .variants = {"~mpi", "api=v18"}},
           {.hash = hash_of("d"), .version = "1.14.3", .variants = {"~mpi"}},
           {.hash = hash_of("e"), .version = "1.14.3", .os = "rhel8", .variants = {"+mpi"}}}},
         {"zlib", {{.hash = hash_of("f")}}}});
    auto& database = ledger.database();
    const std::int64_t snapshot = find_snapshot(database, "latest").id;
    const auto nearest = [&](const std::string& typed, std::size_t most) {
        return said(nearest_specs(database, snapshot, parse_spec(typed), most));
    };
    CHECK(nearest("hdf5@1.14 +mpi os=ubuntu24.04", 9) ==
          Lines{"c: ~mpi", "d: ~mpi", "b: version: 1.14 -> 1.12.2", "e: os: ubuntu24.04 -> rhel8"});
    CHECK(nearest("hdf5@1.14 +mpi os=ubuntu24.04", 1) == Lines{"c: ~mpi"});
    CHECK(nearest("mpich", 9).empty());
    CHECK(nearest("+mpi", 9).empty());

    SpecReader reader(database);
    const SpecWords wanted = reader.read(std::stoll(
        ledger.value(fmt::format("SELECT spec_id FROM spec WHERE hash = '{}'", hash_of("d")))));
    CHECK(said(nearest_specs(database, snapshot, wanted, 2)) ==
          Lines{"c: api: (none) -> v18", "b: version: 1.14.3 -> 1.12.2; +mpi"});
}

TEST_CASE("The nearest build of a query is one that can run, and one of another family the last") {
    TempLedger ledger;
    ledger.take("2025-03-01",
                {{"hdf5",
                  {{.hash = hash_of("b"), .version = "1.14.3", .target = "aarch64"},
                   {.hash = hash_of("c"), .version = "1.14.3", .os = "rhel8", .target = "zen4"},
                   {.hash = hash_of("d"), .version = "1.14.3", .target = "icelake"},
                   {.hash = hash_of("e"), .version = "1.12", .target = "x86_64_v3"}}}});
    auto& database = ledger.database();
    const auto near = said(nearest_specs(database, find_snapshot(database, "latest").id,
                                         parse_spec("hdf5@1.14 target=zen4 os=ubuntu24.04"), 9));
    CHECK(near == Lines{"e: target: zen4 -> x86_64_v3; version: 1.14 -> 1.12",
                        "d: target: zen4 -> icelake (may not run there)",
                        "c: os: ubuntu24.04 -> rhel8",
                        "b: target: zen4 -> aarch64 (another family)"});
}

TEST_CASE("The words of a spec have what its node says, if a source gave it") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {{.hash = hash_of("b")}, {.hash = hash_of("c")}}}});
    auto& database = ledger.database();
    const auto id = [&](const std::string& stem) {
        return std::stoll(
            ledger.value(fmt::format("SELECT spec_id FROM spec WHERE hash = '{}'", hash_of(stem))));
    };
    database.exec(fmt::format(R"(
        INSERT INTO recipe (recipe_id, namespace, package_hash, flags, patches, external, external_path)
        VALUES (1, 'builtin', 'x====', 'cflags=-g', '1234567', 1, '/usr');
        INSERT INTO node (spec_id, recipe_id, form, compiler_from, hash_state, build_hash, digest)
        VALUES ({}, 1, 5, 'edge', 'spliced', '{}', zeroblob(16)))",
                              id("b"), hash_of("d")));
    SpecReader reader(database);
    const SpecWords node = reader.read(id("b"));
    CHECK(node.package == "zlib");
    CHECK(node.hash == hash_of("b"));
    CHECK(node.version == "1.0");
    CHECK(node.compiler == "gcc@13.2.0");
    CHECK(node.variants == "build_system=cmake");
    CHECK(node.name_space == "builtin");
    CHECK(node.package_hash == "x====");
    CHECK(node.flags == "cflags=-g");
    CHECK(node.patches == "1234567");
    CHECK(node.external == "/usr");
    CHECK(node.spliced == hash_of("d"));
    const SpecWords page = reader.read(id("c"));
    CHECK(page.target == "x86_64_v3");
    CHECK_FALSE(page.name_space);
    CHECK_FALSE(page.flags);
    CHECK_FALSE(page.external);
    CHECK_FALSE(page.spliced);
}

TEST_CASE("The view spec_distances has the same distances as the words of two specs") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto one_of = [&](const Lines& words) { return words[random() % words.size()]; };
    PrintedPage page{"hdf5", {}};
    for (char stem = 'a'; stem <= 'z'; ++stem) {
        page.specs.push_back(
            {.hash = hash_of(std::string(1, stem)),
             .version = one_of({"1.12", "1.14", "1.14.3"}),
             .compiler = one_of({"gcc@12.1", "gcc@13.2.0", "none"}),
             .os = one_of({"rhel8", "rhel9"}),
             .target = one_of({"zen2", "zen3", "x86_64_v3", "aarch64", "zen99"}),
             .variants = {one_of({"+mpi", "~mpi"}), one_of({"api=a", "api:=a,b"}),
                          one_of({"build_system=cmake", "build_system=x", "+y"}),
                          one_of({"patches=1234567,abcdef1", "patches=1234567", "+z"})}});
    }
    TempLedger ledger;
    ledger.take("2025-03-01", {page});
    auto& database = ledger.database();
    database.exec(R"(
        INSERT INTO recipe (recipe_id, package_hash, flags, patches, external) VALUES
            (1, 'x====', '', NULL, 0), (2, 'y====', 'cflags=-g', '1234567', 0), (3, NULL, NULL, '', 0);
        INSERT INTO node (spec_id, recipe_id, form, compiler_from, hash_state, digest)
        SELECT spec_id, 1 + spec_id % 3, 5, 'edge', 'recomputed', zeroblob(16)
        FROM spec WHERE spec_id % 4 <> 0)");
    SpecReader reader(database);
    SQLite::Statement pairs(database, R"(
        SELECT wanted_id, spec_id, hash, family, system, target, version, variants, compiler, flags_or_patches,
               recipe
        FROM spec_distances)");
    int count = 0;
    while (pairs.executeStep()) {
        Difference expected;
        expected.hash = pairs.getColumn(2).getString();
        for (std::size_t i = 0; i < Difference::dependencies; ++i) {
            expected.distance[i] = pairs.getColumn(static_cast<int>(i) + 3).getUInt();
        }
        const SpecWords wanted = reader.read(pairs.getColumn(0).getInt64());
        const SpecWords spec = reader.read(pairs.getColumn(1).getInt64());
        INFO(wanted.variants.value() << " -> " << spec.variants.value());
        CHECK(difference(wanted, spec) == expected);
        ++count;
    }
    CHECK(count == 26 * 26);
}

TEST_CASE("Recorded SPECs match what they match in Spack") {
    const std::filesystem::path folder = std::filesystem::path(paths::data) / "satisfies";
    TempLedger ledger;
    std::ifstream index(folder / "index.json.gz", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(index), {}};
    load_graph(ledger, {}, read_into("recorded", bytes));
    std::ifstream file(folder / "answers.txt");
    std::size_t specs = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) {
            continue;
        }
        const std::size_t tab = line.find('\t');
        REQUIRE(tab != std::string::npos);
        const std::string typed = line.substr(0, tab);
        const std::string expected = line.substr(tab + 1);
        INFO(typed);
        CHECK(answer_of(ledger, typed, expected) == expected);
        ++specs;
    }
    CHECK(specs == 500);
}

TEST_CASE("A short hash has 7 characters, or as many as no other hash begins with") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib",
                                {{.hash = hash_of("bcdefghi")},
                                 {.hash = hash_of("bcdefghj")},
                                 {.hash = hash_of("bcdefgk")},
                                 {.hash = hash_of("z")}}}});
    HashShortener shortener(ledger.database());
    CHECK(shortener.shorten(hash_of("bcdefghi")) == "bcdefghi");
    CHECK(shortener.shorten(hash_of("bcdefghj")) == "bcdefghj");
    CHECK(shortener.shorten(hash_of("bcdefgk")) == "bcdefgk");
    CHECK(shortener.shorten(hash_of("z")) == "zaaaaaa");
}

}  // namespace nearest_specs_test
