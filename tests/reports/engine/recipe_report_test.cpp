#include <fmt/format.h>

#include <string>

#include "ingest/runs/packages/package_repositories.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace recipe_report_test {

using namespace cacheledger;

namespace {

/// A package repository with these namespaces. Each has recipes with these bodies.
class Recipes {
  public:
    Recipes(GraphLedger& graph, const std::string& folder)
        : graph_(graph), repository_(graph.ledger().folder().path() / folder) {}

    void write(const std::string& folder, const std::string& body,
               const std::string& name_space = "builtin") {
        repository_.write(path(folder, name_space), "class Some(Package):\n" + body);
    }
    void remove(const std::string& folder) { repository_.remove(path(folder, "builtin")); }

    void load(std::int64_t time) {
        repository_.commit(time);
        ingest_package_repositories(graph_.database(), {{repository_.path()}, 1}, no_progress);
    }

  private:
    static std::string path(const std::string& folder, const std::string& name_space) {
        return fmt::format("repos/spack_repo/{}/packages/{}/package.py", name_space, folder);
    }

    GraphLedger& graph_;
    git_fixture::Repository repository_;
};

std::string version(const std::string& text, const std::string& more = "") {
    return fmt::format("    version('{}'{})\n", text, more);
}

Lines disowned(GraphLedger& graph, const std::string& snapshot = "develop@0",
               const std::string& package = "*") {
    return report_rows(graph.ledger(), "audit/recipes", {{"at", snapshot}, {"package", package}});
}

}  // namespace

// audit/recipes: package|version|namespace|reason|condition|builds

TEST_CASE("Builds are disowned by recipes that are gone, or no longer have or give their version") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "zlib", .version = "1.3"});
    graph.add({.stem = "b", .package = "zlib", .version = "1.2"});
    graph.add({.stem = "c", .package = "zlib", .version = "1.2", .target = "zen4"});
    graph.add({.stem = "d", .package = "zlib", .version = "1.1"});
    graph.add({.stem = "e", .package = "left", .version = "2"});
    graph.add({.stem = "f", .package = "never", .version = "2"});
    graph.add({.stem = "g", .package = "cuda", .version = "9"});
    graph.add({.stem = "h", .package = "cuda", .version = "8"});
    graph.add({.stem = "q", .package = "fine", .version = "1"});
    graph.take({{"a", "b", "c", "d", "e", "f", "g", "h", "q"}, {"a", "c"}});
    CHECK(disowned(graph).empty());  // without a repository
    Recipes recipes(graph, "packages");
    recipes.write("zlib", version("1.3") + version("1.2") + version("1.1"));
    recipes.write("left", version("2"));
    recipes.write("fine", version("1"));
    recipes.write("cuda", version("9") + version("8"));
    recipes.load(100);
    CHECK(disowned(graph) == Lines{"never|2|builtin|package gone|NULL|1"});
    recipes.write("zlib", version("1.3") + version("1.1", ", deprecated=True"));
    recipes.remove("left");
    recipes.write("cuda", version("9") +
                              "    redistribute(source=False, binary=False)\n"
                              "    redistribute(binary=False, when='@8 +x')\n");
    recipes.load(200);
    CHECK(disowned(graph) ==
          Lines{"cuda|8|builtin|not redistributable|NULL|1",
                "cuda|8|builtin|perhaps not redistributable|@8 +x|1",
                "cuda|8|builtin|version gone|NULL|1", "cuda|9|builtin|not redistributable|NULL|1",
                "cuda|9|builtin|perhaps not redistributable|@8 +x|1",
                "left|2|builtin|package gone|NULL|1", "never|2|builtin|package gone|NULL|1",
                "zlib|1.1|builtin|version deprecated|NULL|1",
                "zlib|1.2|builtin|version gone|NULL|2"});
    CHECK(disowned(graph, "develop@1") == Lines{"zlib|1.2|builtin|version gone|NULL|1"});
    CHECK(disowned(graph, "develop@0", "l*") == Lines{"left|2|builtin|package gone|NULL|1"});
}

