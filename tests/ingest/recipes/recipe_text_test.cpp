#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "ingest/sources/recipes/recipe_text.hpp"
#include "tests/support/catch.hpp"

namespace recipe_text_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

/// "1.2", "1.2 deprecated" or "1.2 ?", of all classes.
Lines versions(const RecipeText& text) {
    Lines lines;
    for (const RecipeClass& one : text.classes) {
        for (const RecipeVersion& version : one.versions) {
            lines.push_back(version.text + (!version.is_deprecated   ? " ?"
                                            : *version.is_deprecated ? " deprecated"
                                                                     : ""));
        }
    }
    return lines;
}

/// "CLASS: CONDITION", with quotes around a condition that is a spec.
Lines restrictions(const RecipeText& text) {
    Lines lines;
    for (const RecipeClass& one : text.classes) {
        for (const RecipeRestriction& restriction : one.restrictions) {
            const char* const quote = restriction.is_spec ? "'" : "";
            lines.push_back(
                fmt::format("{}: {}{}{}", one.name, quote, restriction.condition, quote));
        }
    }
    return lines;
}

}  // namespace

TEST_CASE("A version is deprecated by its own word, else by that of the nearest default_args") {
    const RecipeText text = read_recipe_text(R"py(
from spack.package import *

class Zlib(Package):
    version("main", branch="main")
    version("1.9", sha256="a", deprecated=True)
    version(
        "1.8",
        deprecated=False,  # not deprecated=True
    )
    version("1.7", deprecated = too_old("1.7", [1, 2]))
    version("1.6", **common)
    version("1.5", deprecated=True, **common)
    version(ver="1.4", deprecated=None)
    with default_args(deprecated=True):
        version("1.3")

        # a comment
        version("1.2", deprecated=False)
        with when("@:1"), default_args(deprecated=False, sha256="b"):
            version("1.1")
        version("1.0")
    version("0.9", url="deprecated=True")
    for old in ("0.1", "0.2"):
        version("0.8" , deprecated=True)
)py");
    CHECK(versions(text) == Lines{"main", "1.9 deprecated", "1.8", "1.7 ?", "1.6 ?",
                                  "1.5 deprecated", "1.4", "1.3 deprecated", "1.2", "1.1",
                                  "1.0 deprecated", "0.9", "0.8 deprecated"});
    REQUIRE(text.classes.size() == 2);
    CHECK_FALSE(text.classes[1].has_other_versions);
    CHECK(text.classes[1].name == "Zlib");
    CHECK(text.classes[1].bases == Lines{"Package"});
}

TEST_CASE("A restriction has the conditions of its call and of those around it") {
    const RecipeText text = read_recipe_text(R"py(
class Plain(Package):
    redistribute(source=False, binary=False)
class Source(Package):
    redistribute(source=False)
    redistribute(source=False, binary=True)
    redistribute(False, None)
    """redistribute(binary=False)"""
    # redistribute(binary=False)
    self.redistribute(binary=False)
class Places(Package): redistribute(False, False, "@1")
class Spec(Package):
    redistribute(binary=False, when="@1.2:+cuda")
    with when("+rocm"):
        with when('%gcc'):
            redistribute(binary=False, when=None)
        redistribute(binary=False, when="@2", source=False)
        with default_args(when="@3", binary=False):
            redistribute(source=False)
            redistribute(when=True)
            redistribute(when=False)
    redistribute(binary=False, when="@4" if x else "@5")
    redistribute(binary=is_closed)

    @when("@6")
    def install(self):
        pass

    redistribute(binary=False, when="@7")
)py");
    CHECK(restrictions(text) == Lines{"Plain: ''", "Places: '@1'", "Spec: '@1.2:+cuda'",
                                      "Spec: '+rocm %gcc'", "Spec: '+rocm @2'", "Spec: '+rocm @3'",
                                      "Spec: '+rocm'", R"(Spec: "@4" if x else "@5")",
                                      "Spec: binary=is_closed", "Spec: '@7'"});
}

