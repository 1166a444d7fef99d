#include "schema/ledger/search/matching_specs.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace matching_specs_test {

using namespace cacheledger;

namespace {

/// A ledger that can be asked. Specs are named by the stems of their hashes.
class AskedLedger {
  public:
    TempLedger& ledger() { return ledger_; }

    Lines matching(const std::string& typed, const std::string& snapshot = "latest") {
        return stems(ask(typed, snapshot).specs);
    }
    Lines unknown(const std::string& typed, const std::string& snapshot = "latest") {
        return stems(ask(typed, snapshot).unknown);
    }
    MatchingSpecs ask(const std::string& typed, const std::string& snapshot = "latest") {
        auto& database = ledger_.database();
        return matching_specs(database, find_snapshot(database, snapshot).id, parse_spec(typed));
    }

    std::string id(const std::string& stem) {
        return ledger_.value(
            fmt::format("SELECT spec_id FROM spec WHERE hash = '{}'", hash_of(stem)));
    }

    /// Says that a source gave the node of a spec, with its dependencies.
    void describe(const std::string& stem, const std::string& compiler_from, const Lines& children,
                  const std::string& deptypes = "build,link", const std::string& virtuals = "") {
        auto& database = ledger_.database();
        database.exec(fmt::format(
            "INSERT OR IGNORE INTO edge_kind (deptypes, virtuals) VALUES ('{}', '{}');"
            "INSERT INTO node (spec_id, recipe_id, form, compiler_from, hash_state, digest) "
            "VALUES ({}, 1, 5, '{}', 'recomputed', zeroblob(16))",
            deptypes, virtuals, id(stem), compiler_from));
        for (const std::string& child : children) {
            add_edge(stem, child, deptypes, virtuals);
        }
    }

    void add_edge(const std::string& stem, const std::string& child, const std::string& deptypes,
                  const std::string& virtuals) {
        ledger_.database().exec(fmt::format(
            "INSERT OR IGNORE INTO edge_kind (deptypes, virtuals) VALUES ('{0}', '{1}');"
            "INSERT INTO dependency SELECT {2}, {3}, edge_kind_id FROM edge_kind "
            "WHERE deptypes = '{0}' AND virtuals = '{1}'",
            deptypes, virtuals, id(stem), id(child)));
    }

  private:
    Lines stems(const std::vector<std::int64_t>& specs) {
        Lines stems;
        for (const std::int64_t spec_id : specs) {
            const std::string hash =
                ledger_.value(fmt::format("SELECT hash FROM spec WHERE spec_id = {}", spec_id));
            stems.push_back(hash.substr(0, 1));
        }
        std::ranges::sort(stems);
        return stems;
    }

    TempLedger ledger_;
};

/// The same, with builds of two packages.
class LedgerOfHdf5 : public AskedLedger {
  public:
    LedgerOfHdf5() {
        ledger().take(
            "2025-03-01",
            {{"hdf5",
              {{.hash = hash_of("b"), .version = "1.12.2", .variants = {"~mpi", "api=default"}},
               {.hash = hash_of("c"), .version = "1.14.3", .variants = {"+mpi", "api=v18"}},
               {.hash = hash_of("d"),
                .version = "1.14.3",
                .compiler = "none",
                .variants = {"+mpi"}}}},
             {"zlib", {{.hash = hash_of("e"), .version = "1.3.1", .target = "zen2"}}}});
    }
};

}  // namespace

TEST_CASE("A query finds the specs of a snapshot that match") {
    LedgerOfHdf5 asked;
    CHECK(asked.matching("hdf5") == Lines{"b", "c", "d"});
    CHECK(asked.matching("hdf5@1.14 +mpi") == Lines{"c", "d"});
    CHECK(asked.matching("hdf5@1.14 +mpi %gcc@13") == Lines{"c"});
    CHECK(asked.unknown("hdf5@1.14 +mpi %gcc@13") == Lines{"d"});
    CHECK(asked.matching("%gcc") == Lines{"b", "c", "e"});
    CHECK(asked.matching("target=zen:") == Lines{"e"});
    CHECK(asked.matching("/c") == Lines{"c"});
    CHECK(asked.matching("hdf5/e").empty());
    CHECK(asked.matching("/" + hash_of("e")) == Lines{"e"});
    CHECK(asked.matching("mpich").empty());
    CHECK(asked.matching("*").size() == 4);
    CHECK(asked.unknown("hdf5 cflags=-O2") == Lines{"b", "c", "d"});
}

