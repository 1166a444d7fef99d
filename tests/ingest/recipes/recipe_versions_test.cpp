#include <string>
#include <vector>

#include "ingest/sources/recipes/diffed_recipes.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"
#include "ingest/sources/recipes/recipe_text.hpp"
#include "tests/ingest/recipes/package_fixture.hpp"
#include "tests/support/catch.hpp"

namespace recipe_versions_test {

using namespace cacheledger;
using package_fixture::Packages;
using Words = std::vector<std::string>;

TEST_CASE("The versions of a recipe are those that it calls version() with") {
    const auto found = recipe_versions(R"py(
class Zlib(Package):
    """A library. version("0.1") is in a string."""
    # version("0.2", sha256="a")
    version("develop", branch="develop")  # version("0.3")
    version('1.3.1', sha256="b")
    version(
        "1.2.13",  # the old one
        sha256="c",
    )
    with default_args(deprecated=True):
        version("1.2.11")
    conflicts("@0.4")
    depends_on("zlib@0.5")
)py");
    CHECK(found.versions == Words{"develop", "1.3.1", "1.2.13", "1.2.11"});
    CHECK(found.calls_version);
}

TEST_CASE("Other calls than version() name no version") {
    for (const char* const text :
         {"self.version('1.0')", "spec.version(\"1.0\")", "def version('1.0')", "my_version('1.0')",
          "versions('1.0')", "version = '1.0'", "'version(\"1.0\")'", "# recipe 0a1b2c", "",
          "x = 'it''s' # version('1.0')", "'''version('1.0')"}) {
        INFO(text);
        const auto found = recipe_versions(text);
        CHECK(found.versions.empty());
        CHECK_FALSE(found.calls_version);
    }
}

TEST_CASE("A version that is no plain string is not guessed") {
    for (const char* const text :
         {"version(ver, sha256=a)", "version('1.' + minor)", "version('1.\\x30')",
          "version('{0}'.format(a))", "version('1.0' '2')", "version(f'{a}', x)", "version('a b')",
          "version('", "version(", "version('1.0'"}) {
        INFO(text);
        const auto found = recipe_versions(text);
        CHECK(found.versions.empty());
        CHECK(found.calls_version);
    }
}

TEST_CASE("A subject that adds versions to the package names them") {
    const auto versions = [](const std::string& subject, const std::string& package) {
        return versions_of_subject(subject, package);
    };
    CHECK(versions("caliper: add v2.15.0 (#5419)", "caliper") == Words{"2.15.0"});
    CHECK(versions("ack: add v2.28 and v3.9.0", "ack") == Words{"2.28", "3.9.0"});
    CHECK(versions("py-x: add 1.0, 1.1, and 1.2 (#1)", "py-x") == Words{"1.0", "1.1", "1.2"});
    CHECK(versions("acts: add v46.4.0 through v46.8.1", "acts") == Words{"46.4.0", "46.8.1"});
    CHECK(versions("x: add v1.2, fix tests", "x") == Words{"1.2"});
    CHECK(versions("x: add v1.2 and fix tests", "x") == Words{"1.2"});
    CHECK(versions("x: new version 1.2", "x") == Words{"1.2"});
    CHECK(versions("x: v1.2", "x") == Words{"1.2"});
    CHECK(versions("Add xad package version 2.1.0 (#4063)", "xad") == Words{"2.1.0"});
}

TEST_CASE("A subject that may mean another thing names no version") {
    for (const char* const subject :
         {"bump cmake to 3.20", "cmake: bump gcc to 3.20", "x: add v1.2", "cmake: add v3",
          "cmake: add v1.2 variant", "cmake: add gcc v3.20 dependency", "cmake: add v0.8-20",
          "cmake: 3.20", "cmake: add constraint on gcc version 1.2", "cmake, gcc: add v3.25.3",
          "cmake: fix 3.20", "ci: cmake: add v3.20", "cmake: add", "cmake:", "", ":", "add v3.20",
          "cmake: add v3.20 to the tests", "cmake: drop v3.20"}) {
        INFO(subject);
        CHECK(versions_of_subject(subject, "cmake").empty());
    }
}

TEST_CASE("A subject is text of one line") {
    CHECK(clean_subject("cmake: add v3.30 (#123)") == "cmake: add v3.30 (#123)");
    CHECK(clean_subject("<b>&amp;") == "<b>&amp;");
    CHECK(clean_subject("\x1b[31mred\x1b[0m\a\x7f") == "[31mred[0m");
    CHECK(clean_subject("a\tb\r") == "a b");
    CHECK(clean_subject("\xc2\x9b"
                        "31m\xc2\xa0") == "31m\xc2\xa0");  // CSI is one of them, too
    CHECK(clean_subject("") == "");
}

TEST_CASE("What is not UTF-8 in a subject is replaced") {
    CHECK(clean_subject("caf\xe9!") == "caf\xef\xbf\xbd!");
    CHECK(clean_subject("caf\xc3\xa9") == "caf\xc3\xa9");
    CHECK(clean_subject("\xed\xa0\x80") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
    CHECK(clean_subject("\xc0\x80") == "\xef\xbf\xbd\xef\xbf\xbd");                  // too long
    CHECK(clean_subject("a\xf0\x9f\x98") == "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(clean_subject("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
}

TEST_CASE("A subject is cut between characters") {
    std::string accents;
    for (int i = 0; i < 200; ++i) {
        accents += "\xc3\xa9";
    }
    CHECK(clean_subject(accents) == accents.substr(0, 240));
    CHECK(clean_subject(std::string(1 << 20, 'x')) == std::string(120, 'x'));
}

TEST_CASE("A subject names no people") {
    CHECK(clean_subject("Merge pull request #12 from somebody/branch") == "Merge pull request #12");
    CHECK(clean_subject("fix (thanks to A <a@example.org>)") == "fix (thanks to A )");
    CHECK(clean_subject("a <b@c.org> <d> e@1.2 <f@g") == "a  <d> e@1.2 <f@g");
}

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

}  // namespace recipe_versions_test