TEST_CASE("Versions that differ only in separators are one version") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "zlib", .version = "1_8_0"});
    graph.add({.stem = "b", .package = "zlib", .version = "1.8-1"});
    graph.add({.stem = "c", .package = "zlib", .version = "1.9"});
    graph.add({.stem = "d", .package = "zlib", .version = "2_0"});
    graph.add({.stem = "e", .package = "zlib", .version = "180"});
    graph.add({.stem = "f", .package = "left", .version = "3-1", .is_described = false});
    graph.take({{"a", "b", "c", "d", "e", "f"}});
    Recipes recipes(graph, "packages");
    recipes.write("zlib", version("1_8_0") + version("1.8.1") + version("1-9") + version("2_0") +
                              version("180"));
    recipes.write("left", version("3_1"));
    recipes.load(100);
    CHECK(disowned(graph).empty());
    recipes.remove("left");
    recipes.write("zlib", version("1-8.0") + version("1_8_1", ", deprecated=True") +
                              version("2.0", ", deprecated=True") + version("2-0"));
    recipes.load(200);
    CHECK(disowned(graph) == Lines{"left|3-1|builtin|package gone|NULL|1",
                                   "zlib|1.8-1|builtin|version deprecated|NULL|1",
                                   "zlib|1.9|builtin|version gone|NULL|1",
                                   "zlib|180|builtin|version gone|NULL|1"});
}

TEST_CASE("A restriction with a condition says that a build is perhaps not redistributable") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "cuda", .version = "9"});
    graph.take({{"a"}});
    Recipes recipes(graph, "packages");
    recipes.write("cuda", version("9") + "    redistribute(binary=False, when='@1:2')\n" +
                              "    redistribute(binary=False, when=is_old('@1'))\n" +
                              "    redistribute(binary=is_open)\n");
    recipes.load(100);
    CHECK(disowned(graph) ==
          Lines{"cuda|9|builtin|perhaps not redistributable|@1:2|1",
                "cuda|9|builtin|perhaps not redistributable|Python: binary=is_open|1",
                "cuda|9|builtin|perhaps not redistributable|Python: is_old('@1')|1"});
}

TEST_CASE("An overlay with one package of a namespace does not hide the packages of another") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "zlib", .version = "1.0"});
    graph.add({.stem = "b", .package = "left", .version = "2.0"});
    graph.add({.stem = "c", .package = "never", .version = "3.0"});
    graph.take({{"a", "b", "c"}});
    Recipes recipes(graph, "packages");
    recipes.write("zlib", version("1.0"));
    recipes.write("left", version("2.0", ", deprecated=True"));
    recipes.load(100);
    Recipes overlay(graph, "overlay");
    overlay.write("zlib", version("1.0", ", deprecated=True"));
    overlay.load(200);
    CHECK(disowned(graph) == Lines{"left|2.0|builtin|version deprecated|NULL|1",
                                   "never|3.0|builtin|package gone|NULL|1",
                                   "zlib|1.0|builtin|version deprecated|NULL|1"});
    recipes.remove("left");
    recipes.load(300);
    CHECK(disowned(graph) ==
          Lines{"left|2.0|builtin|package gone|NULL|1", "never|3.0|builtin|package gone|NULL|1"});
}

