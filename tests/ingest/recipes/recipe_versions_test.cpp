#include <string>
#include <vector>

#include "ingest/sources/recipes/diffed_recipes.hpp"
#include "ingest/sources/recipes/recipe_text.hpp"
#include "tests/support/catch.hpp"

namespace recipe_versions_test {

using cacheledger::recipe_versions;
using cacheledger::versions_of_subject;
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

}  // namespace recipe_versions_test