TEST_CASE("A query without a package can be asked of some packages") {
    LedgerOfHdf5 asked;
    auto& database = asked.ledger().database();
    const auto count = [&](const std::string& typed, const std::string& packages) {
        const MatchingSpecs found = matching_specs(database, find_snapshot(database, "latest").id,
                                                   parse_spec(typed), packages);
        return std::pair(found.specs.size(), found.unknown.size());
    };
    CHECK(count("%gcc", "*") == std::pair<std::size_t, std::size_t>(3, 1));
    CHECK(count("%gcc", "h*") == std::pair<std::size_t, std::size_t>(2, 1));
    CHECK(count("%gcc", "z*") == std::pair<std::size_t, std::size_t>(1, 0));
    CHECK(count("/e", "z*") == std::pair<std::size_t, std::size_t>(1, 0));
    CHECK(count("/e", "h*") == std::pair<std::size_t, std::size_t>(0, 0));
}

TEST_CASE("A query finds only what its snapshot has") {
    LedgerOfHdf5 asked;
    asked.ledger().take("2025-03-02", {{"zlib", {{.hash = hash_of("f"), .version = "1.3.1"}}}});
    CHECK(asked.matching("zlib") == Lines{"f"});
    CHECK(asked.matching("/e").empty());
    CHECK(asked.matching("/e", "latest~1") == Lines{"e"});
    CHECK(asked.matching("*", "latest~1") == Lines{"b", "c", "d", "e"});
    auto& database = asked.ledger().database();
    CHECK(matching_specs(database, parse_spec("zlib")).specs.size() == 2);
    CHECK(matching_specs(database, parse_spec("/f")).specs.size() == 1);
}

TEST_CASE("Random queries find the specs whose words match") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto one_of = [&](const Lines& words) { return words[random() % words.size()]; };
    std::vector<PrintedPage> pages;
    std::string stem = "a";
    for (const auto* const package : {"hdf5", "zlib", "mpich"}) {
        PrintedPage page{package, {}};
        for (int i = 0; i < 8; ++i) {
            ++stem[0];
            page.specs.push_back(
                {.hash = hash_of(stem),
                 .version = one_of({"1.12", "1.14", "1.14.3", "develop"}),
                 .compiler = one_of({"gcc@12.1", "gcc@=13.2.0", "none", "clang@17"}),
                 .os = one_of({"rhel8", "ubuntu22.04"}),
                 .target = one_of({"zen2", "x86_64_v3", "aarch64"}),
                 .variants = {one_of({"+mpi", "~mpi"}), one_of({"api=a", "api:=a,b", "libs=x"})}});
        }
        pages.push_back(page);
    }
    AskedLedger asked;
    asked.ledger().take("2025-03-01", pages);
    auto& database = asked.ledger().database();
    SpecReader reader(database);
    SQLite::Statement specs(database, "SELECT spec_id FROM spec ORDER BY spec_id");
    std::size_t found = 0;
    for (int i = 0; i < 60; ++i) {
        const std::string typed = one_of({"hdf5", "zlib", "", "*"}) +
                                  one_of({"", "@1.14", "@:1.13"}) + one_of({"", "+mpi", "~mpi"}) +
                                  one_of({"", " api=a", " api:=a"}) +
                                  one_of({"", " target=zen:", " os=rhel8", " target=x86_64_v2:"}) +
                                  one_of({" ", " %gcc", " %gcc@13", " %llvm"});
        INFO(typed);
        if (typed == " ") {
            continue;
        }
        const SpecQuery query = parse_spec(typed);
        MatchingSpecs expected;
        for (specs.reset(); specs.executeStep();) {
            const std::int64_t spec_id = specs.getColumn(0).getInt64();
            const Answer answer = matches(query, reader.read(spec_id));
            if (answer != Answer::no) {
                (answer == Answer::yes ? expected.specs : expected.unknown).push_back(spec_id);
            }
        }
        const MatchingSpecs actual = asked.ask(typed);
        CHECK(actual.specs == expected.specs);
        CHECK(actual.unknown == expected.unknown);
        found += actual.specs.size();
    }
    CHECK(found > 0);
}

