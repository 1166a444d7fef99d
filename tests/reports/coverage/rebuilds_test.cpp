#include "reports/questions/dependents/dependents.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/sources/recipes/diffed_recipes.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/made_repository.hpp"
#include "tests/support/ledgers/shown.hpp"

namespace rebuilds_test {

using namespace cacheledger;

namespace {

/// zlib below curl (link), cmake (build) and app (over curl); tool needs none of it.
void add_all(GraphLedger& ledger) {
    ledger.add({"zlib", "zlib"}).add({"tool", "tool"});
    ledger.add({"curl", "curl", {{"zlib"}}}).add({"cmake", "cmake", {{"zlib", "build"}}});
    ledger.add({"app", "app", {{"curl", "link,run"}, {"cmake", "build"}}});
    ledger.add({.stem = "zlib2", .package = "zlib", .recipe = "r2"});
    ledger.add({"curl2", "curl", {{"zlib2"}}});
}

Lines rows_of(const ResultTable& table, std::size_t columns) {
    Lines lines;
    for (const auto& row : table.rows) {
        std::string line = to_text(row[0]);
        for (std::size_t i = 1; i < columns; ++i) {
            line += " " + to_text(row[i]);
        }
        lines.push_back(line);
    }
    return lines;
}

/// "zlib version": what a diff says of each package.
Lines changes_of(const std::string& diff) {
    const std::map<DiffedRecipe, std::string> words = {{DiffedRecipe::version, "version"},
                                                       {DiffedRecipe::other_file, "other file"},
                                                       {DiffedRecipe::recipe, "recipe"}};
    Lines lines;
    for (const auto& [package, change] : recipes_of_diff(diff, "diff").packages) {
        lines.push_back(fmt::format("{} {}", package, words.at(change)));
    }
    return lines;
}

Rebuilds rebuilds(GraphLedger& ledger, const std::string& snapshot,
                  const std::vector<ChangedRecipe>& recipes) {
    auto& database = ledger.database();
    return find_rebuilds(database, find_snapshot(database, snapshot), recipes, "Rests.");
}

}  // namespace

TEST_CASE("A recipe that changes gives what needs it new hashes, in waves") {
    Filled<GraphLedger, add_all> ledger;
    ledger.take({{"zlib:e4s", "curl:e4s", "cmake", "app:e4s,ml", "tool:ml"}});
    const Rebuilds found = rebuilds(ledger, "develop@0", {{"zlib"}});
    CHECK(rows_of(found.builds, 2) == Lines{"1 zlib", "2 cmake", "2 curl", "3 app"});
    CHECK(found.sure == 4);
    CHECK(found.may == 0);
    CHECK(found.waves == 3);
    CHECK(rows_of(found.stacks, 3) == Lines{"e4s 3 3", "ml 1 2"});
    CHECK(found.past.rows.empty());
    const Document document = document_of(found);
    CHECK(document.title ==
          "If zlib changes at develop@0: 4 builds have a new hash, in 3 waves, in 2 stacks. Size: "
          "1-10.");
}

TEST_CASE("What needs something only to build it changes only where the hash covers that") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"});
    ledger.add({.stem = "old", .package = "old", .edges = {{"zlib", "build"}}, .form = 2});
    ledger.add({.stem = "new", .package = "new", .edges = {{"zlib", "build"}}, .form = 5});
    ledger.take({{"zlib", "old", "new"}});
    CHECK(rows_of(rebuilds(ledger, "develop@0", {{"zlib"}}).builds, 2) == Lines{"1 zlib", "2 new"});
}

TEST_CASE("An added version may change builds, and another change of them surely does") {
    Filled<GraphLedger, add_all> ledger;
    ledger.take({{"zlib", "curl", "cmake", "app", "tool"}});
    const Rebuilds found =
        rebuilds(ledger, "develop@0", {{"zlib", RecipeChange::version}, {"curl"}});
    CHECK(found.sure == 2);
    CHECK(found.may == 2);
    CHECK(rows_of(found.recipes, 3) == Lines{"zlib version 4", "curl recipe 2"});
    CHECK(rebuilds(ledger, "develop@0", {{"nothing"}}).sure == 0);
}

