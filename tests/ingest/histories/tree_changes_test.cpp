#include "ingest/sources/git/tree_walk.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "schema/text/digest.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace tree_changes_test {

using namespace cacheledger;
using git_fixture::Repository;

namespace {

using Files = std::map<std::string, std::string>;           // texts by path
using Changes = std::vector<std::pair<std::string, bool>>;  // path; whether it is there after

constexpr std::int64_t moment = 1740787200;

Changes changes_of(const GitRepository& repository, const std::optional<Digest>& before,
                   const Digest& after, const std::string& path = "") {
    Changes changes;
    for (const GitChange& change : tree_changes(repository, before, after, path)) {
        changes.emplace_back(change.path, change.after.has_value());
    }
    return changes;
}

Changes expected(const Files& before, const Files& after) {
    Changes changes;
    for (const auto& [path, text] : before) {
        if (!after.contains(path)) {
            changes.emplace_back(path, false);
        }
    }
    for (const auto& [path, text] : after) {
        const auto old = before.find(path);
        if (old == before.end() || old->second != text) {
            changes.emplace_back(path, true);
        }
    }
    std::sort(changes.begin(), changes.end());
    return changes;
}

}  // namespace

TEST_CASE("Trees differ in the files in which they differ") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const TempFolder folder;
    Repository repository(folder.path() / "r");
    // Names that git sorts otherwise where they are folders: "a.b" is before "a/".
    const std::vector<std::string> names = {"a", "a.b", "a0", "ab", "b"};
    std::vector<Files> states = {{}};
    for (int i = 0; i < 40; ++i) {
        Files files;
        repository.clear();
        for (int file = 0; file < 8; ++file) {
            std::string path = names[random() % names.size()];
            while (random() % 2 == 0) {
                path += "/" + names[random() % names.size()];
            }
            const bool clashes = std::any_of(files.begin(), files.end(), [&](const auto& other) {
                return other.first == path || other.first.starts_with(path + "/") ||
                       path.starts_with(other.first + "/");
            });
            if (!clashes) {
                files[path] = std::to_string(random() % 3);
                repository.write(path, files[path]);
            }
        }
        repository.commit(moment + i);
        states.push_back(files);
    }
    const GitRepository git(repository.path());
    const auto history = git.first_parent_history("HEAD");
    REQUIRE(history.size() == 40);
    std::optional<Digest> before;
    for (std::size_t i = 0; i < history.size(); ++i) {
        INFO("commit " << i);
        CHECK(changes_of(git, before, history[i].tree) == expected(states[i], states[i + 1]));
        Files old;
        Files now;
        const auto below = [](const Files& files, const std::string& name) {
            Files chosen;
            for (const auto& [path, text] : files) {
                if (path == name || path.starts_with(name + "/")) {
                    chosen[path] = text;
                }
            }
            return chosen;
        };
        for (const std::string& name : names) {
            CHECK(changes_of(git, before, history[i].tree, name) ==
                  expected(below(states[i], name), below(states[i + 1], name)));
        }
        before = history[i].tree;
    }
}

TEST_CASE("A subtree that both trees have is not walked, however many files it stands for") {
    const TempFolder folder;
    Repository repository(folder.path() / "r");
    repository.write("q.md", "y");
    repository.commit(moment);
    const std::string blob = repository.write_object("blob", "x");
    std::string large =
        repository.write_object("tree", Repository::tree_entry("100644", "a", blob));
    for (int i = 0; i < 60; ++i) {
        large = repository.write_object("tree", Repository::tree_entry("40000", "a", large) +
                                                    Repository::tree_entry("40000", "b", large));
    }
    const std::string both = Repository::tree_entry("40000", "large", large);
    repository.commit_tree(repository.write_object("tree", both), moment);
    repository.commit_tree(
        repository.write_object("tree", both + Repository::tree_entry("100644", "p.md", blob)),
        moment + 1);
    const GitRepository git(repository.path());
    const auto tree_of = [&](const std::string& revision) {
        return git.first_parent_history(revision).back().tree;
    };
    CHECK(changes_of(git, tree_of("HEAD~1"), tree_of("HEAD")) == Changes{{"p.md", true}});
}

}  // namespace tree_changes_test