TEST_CASE("A query for dependencies finds the specs that have them, where they are known") {
    // b -> c -> e, b -> d; f is a page's spec of which nobody gave the dependencies.
    AskedLedger asked;
    asked.ledger().take("2025-03-01", {{"app", {{.hash = hash_of("b")}, {.hash = hash_of("f")}}},
                                       {"hdf5", {{.hash = hash_of("c"), .variants = {"+mpi"}}}},
                                       {"cmake", {{.hash = hash_of("d"), .version = "3.27"}}},
                                       {"zlib", {{.hash = hash_of("e"), .version = "1.3"}}}});
    asked.ledger().database().exec(
        "INSERT INTO recipe (recipe_id, namespace, flags, external) "
        "VALUES (1, 'builtin', 'cflags=-O2', 0)");
    asked.describe("b", "nothing", {"c"});
    asked.add_edge("b", "d", "build", "");
    asked.describe("c", "nothing", {"e"}, "link", "zlib-api");
    asked.describe("d", "nothing", {});
    asked.describe("e", "nothing", {});

    CHECK(asked.matching("app ^hdf5") == Lines{"b"});
    CHECK(asked.unknown("app ^hdf5") == Lines{"f"});
    CHECK(asked.matching("^zlib@1.3") == Lines{"b", "c"});
    CHECK(asked.matching("^zlib@1.2").empty());
    CHECK(asked.matching("^hdf5~mpi").empty());
    CHECK(asked.unknown("^zlib@1.2") == Lines{"f"});
    CHECK(asked.matching("%zlib") == Lines{"c"});
    CHECK(asked.matching("app %cmake@3") == Lines{"b"});
    CHECK(asked.matching("%[deptypes=build] cmake") == Lines{"b"});
    CHECK(asked.matching("%[deptypes=link] cmake").empty());
    CHECK(asked.matching("^zlib-api=zlib") == Lines{"b", "c"});
    CHECK(asked.matching("^mpi=zlib").empty());
    CHECK(asked.matching("app ^hdf5+mpi %zlib") == Lines{"b"});
    CHECK(asked.matching("app ^cmake") == Lines{"b"});
    CHECK(asked.matching("app ^hdf5+mpi %cmake").empty());
    CHECK(asked.matching("app ^/c ^/d") == Lines{"b"});
    CHECK(asked.matching("cflags=-O2 ^zlib") == Lines{"b", "c"});
    CHECK(asked.matching("site.app").empty());
    CHECK(asked.unknown("site.app") == Lines{"f"});
}

