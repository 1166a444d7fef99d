#include <cstdint>
#include <string>
#include <vector>

#include "tests/ingest/recipes/package_fixture.hpp"
#include "tests/support/catch.hpp"

namespace list_history_test {

using namespace cacheledger;
using package_fixture::contains;
using package_fixture::Packages;
using Lines = std::vector<std::string>;

namespace {

/// Commits in one run or in several: the rows are to be the same.
enum class Runs { one, several };

/// Makes a commit at the moment that it is given.
auto committing(Packages& packages, Runs runs) {
    return [&packages, runs](std::int64_t time) {
        packages.git().commit(time);
        if (runs == Runs::several) {
            packages.load();
        }
    };
}

}  // namespace

TEST_CASE("A wish lasts from the commit that adds it to the one that removes it") {
    const Runs runs = GENERATE(Runs::one, Runs::several);
    Packages packages;
    const auto commit = committing(packages, runs);
    packages.list("e4s", {"zlib", "hdf5 +mpi"});
    packages.list("hep", {"root"});
    commit(100);
    packages.list("e4s", {"hdf5  +mpi", "cmake"});
    commit(200);
    packages.list("e4s", {"zlib"});
    packages.git().remove("stacks/hep/spack.yaml");
    commit(300);
    packages.load();
    CHECK(packages.wishes() == Lines{"e4s cmake 200 300", "e4s hdf5 +mpi 100 300",
                                     "e4s zlib 100 200", "e4s zlib 300 -", "hep root 100 300"});
    CHECK(packages.problems().empty());
}

TEST_CASE("The moments of lists do not go back, and the last state of a moment counts") {
    const Runs runs = GENERATE(Runs::one, Runs::several);
    Packages packages;
    const auto commit = committing(packages, runs);
    packages.list("e4s", {"a", "b"});
    commit(200);
    packages.list("e4s", {"b", "c"});
    commit(300);
    packages.list("e4s", {"a", "d"});  // before: at 300, too
    commit(250);
    packages.git().write("README", "nothing");
    commit(500);
    packages.list("e4s", {"a"});
    commit(100);
    packages.load();
    CHECK(packages.wishes() == Lines{"e4s a 200 -", "e4s b 200 300", "e4s d 300 500"});
    CHECK(packages.ledger().rows("SELECT spec FROM wish ORDER BY spec") == Lines{"a", "b", "d"});
    CHECK(packages.problems().empty());
}

TEST_CASE("A group that is named like a stack of its folder is a stack, too") {
    Packages packages;
    packages.git().write("stacks/ml/spack.yaml",
                         "spack:\n  specs:\n  - group: ml-cuda\n    specs: [a, b]\n"
                         "  - group: other\n    specs: [c]\n");
    packages.git().commit(100);
    packages.git().write("stacks/ml/spack.yaml",
                         "spack:\n  specs:\n  - group: other\n    specs: [a]\n");
    packages.git().commit(200);
    packages.load();
    CHECK(packages.wishes() == Lines{"ml a 100 200", "ml a 200 -", "ml b 100 200", "ml c 100 200",
                                     "ml-cuda a 100 200", "ml-cuda b 100 200"});
}

TEST_CASE("A list that can't be read stays as it was, and has a finding") {
    const Runs runs = GENERATE(Runs::one, Runs::several);
    Packages packages;
    const auto commit = committing(packages, runs);
    packages.list("e4s", {"zlib"});
    commit(100);
    packages.git().write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib\n");
    commit(200);
    packages.git().write("stacks/e4s/spack.yaml", "spack:\n  specs: {a: b\n");
    commit(300);
    const auto broken = packages.load();
    REQUIRE(broken.findings.size() == 1);
    CHECK(contains(broken.findings[0], "stacks/e4s/spack.yaml:"));
    CHECK(contains(broken.findings[0], "can't be read, and counts as it was before"));
    CHECK(packages.wishes() == Lines{"e4s zlib 100 -"});
    CHECK(packages.ledger().rows("SELECT kind, path FROM findings WHERE snapshot IS NULL "
                                 "AND detail LIKE '%on)'") ==
          Lines{"wish-list|stacks/e4s/spack.yaml"});
    packages.list("e4s", {"cmake"});
    commit(400);
    CHECK(packages.load().findings.empty());
    CHECK(packages.wishes() == Lines{"e4s cmake 400 -", "e4s zlib 100 400"});
    CHECK(packages.ledger().value("SELECT count(*) FROM wish_finding WHERE valid_to IS NULL") ==
          "0");
    CHECK(packages.problems().empty());
}

TEST_CASE("Lists move from one layout to the other") {
    Packages packages;
    const std::string text = "spack:\n  specs:\n  - zlib\n";
    packages.git().write("share/spack/gitlab/cloud_pipelines/stacks/e4s/spack.yaml", text);
    packages.git().commit(100);
    packages.git().clear();
    packages.git().write("stacks/e4s/spack.yaml", text);
    packages.git().commit(200);
    packages.load();
    CHECK(packages.wishes() == Lines{"e4s zlib 100 200", "e4s zlib 200 -"});
}

TEST_CASE("The state of lists goes along first parents") {
    Packages packages;
    packages.list("e4s", {"a"});
    const std::string begin = packages.git().commit(100);
    packages.git().begin_branch("side", begin);
    packages.list("e4s", {"b"});
    const std::string side = packages.git().commit(150);
    packages.git().begin_branch("line", begin);
    packages.git().write("README", "nothing");
    packages.git().commit(200);
    SECTION("in one run") {}
    SECTION("with a run before the merge") {
        packages.load();
    }
    packages.list("e4s", {"b"});
    packages.git().commit(300, {side});
    packages.load();
    CHECK(packages.wishes() == Lines{"e4s a 100 300", "e4s b 300 -"});
}

}  // namespace list_history_test