TEST_CASE("The past of a series says when such a change came, and how much came with it") {
    Filled<GraphLedger, add_all> ledger;
    ledger.take({{"zlib", "curl"}, {"zlib", "curl", "tool"}, {"zlib2", "curl2", "tool", "cmake"}});
    const Rebuilds found = rebuilds(ledger, "develop@2", {{"zlib"}});
    CHECK(rows_of(found.past, 4) == Lines{"develop@2 1970-01-01T00:00:02Z zlib 2"});
    CHECK(found.states == 3);
    CHECK(rebuilds(ledger, "develop@1", {{"zlib"}}).past.rows.empty());
}

TEST_CASE("The size of a change is a power of ten") {
    const std::vector<std::pair<std::int64_t, std::string>> sizes = {
        {0, "0"},           {1, "1-10"},           {10, "1-10"},     {11, "11-100"},
        {1000, "101-1000"}, {10000, "1001-10000"}, {10001, "10001+"}};
    for (const auto& [builds, label] : sizes) {
        CHECK(size_label(builds) == label);
    }
}

TEST_CASE("A diff tells which recipes it touches, and where it only adds versions") {
    const std::string diff =
        "diff --git a/repos/spack_repo/builtin/packages/py_numpy/package.py "
        "b/repos/spack_repo/builtin/packages/py_numpy/package.py\n"
        "--- a/repos/spack_repo/builtin/packages/py_numpy/package.py\n"
        "+++ b/repos/spack_repo/builtin/packages/py_numpy/package.py\n"
        "@@ -10,2 +10,5 @@ class PyNumpy\n"
        " a\n"
        "+    version(\n"
        "+        \"2.0\", sha256=\"00\"\n"
        "+    )\n"
        " b\n"
        "diff --git a/repos/spack_repo/builtin/packages/zlib/package.py "
        "b/repos/spack_repo/builtin/packages/zlib/package.py\n"
        "@@ -1,2 +1,2 @@\n"
        "--- a/packages/hdf5/package.py\n"
        "+    version(\"1.3\")\n"
        " c\n"
        "diff --git a/repos/spack_repo/builtin/packages/gcc/fix.patch "
        "b/repos/spack_repo/builtin/packages/gcc/fix.patch\n"
        "new file mode 100644\n"
        "@@ -0,0 +1 @@\n"
        "+version(\"1\")\n"
        "diff --git a/README.md b/README.md\n";
    CHECK(changes_of(diff) == Lines{"gcc recipe", "py-numpy version", "zlib recipe"});
    CHECK(recipes_of_diff(diff, "diff").others == std::set<std::string>{"README.md"});
    CHECK_THROWS_AS(recipes_of_diff("hello\n", "diff"), InputError);
}

TEST_CASE("Of the files of a diff, hashes cover recipes and patches") {
    const auto file = [](const std::string& path) {
        return fmt::format("diff --git a/{0} b/{0}\n@@ -1 +1 @@\n-a\n+b\n", path);
    };
    const std::string builtin = "repos/spack_repo/builtin/";
    const std::string diff =
        file(builtin + "packages/gcc/test.c") + file(builtin + "packages/zlib/cmake.diff") +
        file(builtin + "packages/zlib/test.c") + file(builtin + "packages/package.py") +
        file(builtin + "build_systems/cmake.py");
    CHECK(changes_of(diff) == Lines{"gcc other file", "zlib recipe"});
    CHECK(
        recipes_of_diff(diff, "diff").others ==
        std::set<std::string>{builtin + "build_systems/cmake.py", builtin + "packages/package.py"});
    const RecipesOfDiff plain = recipes_of_diff(
        "--- /dev/null\t1970\n+++ packages/new/package.py\t2025\n@@ -0,0 +1 @@\n+class New:\n",
        "diff");
    CHECK(plain.packages == std::map<std::string, DiffedRecipe>{{"new", DiffedRecipe::recipe}});
    CHECK(plain.others.empty());
}

