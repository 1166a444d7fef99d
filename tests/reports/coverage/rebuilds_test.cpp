#include "reports/questions/dependents/rebuilds.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "ingest/sources/recipes/diffed_recipes.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace rebuilds_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

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

Rebuilds rebuilds(GraphLedger& ledger, const std::string& snapshot,
                  const std::vector<ChangedRecipe>& recipes) {
    auto& database = ledger.database();
    return find_rebuilds(database, find_snapshot(database, snapshot), recipes, "Rests.");
}

}  // namespace

TEST_CASE("A recipe that changes gives what needs it new hashes, in waves") {
    GraphLedger ledger;
    add_all(ledger);
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
    GraphLedger ledger;
    add_all(ledger);
    ledger.take({{"zlib", "curl", "cmake", "app", "tool"}});
    const Rebuilds found = rebuilds(ledger, "develop@0", {{"zlib", true}, {"curl", false}});
    CHECK(found.sure == 2);
    CHECK(found.may == 2);
    CHECK(rows_of(found.recipes, 3) == Lines{"zlib version 4", "curl recipe 2"});
    CHECK(rebuilds(ledger, "develop@0", {{"nothing"}}).sure == 0);
}

TEST_CASE("The past of a series says when such a change came, and how much came with it") {
    GraphLedger ledger;
    add_all(ledger);
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
    Lines lines;
    for (const auto& [package, only_adds_versions] : recipes_of_diff(diff, "diff")) {
        lines.push_back(fmt::format("{} {}", package, only_adds_versions));
    }
    CHECK(lines == Lines{"gcc false", "py-numpy true", "zlib false"});
    CHECK_THROWS_AS(recipes_of_diff("hello\n", "diff"), InputError);
}

}  // namespace rebuilds_test