TEST_CASE("Classes have their own calls, and names of other recipes are known") {
    const RecipeText text = read_recipe_text(R"py(
import os
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.packages.boost.package import Boost
from spack.pkg.builtin.mesa import Mesa as BuiltinMesa, helper
from ..llvm.package import (
    Base,  # of both, and not Other
    LlvmDetection as Detection,
)
version("0.1")
class Outer(CMakePackage, builtin.Mesa, metaclass=Meta):
    class Inner:
        version("0.2")
    version("0.3")
    x = {"a": [
version("0.4"),
    ]}
    y = "a" + \
"b"
    version(f"{x}")
if True:
    class Last(Outer, make_base("x")):
        version("0.5")
version("0.6")
)py");
    CHECK(text.from_other_modules ==
          std::set<std::string>{"Boost", "BuiltinMesa", "Mesa", "as", "helper", "import"});
    CHECK(text.from_near_modules ==
          std::set<std::string>{"Base", "Detection", "LlvmDetection", "as", "import"});
    REQUIRE(text.classes.size() == 4);
    const auto own = [&](std::size_t i) { return versions({{text.classes[i]}, {}, {}, {}}); };
    CHECK(own(0) == Lines{"0.1", "0.6"});
    CHECK(text.classes[1].name == "Outer");
    CHECK(text.classes[1].bases == Lines{"CMakePackage", "builtin.Mesa"});
    CHECK(own(1) == Lines{"0.3", "0.4"});
    CHECK(text.classes[1].has_other_versions);
    CHECK(text.classes[2].name == "Inner");
    CHECK(own(2) == Lines{"0.2"});
    CHECK(text.classes[3].name == "Last");
    CHECK(text.classes[3].bases == Lines{"Outer", R"(make_base("x"))"});
    CHECK(own(3) == Lines{"0.5"});
}

TEST_CASE("What stands behind a with on its line is in its block") {
    const RecipeText text = read_recipe_text(R"py(
class Short(Package):
    with default_args(deprecated=True): version("1.2"); version("1.1")
    version("1.0")
    with when("@1:2"): redistribute(binary=False)
    with default_args(x={"a": 1}), \
            when("+cuda"): redistribute(binary=False)
    redistribute(binary=False, when="@9")
)py");
    CHECK(versions(text) == Lines{"1.2 deprecated", "1.1 deprecated", "1.0"});
    CHECK(restrictions(text) == Lines{"Short: '@1:2'", "Short: '+cuda'", "Short: '@9'"});
}

TEST_CASE("Modules that are imported from are of Spack, build systems, or others") {
    const RecipeText text = read_recipe_text(R"py(
from spack.package import a1
from spack import a2
from spack_repo.builtin.build_systems.cmake import a3
from spack_repo.site.build_systems.own import b1
from mixins.versions import c1, \
    c2
import mixins.more
class Some(Package):
    spack.directives.version("1", deprecated=True)
    self.version("2")
)py");
    CHECK(text.from_build_systems == std::set<std::string>{"b1", "import"});
    CHECK(text.from_other_modules == std::set<std::string>{"c1", "c2", "import"});
    CHECK(versions(text) == Lines{"1 deprecated"});
    CHECK_FALSE(text.classes[0].has_other_versions);
    CHECK(read_recipe_text("from spack.directives import depends_on, version as ver\nver('1')\n")
              .classes[0]
              .has_other_versions);
}

TEST_CASE("A recipe that is cut anywhere, or no Python, is read to its end") {
    const std::string text =
        "from ..a import (B,\nclass A(B, c=(1)):\n  with when('@1'):\n    version('1', deprecated="
        "True)\n    redistribute(binary=False, when=x[1:])\n  x = '''a\\'''\n";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        CHECK(read_recipe_text(text.substr(0, size)).classes.size() <= 2);
    }
    for (const char* const bad : {")", "]", "version(]", "version(,)", "version(a=)", "\\", "\"",
                                  "class", "class (", "from", "with when(", "redistribute)("}) {
        INFO(bad);
        CHECK(versions(read_recipe_text(bad)).empty());
    }
}

}  // namespace recipe_text_test