TEST_CASE("Where dependencies are not known, the numbers are the least, in every format") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"curl", "curl", {{"zlib"}}});
    ledger.add({.stem = "page", .package = "page", .is_described = false});
    ledger.take({{"zlib", "curl", "page"}});
    const Rebuilds found = rebuilds(ledger, "develop@0", {{"zlib"}});
    const Document document = document_of(found);
    const std::string title =
        "If zlib changes at develop@0: at least 2 builds have a new hash, in 2 waves. Size: 1-10 "
        "or more.";
    CHECK(document.title == title);
    CHECK(document.lines.front() == title);
    CHECK(shown(document, Format::github) ==
          "::notice title=cacheledger dependents::if zlib changes at develop@0: at least 2 builds "
          "have a new hash, in 2 waves. Size: 1-10 or more. The dependencies of 1 build of "
          "develop@0 are not known: it may change, too. Rests.\n");
    CHECK(document_of(rebuilds(ledger, "develop@0", {{"nothing"}})).title ==
          "If nothing changes at develop@0: no build is known to have a new hash.");
}

TEST_CASE("A diff without a recipe says which files were not judged") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"});
    ledger.take({{"zlib"}});
    Rebuilds found = rebuilds(ledger, "develop@0", {});
    found.not_judged.rows = {{"a.py"}};
    CHECK(document_of(found).notes.at(1) ==
          "Not judged: 1 file outside the packages: a.py. No hash covers such a file, but a build "
          "system may change what a new concretization chooses.");
    for (const char* const file : {"b", "c", "d", "e", "f", "g"}) {
        found.not_judged.rows.push_back({file});
    }
    const Document document = document_of(found);
    CHECK(document.title ==
          "If no recipe changes at develop@0: no build is known to have a new hash.");
    CHECK(document.summary ==
          "no build is known to have a new hash. Not judged: 7 files outside the packages: "
          "a.py, b, c, d, e and 2 others. No hash covers such a file, but a build system may "
          "change what a new concretization chooses. Rests.");
}

TEST_CASE("What commits of the ledger changed beside the versions that they brought is not known") {
    Filled<GraphLedger, add_all> ledger;
    ledger.take({{"zlib", "curl", "cmake", "app", "tool"}});
    SQLite::Database& database = ledger.database();
    database.exec(made_repository("2025-01-01", "2025-02-01",
                                  {{'a', "2025-01-01", "first", {"zlib"}},
                                   {'b', "2025-01-02", "zlib: add v2", {"zlib"}, {"2"}},
                                   {'c', "2025-01-03", "curl: add v3", {"curl"}, {"3"}},
                                   {'d', "2025-01-04", "curl: fix", {"curl"}}}));
    database.exec(
        made_repository("2025-01-01", "2025-02-01", {{'e', "2025-01-05", "other", {"acme.tool"}}}));
    const Rebuilds found = rebuilds(ledger, "develop@0", recipes_of_commits(database, "aa..dd"));
    CHECK(rows_of(found.recipes, 3) == Lines{"zlib version or more 4", "curl recipe 2"});
    CHECK(found.sure == 2);
    CHECK(found.may == 2);
    CHECK(document_of(found).notes.at(1) ==
          "May: the ledger has the versions that commits added, and not what else they changed.");
    CHECK(recipes_of_commits(database, "a..b").size() == 1);
    const std::vector<std::pair<std::string, std::string>> refused = {
        {"d..b", "--commits 'd..b': d comes after b; expected A..B, where B comes after A"},
        {"b..bb",
         "--commits 'b..bb': b and bb are one commit; expected A..B, where B comes after "
         "A"},
        {"a..e", "--commits 'a..e': a and e are commits of two repositories"}};
    for (const auto& [range, message] : refused) {
        CHECK_THROWS_WITH(recipes_of_commits(database, range), message);
        CHECK_THROWS_AS(recipes_of_commits(database, range), UsageError);
    }
}

}  // namespace rebuilds_test
