#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"
#include "tests/ingest/recipes/package_fixture.hpp"
#include "tests/support/catch.hpp"

namespace list_history_test {

using namespace cacheledger;
using package_fixture::contains;
using package_fixture::Packages;

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

// Names with a slash behind those of folders, as git sorts them, and the last byte of the id.
using Tree = std::map<std::string, char>;

std::string bytes_of(const Tree& tree) {
    std::string bytes;
    for (const auto& [name, id] : tree) {
        const bool is_folder = name.ends_with('/');
        bytes += is_folder ? "40000 " : "100644 ";
        bytes += name.substr(0, name.size() - (is_folder ? 1 : 0));
        bytes += '\0';
        bytes += std::string(19, '\0') + id;
    }
    return bytes;
}

std::map<std::string, std::string> changes(const Tree& before, const Tree& after) {
    const std::string old = bytes_of(before);
    const std::string now = bytes_of(after);
    std::map<std::string, std::string> found;
    for (const FolderChange& change : changed_folders(old, now)) {
        const auto last = [](const std::optional<Digest>& id) {
            return id ? std::string(1, static_cast<char>(id->back())) : "-";
        };
        found[std::string(change.name)] = last(change.before) + last(change.after);
    }
    return found;
}

std::map<std::string, std::string> expected_changes(const Tree& before, const Tree& after) {
    std::map<std::string, std::string> found;
    const auto id_in = [](const Tree& tree, const std::string& name) {
        const auto entry = tree.find(name);
        return entry == tree.end() ? std::string("-") : std::string(1, entry->second);
    };
    for (const Tree* const tree : {&before, &after}) {
        for (const auto& [name, id] : *tree) {
            const std::string both = id_in(before, name) + id_in(after, name);
            if (name.ends_with('/') && both[0] != both[1]) {
                found[name.substr(0, name.size() - 1)] = both;
            }
        }
    }
    return found;
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

TEST_CASE("The folders that differ between two trees are found") {
    const Tree tree = {{"a/", 'a'}, {"b/", 'b'}, {"c", 'c'}, {"d/", 'd'}};
    CHECK(changes(tree, tree).empty());
    CHECK(changes({}, {}).empty());
    CHECK(changes({}, tree).size() == 3);
    CHECK(changes(tree, {{"a/", 'a'}, {"b/", 'x'}, {"c", 'y'}, {"d/", 'd'}}) ==
          std::map<std::string, std::string>{{"b", "bx"}});
    CHECK(changes({{"a/", 'a'}}, {{"a", 'a'}}) == std::map<std::string, std::string>{{"a", "a-"}});
}

TEST_CASE("What two trees have in common is not mistaken, wherever they differ") {
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
        Tree before;
        for (unsigned i = 0; i < random() % 60; ++i) {
            // Few letters, and some ids that look like parts of entries.
            const std::string name =
                std::string(1 + random() % 3, static_cast<char>('a' + random() % 2)) +
                (random() % 4 == 0 ? ".b" : "") + (random() % 5 == 0 ? "" : "/");
            before[name] = "\0 4a"[random() % 4];
        }
        Tree after = before;
        for (unsigned i = 0; i < random() % 4; ++i) {
            const std::string name =
                std::string(1 + random() % 3, static_cast<char>('a' + random() % 2)) + "/";
            if (random() % 2 == 0) {
                after.erase(name);
            } else {
                after[name] = "\0 4a"[random() % 4];
            }
        }
        REQUIRE(changes(before, after) == expected_changes(before, after));
    }
}

TEST_CASE("Bytes that are no tree are refused") {
    for (const std::string& bytes :
         {std::string("40000 a"), std::string("40000 a\0short", 13), std::string(30, 'x')}) {
        CHECK_THROWS_AS(read_tree(bytes), Problem);
        CHECK_THROWS_AS(changed_folders("", bytes), Problem);
    }
}

}  // namespace list_history_test
