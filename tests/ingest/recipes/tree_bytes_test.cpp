#include <map>
#include <optional>
#include <random>
#include <string>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"
#include "tests/support/catch.hpp"

namespace tree_bytes_test {

using namespace cacheledger;

namespace {

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

}  // namespace tree_bytes_test
