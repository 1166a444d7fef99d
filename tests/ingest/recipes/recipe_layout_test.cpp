#include <string>
#include <vector>

#include "ingest/sources/recipes/recipe_layout.hpp"
#include "tests/ingest/recipes/package_fixture.hpp"
#include "tests/support/catch.hpp"

namespace recipe_layout_test {

using namespace cacheledger;
using package_fixture::Packages;
using Lines = std::vector<std::string>;

TEST_CASE("The folder of a recipe names its package") {
    const auto module = [](const char* folder) {
        return package_of_folder(folder, FolderNames::modules);
    };
    CHECK(module("zlib") == "zlib");
    CHECK(module("py_numpy") == "py-numpy");
    CHECK(module("_7zip") == "7zip");
    CHECK(module("_import") == "import");
    CHECK(module("_global") == "global");
    CHECK(module("").empty());
    CHECK(module("_").empty());
    CHECK(module("a b").empty());
    const auto plain = [](const char* folder) {
        return package_of_folder(folder, FolderNames::packages);
    };
    CHECK(plain("py-numpy") == "py-numpy");
    CHECK(plain("7zip") == "7zip");
    CHECK(plain("py_x") == "py_x");
    CHECK(plain("-x").empty());
    CHECK(plain("x.y").empty());
}

TEST_CASE("Recipes are found in every layout") {
    Packages packages;
    packages.recipe("py_numpy");
    packages.recipe("_7zip", "a", "repos/spack_repo/builtin/packages/");
    packages.recipe("py_b", "b", "repos/site/packages/");
    packages.recipe("py-c", "c", "var/spack/repos/builtin.mock/packages/");
    packages.recipe("py_d", "d", "var/spack/repos/spack_repo/other/packages/");
    packages.recipe("py_e", "e", "spack_repo/mine/packages/");
    packages.recipe("py-f", "f", "packages/");
    packages.git().write("repo.yaml", "repo:\n  namespace: 'top'\n");
    packages.recipe("py_g", "g", "repos/lab/x/packages/");
    packages.git().write("repos/lab/x/repo.yaml", "repo:\n  namespace: lab.x\n  api: v2.1\n");
    packages.git().commit(100, {}, "all");
    CHECK(packages.load().recipes == 8);
    CHECK(packages.changes() == Lines{"builtin.7zip all", "builtin.py-numpy all",
                                      "builtin_mock.py-c all", "lab_x.py-g all", "mine.py-e all",
                                      "other.py-d all", "site.py_b all", "top.py-f all"});
}

TEST_CASE("A repo.yaml that can't be read says nothing") {
    for (const std::string& text :
         {std::string("repo: ["), std::string(1 << 20, 'x'), std::string(200, '['),
          std::string("repo:\n  namespace: [a]\n"), std::string("a"), std::string()}) {
        Packages packages;
        packages.recipe("py_a");
        packages.git().write("repos/spack_repo/builtin/repo.yaml", text);
        packages.git().commit(100, {}, "all");
        packages.load();
        CHECK(packages.changes() == Lines{"builtin.py-a all"});
    }
}

TEST_CASE("A package repository is told by what its HEAD has") {
    Packages packages;
    CHECK_FALSE(is_package_repository(packages.git().path()));
    packages.git().write("README", "no recipes");
    packages.git().write("packages/zlib/package.py", "no repo.yaml");
    packages.git().write("repos/x/packages/zlib/other.py", "no recipe");
    packages.git().write("stacks/README", "no list");
    packages.git().commit(100);
    CHECK_FALSE(is_package_repository(packages.git().path()));
    SECTION("recipes") {
        packages.recipe("zlib");
    }
    SECTION("lists") {
        packages.list("e4s", {"zlib"});
    }
    packages.git().commit(200);
    CHECK(is_package_repository(packages.git().path()));
    CHECK(is_package_repository(
        packages.git().clone_bare(packages.ledger().folder().path() / "bare.git")));
    CHECK_FALSE(is_package_repository(packages.git().path() + "/repos"));
    CHECK_FALSE(is_package_repository(packages.ledger().folder().path()));
    CHECK_FALSE(is_package_repository("https://example.org/packages.git"));
}

}  // namespace recipe_layout_test
