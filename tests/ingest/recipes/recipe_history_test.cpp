
#include <filesystem>
#include <string>

#include "schema/errors/error.hpp"
#include "tests/ingest/recipes/package_fixture.hpp"
#include "tests/support/catch.hpp"

namespace recipe_history_test {

using namespace cacheledger;
using package_fixture::contains;
using package_fixture::Packages;
using package_fixture::recipes;

TEST_CASE("A commit touches the recipes in whose folders something differs") {
    Packages packages;
    packages.recipe("zlib");
    packages.recipe("py_numpy");
    packages.git().write(recipes + "README.md", "no recipe");
    packages.git().write(recipes + "empty/notes.txt", "no package.py");
    packages.git().commit(100, {}, "begin");
    packages.git().write(recipes + "zlib/fix.patch", "a patch");
    packages.git().commit(200, {}, "zlib: a patch");
    packages.git().write("README.md", "nothing");
    packages.git().commit(300, {}, "docs");
    packages.git().remove(recipes + "py_numpy/package.py");
    packages.git().commit(400, {}, "py-numpy: removed");
    const auto result = packages.load();
    CHECK(result.commits == 4);
    CHECK(result.recipes == 2);
    CHECK(packages.changes() == Lines{"builtin.py-numpy begin", "builtin.zlib begin",
                                      "builtin.zlib zlib: a patch",
                                      "builtin.py-numpy py-numpy: removed"});
    CHECK(packages.ledger().rows("SELECT package, committed_at, subject FROM recipe_commits "
                                 "WHERE committed_at > '1970-01-01T00:05'") ==
          Lines{"py-numpy|1970-01-01T00:06:40Z|py-numpy: removed"});
    CHECK(packages.problems().empty());
}

TEST_CASE("A move of all recipes without a change touches none") {
    Packages packages;
    packages.recipe("zlib", "z", "var/spack/repos/builtin/packages/");
    packages.recipe("py-numpy", "n", "var/spack/repos/builtin/packages/");
    packages.recipe("7zip", "7", "var/spack/repos/builtin/packages/");
    packages.git().commit(100, {}, "begin");
    packages.git().clear();
    packages.recipe("zlib", "z");
    packages.recipe("py_numpy", "other");
    packages.recipe("_7zip", "7");
    packages.git().commit(200, {}, "move");
    packages.load();
    CHECK(packages.changes() == Lines{"builtin.7zip begin", "builtin.py-numpy begin",
                                      "builtin.zlib begin", "builtin.py-numpy move"});
}

TEST_CASE("A merge touches what differs from all of its parents") {
    Packages packages;
    packages.recipe("a", "1");
    packages.recipe("b", "1");
    packages.recipe("c", "1");
    const std::string begin = packages.git().commit(100, {}, "begin");
    packages.git().begin_branch("side", begin);
    packages.recipe("b", "2");
    packages.recipe("c", "2");
    const std::string side = packages.git().commit(150, {}, "side");
    packages.git().begin_branch("main2", begin);
    packages.recipe("a", "3");
    packages.recipe("c", "3");
    packages.git().commit(200, {}, "line");
    packages.recipe("b", "2");
    packages.recipe("c", "both");
    packages.git().commit(300, {side}, "merge");
    packages.load();
    CHECK(packages.changes() == Lines{"builtin.a begin", "builtin.b begin", "builtin.c begin",
                                      "builtin.b side", "builtin.c side", "builtin.a line",
                                      "builtin.c line", "builtin.c merge"});
}

TEST_CASE("Of a branch that began before the last run only what is new is read") {
    Packages packages;
    packages.recipe("a", "1");
    const std::string begin = packages.git().commit(100, {}, "begin");
    packages.recipe("a", "2");
    const std::string line = packages.git().commit(200, {}, "line");
    packages.load();
    packages.git().begin_branch("side", begin);
    packages.recipe("b", "1");
    const std::string side = packages.git().commit(150, {}, "side");
    packages.git().begin_branch("merged", line);
    packages.recipe("b", "1");
    packages.git().commit(300, {side}, "merge");
    const auto result = packages.load();
    CHECK(result.commits == 2);
    CHECK(packages.changes() == Lines{"builtin.a begin", "builtin.a line", "builtin.b side"});
    CHECK(packages.ledger().value("SELECT count(*) FROM package_repository") == "1");
}

TEST_CASE("The next run goes on behind the last commit, wherever the repository lies") {
    Packages packages;
    packages.recipe("zlib", "version('1.2')");
    packages.git().commit(100, {}, "begin");
    CHECK(packages.load().commits == 1);
    const auto before = packages.ledger().tables();
    const auto same = packages.load();
    CHECK(same.commits == 0);
    CHECK(contains(same.notes.at(0), "nothing to do"));
    CHECK(packages.ledger().tables() == before);
    packages.recipe("zlib", "version('1.3')\nversion('1.2')");
    packages.git().commit(200, {}, "zlib: add v1.3");
    const auto moved =
        packages.load(packages.git().clone_bare(packages.ledger().folder().path() / "bare.git"));
    CHECK(moved.commits == 1);
    CHECK(moved.notes.empty());
    CHECK(packages.changes() == Lines{"builtin.zlib begin", "builtin.zlib zlib: add v1.3"});
    CHECK(packages.versions() == Lines{"zlib 1.2 begin", "zlib 1.3 zlib: add v1.3"});
    CHECK(packages.ledger().value("SELECT count(*) FROM package_repository") == "1");
    CHECK(packages.load().commits == 0);
}

TEST_CASE("A version comes with the first commit whose recipe has it") {
    Packages packages;
    packages.recipe("zlib", "version('1.2')");
    packages.recipe("other", "no call");
    packages.git().commit(100, {}, "begin");
    packages.recipe("zlib", "version('1.3')");
    packages.git().commit(200, {}, "zlib: another");
    packages.recipe("zlib", "version('1.2')");
    packages.git().commit(300, {}, "zlib: back, add v1.9");
    packages.recipe("other", "still none");
    packages.git().commit(400, {}, "other: add v2.0 and v2.1 (#7)");
    packages.recipe("other", "still none, too");
    packages.recipe("zlib", "version('1.2') ");
    packages.git().commit(500, {}, "other: add v3.0");
    packages.load();
    CHECK(packages.versions() == Lines{"other 2.0 other: add v2.0 and v2.1 (#7)",
                                       "other 2.1 other: add v2.0 and v2.1 (#7)", "zlib 1.2 begin",
                                       "zlib 1.3 zlib: another"});
}

TEST_CASE("A history that was rewritten is read again") {
    Packages packages;
    packages.recipe("zlib");
    packages.list("e4s", {"zlib"});
    const std::string begin = packages.git().commit(100, {}, "begin");
    packages.recipe("zlib", "changed");
    packages.list("e4s", {"gone"});
    packages.git().commit(200, {}, "zlib: one");
    packages.load();
    packages.git().begin_branch("again", begin);
    packages.recipe("zlib", "changed");
    packages.git().commit(300, {}, "zlib: other");
    const auto result = packages.load();
    CHECK(contains(result.notes.at(0), "was rewritten"));
    CHECK(result.commits == 2);
    CHECK(packages.changes() == Lines{"builtin.zlib begin", "builtin.zlib zlib: other"});
    CHECK(packages.wishes() == Lines{"e4s zlib 100 -"});
    CHECK(packages.ledger().rows("SELECT spec FROM wish") == Lines{"zlib"});
    CHECK(packages.problems().empty());
}

TEST_CASE("A shallow clone that got its older commits is read again") {
    Packages packages;
    packages.git().write("README.md", "no recipe");
    packages.git().commit(50, {}, "docs");
    packages.recipe("zlib");
    packages.list("e4s", {"zlib"});
    const std::string begin = packages.git().commit(100, {}, "begin");
    packages.recipe("zlib", "changed");
    packages.git().commit(200, {}, "zlib: changed");
    // As if it were shallow: without the object of a parent.
    const std::filesystem::path object = std::filesystem::path(packages.git().path()) /
                                         ".git/objects" / begin.substr(0, 2) / begin.substr(2);
    std::filesystem::rename(object, object.string() + ".away");
    const auto shallow = packages.load();
    REQUIRE(shallow.notes.size() == 1);
    CHECK(contains(shallow.notes[0],
                   "is a shallow clone: commits before 1970-01-01T00:03:20Z are not known"));
    CHECK(packages.changes() == Lines{"builtin.zlib zlib: changed"});
    CHECK(contains(packages.load().notes.at(0), "nothing to do"));
    std::filesystem::rename(object.string() + ".away", object);
    const auto whole = packages.load();
    REQUIRE(whole.notes.size() == 1);
    CHECK(contains(whole.notes[0], "are there now: it is read again"));
    CHECK(whole.commits == 3);
    CHECK(packages.changes() == Lines{"builtin.zlib begin", "builtin.zlib zlib: changed"});
    CHECK(packages.wishes() == Lines{"e4s zlib 100 -"});
    CHECK(contains(packages.load().notes.at(0), "nothing to do"));
    CHECK(packages.problems().empty());
}

TEST_CASE("Commits that another repository gave are not stored twice") {
    Packages packages;
    packages.recipe("zlib");
    packages.git().commit(100, {}, "begin");
    const std::string fork =
        packages.git().clone_bare(packages.ledger().folder().path() / "fork.git");
    packages.recipe("zlib", "upstream");
    packages.git().commit(200, {}, "zlib: upstream");
    packages.load();
    const auto old = packages.load(fork);
    CHECK(old.commits == 0);
    CHECK(contains(old.notes.at(0), "nothing to do"));
    CHECK(packages.changes() == Lines{"builtin.zlib begin", "builtin.zlib zlib: upstream"});
    CHECK(packages.ledger().value("SELECT count(*) FROM package_repository") == "1");
}

TEST_CASE("Subjects of strangers are cleaned") {
    Packages packages;
    packages.recipe("a", "1");
    packages.git().commit(100, {}, "\n\n  \x1b[2Jbegin <script>\nbody");
    packages.recipe("a", "2");
    packages.git().commit(150, {}, std::string(1 << 20, 'x'));
    packages.recipe("a", "3");
    packages.git().commit(175, {}, "caf\xe9");
    packages.load();
    CHECK(packages.changes() == Lines{"builtin.a   [2Jbegin <script>",
                                      "builtin.a " + std::string(120, 'x'),
                                      "builtin.a caf\xef\xbf\xbd"});
}

TEST_CASE("What progress throws leaves the ledger as it was") {
    Packages packages;
    packages.recipe("zlib");
    packages.git().commit(100, {}, "begin");
    const auto before = packages.ledger().tables();
    const auto stop = [](std::size_t, std::size_t) { throw Interrupted("stopped"); };
    CHECK_THROWS_AS(cacheledger::ingest_package_repositories(packages.ledger().database(),
                                                             {{packages.git().path()}, 2}, stop),
                    Interrupted);
    CHECK(packages.ledger().tables() == before);
}

TEST_CASE("A damaged repository is an error, and nothing of it is stored") {
    Packages packages;
    packages.recipe("zlib", "version('1.2')");
    packages.git().commit(100, {}, "begin");
    packages.git().lose("version('1.2')");
    const auto before = packages.ledger().tables();
    CHECK_THROWS_AS(packages.load(), InputError);
    CHECK(packages.ledger().tables() == before);
}

}  // namespace recipe_history_test