TEST_CASE("What Spack builds without a version in the recipe is not disowned") {
    GraphLedger graph;
    const Lines versions = {"git.main=1.2", "git.0a1b2c=develop",
                            "main=1.2",     "0123456789abcdef0123456789abcdef01234567",
                            "1.2.99",       "develop"};
    Lines stems;
    for (const std::string& one : versions) {
        stems.push_back(fmt::format("{}", static_cast<char>('a' + stems.size())));
        graph.add({.stem = stems.back(), .package = "zlib", .version = one});
    }
    graph.add({.stem = "x",
               .package = "zlib",
               .version = "1.0",
               .recipe = "r2",
               .external_path = "/usr"});
    graph.add({.stem = "y", .package = "gone", .recipe = "r2", .external_path = "/usr"});
    stems.insert(stems.end(), {"x", "y"});
    graph.take({stems});
    Recipes recipes(graph, "packages");
    recipes.write("zlib", version("1.2") + version("1.0"));
    recipes.load(100);
    recipes.write("zlib", version("1.2") + version("develop"));
    recipes.load(200);
    CHECK(disowned(graph).empty());
    recipes.write("zlib", version("1.2"));
    recipes.load(300);
    CHECK(disowned(graph) == Lines{"zlib|develop|builtin|version gone|NULL|1"});
}

TEST_CASE("A recipe whose versions are not all known disowns none that it may have") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "zlib", .version = "1.1"});
    graph.add({.stem = "b", .package = "zlib", .version = "1.0"});
    graph.take({{"a", "b"}});
    Recipes recipes(graph, "packages");
    recipes.write("zlib", version("1.1") + version("1.0"));
    recipes.load(100);
    recipes.write("zlib", version("1.0", ", deprecated=True") + "    for v in all: version(v)\n");
    recipes.load(200);
    CHECK(disowned(graph) == Lines{"zlib|1.0|builtin|version deprecated|NULL|1"});
    recipes.write("zlib", version("1.0", ", deprecated=is_old"));
    recipes.load(300);
    CHECK(disowned(graph) == Lines{"zlib|1.1|builtin|version gone|NULL|1"});
}

TEST_CASE("A build is judged by the recipes of its namespace, of the newest head") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "zlib", .version = "1.0"});
    graph.add({.stem = "b", .package = "zlib", .version = "1.0", .recipe = "site"});
    graph.add({.stem = "c", .package = "zlib", .version = "1.0", .recipe = "other"});
    graph.take({{"a", "b", "c"}});
    for (const std::string name : {"site", "other"}) {
        graph.database().exec(
            fmt::format("UPDATE recipe SET namespace = '{0}' WHERE package_hash = '{0}'", name));
    }
    Recipes recipes(graph, "packages");
    recipes.write("zlib", version("1.0"));
    recipes.write("zlib", version("1.0", ", deprecated=True"), "site");
    recipes.load(100);
    CHECK(disowned(graph) == Lines{"zlib|1.0|site|version deprecated|NULL|1"});
    Recipes newer(graph, "newer");
    newer.write("zlib", "    redistribute(binary=False)\n" + version("1.0"));
    newer.load(200);
    CHECK(disowned(graph) == Lines{"zlib|1.0|builtin|not redistributable|NULL|1",
                                   "zlib|1.0|site|version deprecated|NULL|1"});
    recipes.write("other", version("1"));
    recipes.load(300);
    CHECK(disowned(graph) == Lines{"zlib|1.0|site|version deprecated|NULL|1"});
}

TEST_CASE("A build of a page is judged where only one namespace has its package") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "zlib", .version = "1.0", .is_described = false});
    graph.add({.stem = "b", .package = "left", .version = "1.0", .is_described = false});
    graph.add({.stem = "c", .package = "left", .version = "4.9", .is_described = false});
    graph.add({.stem = "d", .package = "unknown", .is_described = false});
    graph.take({{"a", "b", "c", "d"}});
    Recipes recipes(graph, "packages");
    recipes.write("zlib", version("1.0", ", deprecated=True"));
    recipes.write("left", version("1.0"));
    recipes.load(100);
    recipes.remove("left");
    recipes.write("fine", version("1"), "site");
    recipes.load(200);
    CHECK(disowned(graph) == Lines{"left|1.0|builtin|package gone|NULL|1",
                                   "zlib|1.0|builtin|version deprecated|NULL|1"});
    recipes.write("zlib", version("1.0"), "site");
    recipes.load(300);
    CHECK(disowned(graph) == Lines{"left|1.0|builtin|package gone|NULL|1"});
}

}  // namespace recipe_report_test