TEST_CASE("What a dependency was built with is none of the spec, but shares what is propagated") {
    // b builds with c, c builds with d and links e
    AskedLedger asked;
    asked.ledger().take("2025-03-01",
                        {{"app", {{.hash = hash_of("b"), .variants = {"+pic"}}}},
                         {"cmake", {{.hash = hash_of("c"), .variants = {"+pic", "+ncurses"}}}},
                         {"gmake", {{.hash = hash_of("d"), .variants = {"~guile"}}}},
                         {"zlib", {{.hash = hash_of("e"), .variants = {"~pic"}}}}});
    asked.ledger().database().exec("INSERT INTO recipe (recipe_id, external) VALUES (1, 0)");
    asked.describe("b", "nothing", {"c"}, "build");
    asked.describe("c", "nothing", {"e"}, "link");
    asked.add_edge("c", "d", "build", "");
    asked.describe("d", "nothing", {});
    asked.describe("e", "nothing", {});
    CHECK(asked.matching("^cmake") == Lines{"b"});
    CHECK(asked.matching("^gmake") == Lines{"c"});
    CHECK(asked.matching("^zlib") == Lines{"c"});
    CHECK(asked.matching("%cmake +ncurses") == Lines{"b"});
    CHECK(asked.matching("%cmake ~ncurses").empty());
    CHECK(asked.matching("%cmake/c") == Lines{"b"});
    CHECK(asked.matching("++pic") == Lines{"d"});
    CHECK(asked.matching("~~guile") == Lines{"b", "c", "d", "e"});
    CHECK(asked.matching("app ^cmake %zlib") == Lines{"b"});
}

TEST_CASE("A language has no version, and those of other virtual packages are in recipes") {
    AskedLedger asked;
    asked.ledger().take("2025-03-01",
                        {{"app", {{.hash = hash_of("b")}}}, {"gcc", {{.hash = hash_of("c")}}}});
    asked.ledger().database().exec("INSERT INTO recipe (recipe_id, external) VALUES (1, 0)");
    asked.describe("b", "nothing", {"c"}, "build,link", "c,mpi");
    asked.describe("c", "nothing", {});
    for (const char* const text : {"app %c@99", "app ^c@:3", "app ^mpi"}) {
        INFO(text);
        CHECK(asked.matching(text) == Lines{"b"});
    }
    CHECK(asked.matching("app ^mpi@3").empty());
    CHECK(asked.unknown("app ^mpi@3") == Lines{"b"});
    auto& database = asked.ledger().database();
    const SpecQuery query = parse_spec("app ^mpi@3");
    CHECK(why_unknown(database, query, matching_specs(database, query).unknown) ==
          std::set<std::string>{"only recipes say which versions of mpi a package provides"});
}

TEST_CASE("A dependency of which nobody gave the dependencies may have any") {
    AskedLedger asked;
    asked.ledger().take("2025-03-01", {{"app", {{.hash = hash_of("b")}}},
                                       {"hdf5", {{.hash = hash_of("c")}}},
                                       {"zlib", {{.hash = hash_of("e")}}}});
    asked.ledger().database().exec("INSERT INTO recipe (recipe_id, external) VALUES (1, 0)");
    asked.describe("b", "nothing", {"c"});
    CHECK(asked.matching("app ^hdf5") == Lines{"b"});
    CHECK(asked.matching("app ^zlib").empty());
    CHECK(asked.unknown("app ^zlib") == Lines{"b"});
    CHECK(asked.unknown("app %zlib").empty());
}

TEST_CASE("The compilers among the dependencies of a spec count beside the one that it shows") {
    AskedLedger asked;
    asked.ledger().take("2025-03-01", {{"app",
                                        {{.hash = hash_of("b"), .compiler = "llvm@17"},
                                         {.hash = hash_of("c"), .compiler = "llvm@17"},
                                         {.hash = hash_of("f"), .compiler = "llvm@17"}}},
                                       {"gcc", {{.hash = hash_of("d"), .version = "13.2.0"}}}});
    asked.ledger().database().exec("INSERT INTO recipe (recipe_id, external) VALUES (1, 0)");
    asked.describe("b", "edge", {"d"}, "build", "fortran");
    asked.describe("c", "node", {});
    asked.describe("d", "nothing", {});
    CHECK(asked.matching("app %clang") == Lines{"b", "c", "f"});
    CHECK(asked.matching("app %gcc@13") == Lines{"b"});
    CHECK(asked.matching("app %fortran=gcc") == Lines{"b"});
    CHECK(asked.matching("app %c=gcc").empty());
    CHECK(asked.matching("app %gcc@12").empty());
    CHECK(asked.unknown("app %gcc@13").empty());
}

}  // namespace matching_specs_test
