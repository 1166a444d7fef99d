#include <filesystem>
#include <string>

#include "ingest/rows/recipes/repository_rows.hpp"
#include "tests/ingest/recipes/package_fixture.hpp"
#include "tests/support/catch.hpp"

namespace head_recipes_test {

using namespace cacheledger;
using package_fixture::contains;
using package_fixture::Packages;

namespace {

const std::string systems = "repos/spack_repo/builtin/build_systems/";

/// "zlib 1 1.2:0 1.3:1 | @1": the package, whether its versions are known, its versions with what
/// is deprecated, and its restrictions, those that are no specs in brackets.
Lines heads(Packages& packages) {
    return packages.ledger().rows(
        "SELECT k.name || ' ' || h.knows_versions || ifnull((SELECT group_concat(' ' || version || "
        "':' || ifnull(is_deprecated, '?'), '') FROM (SELECT * FROM head_version v WHERE "
        "v.recipe_package_id = h.recipe_package_id AND v.package_repository_id = "
        "h.package_repository_id ORDER BY version)), '') || ifnull((SELECT group_concat(' | ' || "
        "iif(is_spec, condition, '[' || condition || ']'), '') FROM (SELECT * FROM "
        "head_restriction r WHERE r.recipe_package_id = h.recipe_package_id AND "
        "r.package_repository_id = h.package_repository_id ORDER BY condition)), '') "
        "FROM head_recipe h JOIN recipe_package k USING (recipe_package_id) "
        "ORDER BY k.namespace, k.name, h.package_repository_id");
}

}  // namespace

TEST_CASE("The ledger has what the recipes at the head say, and no longer what they said") {
    Packages packages;
    packages.recipe("zlib", "class Zlib(Package):\n    version('1.2')\n    version('1.1')\n");
    packages.recipe("old", "class Old(Package):\n    version('1.0')\n");
    packages.git().commit(100);
    packages.load();
    CHECK(heads(packages) == Lines{"old 1 1.0:0", "zlib 1 1.1:0 1.2:0"});
    packages.recipe("zlib",
                    "class Zlib(Package):\n    version('1.3')\n"
                    "    version('1.2', deprecated=True)\n    version('1.0', deprecated=x)\n"
                    "    redistribute(binary=False, when='@1.0')\n"
                    "    redistribute(binary=False, when=x)\n");
    packages.git().remove(package_fixture::recipes + "old/package.py");
    packages.git().write(package_fixture::recipes + "old/README", "no recipe");
    packages.git().commit(200);
    packages.load();
    CHECK(heads(packages) == Lines{"zlib 1 1.0:? 1.2:1 1.3:0 | @1.0 | [x]"});
    CHECK(packages.problems().empty());
}

TEST_CASE("Not all versions are known of a recipe that computes them or takes them from another") {
    Packages packages;
    packages.recipe("loop", "for v in all: version(v)\nversion('1')\n");
    packages.recipe("none", "class None_(BundlePackage): pass\n");
    packages.recipe("text", "recipe 1234");
    packages.recipe("child",
                    "from spack_repo.builtin.packages.zlib.package import Base\n"
                    "class Child(Base):\n    version('1')\n");
    packages.recipe("user",
                    "from spack_repo.builtin.packages.zlib.package import Base\n"
                    "class User(PackageBase):\n    version('1')\n");
    packages.recipe("member", "class Member(zlib.Base):\n    version('1')\n");
    packages.recipe("called", "class Called(make()):\n    version('1')\n");
    packages.recipe("local",
                    "class Base(Package):\n    version('1')\n"
                    "class Local(Base):\n    version('2')\n");
    packages.recipe("large", "version('1')\n" + std::string((1 << 20) + 1, '#'));
    packages.git().commit(100);
    packages.load();
    CHECK(heads(packages) == Lines{"called 0 1:0", "child 0 1:0", "large 0", "local 1 1:0 2:0",
                                   "loop 0 1:0", "member 0 1:0", "none 0", "text 0", "user 1 1:0"});
}

TEST_CASE("A recipe has the restrictions of its build system, and of what that is based on") {
    Packages packages;
    const std::string closed = "class ClosedPackage(Package):\n    redistribute(binary=False)\n";
    packages.git().write(systems + "closed.py", closed);
    packages.git().write(systems + "library.py",
                         "from .closed import ClosedPackage\n"
                         "class LibraryPackage(ClosedPackage, LibraryPackage):\n    pass\n");
    packages.git().write(systems + "notes.txt",
                         "class CMakePackage:\n    redistribute(False, False)");
    packages.recipe("mkl",
                    "from spack_repo.builtin.build_systems.library import LibraryPackage\n"
                    "class Mkl(LibraryPackage):\n    version('1')\n");
    packages.recipe("dotted", "class Dotted(library.LibraryPackage):\n    version('1')\n");
    packages.recipe("open", "class Open(CMakePackage):\n    version('1')\n");
    packages.recipe("own",
                    "class LibraryPackage:\n    pass\n"
                    "class Own(LibraryPackage):\n    version('1')\n");
    packages.git().commit(100);
    packages.load();
    CHECK(heads(packages) == Lines{"dotted 1 1:0 | ", "mkl 1 1:0 | ", "open 1 1:0", "own 1 1:0"});
}

TEST_CASE("Not all versions are known where a base class is of a module that is not read") {
    Packages packages;
    packages.git().write(systems + "mixed.py",
                         "from mixins.versions import Mixin\n"
                         "class MixedPackage(Mixin, Package): pass\n");
    packages.git().write(systems + "generic.py", "from spack.package import Package\n");
    packages.git().write(systems + "r.py",
                         "from .generic import Package\nclass RPackage(Package): pass\n");
    packages.recipe("r-abc",
                    "from spack_repo.builtin.build_systems.r import RPackage\n"
                    "class G(RPackage):\n    version('1')\n");
    packages.git().write(systems + "cmake.py", "class CMakePackage(PackageBase): pass\n");
    const std::string body = ", Package):\n    version('1')\n";
    packages.recipe("alias", "from spack.directives import version as ver\nclass A(PackageBase" +
                                 body + "    ver('2')\n");
    packages.recipe("mixin", "from mixins.versions import Mixin\nclass B(Mixin" + body);
    packages.recipe("system",
                    "from spack_repo.site.build_systems.own import Own\nclass C(Own" + body);
    packages.recipe("mixed",
                    "from spack_repo.builtin.build_systems.mixed import MixedPackage\n"
                    "class D(MixedPackage" +
                        body);
    packages.recipe("cmake",
                    "from spack_repo.site.build_systems.cmake import CMakePackage\n"
                    "class E(CMakePackage" +
                        body);
    packages.recipe("perl",
                    "from spack_repo.builtin.build_systems.perl import PerlPackage\n"
                    "from mixins.helpers import helper\n"
                    "class F(PerlPackage" +
                        body);
    packages.git().commit(100);
    packages.load();
    CHECK(heads(packages) == Lines{"alias 0 1:0", "cmake 1 1:0", "mixed 0 1:0", "mixin 0 1:0",
                                   "perl 1 1:0", "r-abc 1 1:0", "system 0 1:0"});
}

TEST_CASE("What a class says counts before what its bases say") {
    Packages packages;
    packages.git().write(systems + "base.py",
                         "class BasePackage(Package):\n    version('1', deprecated=True)\n"
                         "    version('2', deprecated=True)\n    version('3')\n"
                         "class NextPackage(BasePackage):\n    version('2')\n"
                         "    version('3', deprecated=True)\n");
    packages.recipe("some",
                    "class Local(NextPackage):\n    version('4', deprecated=True)\n"
                    "class Some(Local):\n    version('1')\n    version('4')\n");
    packages.git().commit(100);
    packages.load();
    CHECK(heads(packages) == Lines{"some 1 1:0 2:0 3:1 4:0"});
}

TEST_CASE("Build systems are those of spack/spack before Spack 1.0, too") {
    Packages packages;
    packages.git().write("lib/spack/spack/build_systems/oneapi.py",
                         "class IntelOneApiPackage(Package):\n    redistribute(binary=False)\n");
    packages.recipe("intel-oneapi-mkl",
                    "class IntelOneapiMkl(IntelOneApiPackage):\n    version('1')\n",
                    "var/spack/repos/builtin/packages/");
    packages.git().commit(100);
    packages.load();
    CHECK(heads(packages) == Lines{"intel-oneapi-mkl 1 1:0 | "});
}

TEST_CASE("Recipes that the ledger lacks are read again where nothing else is new") {
    Packages packages;
    packages.recipe("zlib", "version('1')\n");
    packages.git().commit(100);
    packages.load();
    CHECK(contains(packages.load().notes.at(0), "nothing to do"));
    packages.ledger().database().exec("DELETE FROM head_version; DELETE FROM head_recipe");
    const auto again = packages.load();
    CHECK(contains(again.notes.at(0), "are read again: the ledger did not have what they say"));
    CHECK(again.commits == 0);
    CHECK(heads(packages) == Lines{"zlib 1 1:0"});
    CHECK(contains(packages.load().notes.at(0), "nothing to do"));
}

TEST_CASE("Two repositories have heads of their own, and go one by one") {
    Packages packages;
    packages.recipe("zlib", "version('1')\n");
    packages.git().commit(100);
    const std::string first = packages.git().clone_bare(packages.ledger().folder().path() / "a");
    packages.load(first);
    git_fixture::Repository other(packages.ledger().folder().path() / "other");
    const std::string path = package_fixture::recipes + "zlib/package.py";
    other.write(path, "version('2')\n");
    other.commit(300);
    packages.load(other.path());
    CHECK(heads(packages) == Lines{"zlib 1 1:0", "zlib 1 2:0"});
    other.write(path, "version('3')\n");
    other.commit(400);
    packages.load(other.path());
    CHECK(heads(packages) == Lines{"zlib 1 1:0", "zlib 1 3:0"});
    CHECK(packages.problems().empty());
}

TEST_CASE("A repository that is read anew leaves what the heads of others say") {
    Packages packages;
    packages.recipe("zlib", "version('1')\n");
    packages.git().commit(100);
    const std::string first = packages.git().clone_bare(packages.ledger().folder().path() / "a");
    packages.load(first);
    git_fixture::Repository other(packages.ledger().folder().path() / "other");
    other.write(package_fixture::recipes + "zlib/package.py", "version('2')\n");
    other.write(package_fixture::recipes + "left/package.py", "version('3', deprecated=True)\n");
    other.commit(300);
    packages.load(other.path());
    CHECK(heads(packages) == Lines{"left 1 3:1", "zlib 1 1:0", "zlib 1 2:0"});
    git_fixture::Repository rewritten(packages.ledger().folder().path() / "rewritten");
    rewritten.write(package_fixture::recipes + "zlib/package.py", "version('4')\n");
    rewritten.commit(400);
    std::filesystem::remove_all(first);
    rewritten.clone_bare(first);
    CHECK(contains(packages.load(first).notes.at(0), "was rewritten"));
    CHECK(heads(packages) == Lines{"left 1 3:1", "zlib 1 2:0", "zlib 1 4:0"});
    CHECK(packages.problems().empty());
}

TEST_CASE("A head keeps a package that only commits of a removed repository touched") {
    Packages packages;
    packages.recipe("zlib", "version('1')\n");
    packages.git().commit(100);
    packages.load();
    git_fixture::Repository other(packages.ledger().folder().path() / "other");
    other.write(package_fixture::recipes + "other/package.py", "version('4')\n");
    other.commit(400);
    packages.load(other.path());
    packages.ledger().database().exec(
        "INSERT INTO head_recipe SELECT recipe_package_id, 2, 0 FROM recipe_package "
        "WHERE name = 'zlib'");
    remove_repository(packages.ledger().database(), 1);
    CHECK(heads(packages) == Lines{"other 1 4:0", "zlib 0"});
    CHECK(packages.problems().empty());
}

}  // namespace head_recipes_test
