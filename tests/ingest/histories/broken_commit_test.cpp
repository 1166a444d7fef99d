#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace broken_commit_test {

using namespace cacheledger;

namespace {

/// Loads the commits one by one, the newest first: the ledger is to be the same.
void check_backwards(HistoryLedger& history, const std::vector<std::string>& commits) {
    const auto views = history.ledger().views();
    for (const std::string& snapshot : history.ledger().rows("SELECT name FROM snapshots")) {
        history.forget(snapshot);
    }
    for (std::size_t i = commits.size() - 1; i > 0; --i) {
        // A range without pages is an error, and no matter here.
        static_cast<void>(history.problems(commits[i - 1] + ".." + commits[i]));
    }
    history.load();
    CHECK(history.ledger().views() == views);
    CHECK(history.faults().empty());
}

}  // namespace

TEST_CASE("A page that a commit broke leaves its package as it was, until it is mended") {
    HistoryLedger history;
    auto& repository = history.repository();
    std::vector<std::string> commits;
    history.write("zlib", {"a"});
    history.write("hwloc", {"h"});
    history.write("zlib", {"v"}, "v1");
    commits.push_back(history.commit("2025-03-01"));
    SECTION("one that says whose it is") {
        repository.write(place_of("zlib"), broken_page("zlib"));
    }
    SECTION("one of which only the place says it") {
        repository.write(place_of("zlib"), torn_page);
    }
    SECTION("an empty one") {
        repository.write(place_of("zlib"), "");
    }
    commits.push_back(history.commit("2025-03-02"));
    history.write("hwloc", {"i"});
    commits.push_back(history.commit("2025-03-03"));
    history.write("zlib", {"w"}, "v1");
    commits.push_back(history.commit("2025-03-04"));
    history.write("zlib", {"b"});
    commits.push_back(history.commit("2025-03-05"));
    const HistoryResult result = history.load();
    REQUIRE(result.problems.size() == 1);
    CHECK(result.problems[0].starts_with(
        fmt::format("commit {}: {}:", commits[1].substr(0, 10), place_of("zlib"))));
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: hwloc:h zlib:a",
                                    "develop@2025-03-02T00:00:00Z: hwloc:h zlib:a",
                                    "develop@2025-03-03T00:00:00Z: hwloc:i zlib:a",
                                    "develop@2025-03-05T00:00:00Z: hwloc:i zlib:b",
                                    "v1@2025-03-01T00:00:00Z: zlib:v",
                                    "v1@2025-03-04T00:00:00Z: zlib:w"});
    CHECK(history.findings() ==
          Lines{"develop@2025-03-02T00:00:00Z|zlib|" + place_of("zlib") + "|page-unreadable",
                "develop@2025-03-03T00:00:00Z|zlib|" + place_of("zlib") + "|page-unreadable"});
    CHECK(history.ledger().value("SELECT count(*) FROM snapshots WHERE extent = 'partial'") == "0");
    CHECK(history.load().known_commits == 5);
    check_backwards(history, commits);
}

TEST_CASE("A broken page that is new is a finding until it is mended or gone") {
    HistoryLedger history;
    auto& repository = history.repository();
    std::vector<std::string> commits;
    history.write("zlib", {"a"});
    commits.push_back(history.commit("2025-03-01"));
    repository.write(place_of("hwloc"), torn_page);
    repository.write(place_of("mpich"), broken_page("mpich"));
    commits.push_back(history.commit("2025-03-02"));
    history.write("hwloc", {"h"});
    commits.push_back(history.commit("2025-03-03"));
    history.remove("mpich");
    commits.push_back(history.commit("2025-03-04"));
    history.load();
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: zlib:a",
                                    "develop@2025-03-02T00:00:00Z: zlib:a",
                                    "develop@2025-03-03T00:00:00Z: hwloc:h zlib:a",
                                    "develop@2025-03-04T00:00:00Z: hwloc:h zlib:a"});
    CHECK(history.findings() ==
          Lines{"develop@2025-03-02T00:00:00Z|hwloc|" + place_of("hwloc") + "|page-unreadable",
                "develop@2025-03-02T00:00:00Z|mpich|" + place_of("mpich") + "|page-unreadable",
                "develop@2025-03-03T00:00:00Z|mpich|" + place_of("mpich") + "|page-unreadable"});
    check_backwards(history, commits);
}

TEST_CASE("While it is unknown of which package a broken page is, none is taken to be gone") {
    HistoryLedger history;
    auto& repository = history.repository();
    std::vector<std::string> commits;
    repository.write("a.md", page_text("zlib", {"a"}));
    repository.write("b.md", page_text("hwloc", {"h"}));
    repository.write("c.md", page_text("mpich", {"m"}));
    commits.push_back(history.commit("2025-03-01"));
    repository.write("a.md", torn_page);
    repository.remove("b.md");
    commits.push_back(history.commit("2025-03-02"));
    repository.write("c.md", page_text("mpich", {"n"}));
    commits.push_back(history.commit("2025-03-03"));
    repository.remove("a.md");
    commits.push_back(history.commit("2025-03-04"));
    repository.write("c.md", page_text("mpich", {"o"}));
    commits.push_back(history.commit("2025-03-05"));
    history.load();
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: hwloc:h mpich:m zlib:a",
                                    "develop@2025-03-02T00:00:00Z: hwloc:h mpich:m zlib:a",
                                    "develop@2025-03-03T00:00:00Z: hwloc:h mpich:n zlib:a",
                                    "develop@2025-03-05T00:00:00Z: mpich:o"});
    CHECK(history.findings() == Lines{"develop@2025-03-02T00:00:00Z|NULL|a.md|page-unreadable",
                                      "develop@2025-03-03T00:00:00Z|NULL|a.md|page-unreadable"});
    check_backwards(history, commits);
}

TEST_CASE("Where all pages of a tag are broken, it stays as it was") {
    HistoryLedger history;
    auto& repository = history.repository();
    std::vector<std::string> commits;
    history.write("zlib", {"a"});
    history.write("hwloc", {"h"});
    history.write("zlib", {"v"}, "v1");
    commits.push_back(history.commit("2025-03-01"));
    const std::string text = GENERATE(std::string(torn_page), broken_page("zlib"));
    repository.write(place_of("zlib"), text);
    repository.write(place_of("hwloc"), text == torn_page ? text : broken_page("hwloc"));
    commits.push_back(history.commit("2025-03-02"));
    history.write("zlib", {"w"}, "v1");  // of no concern to develop
    commits.push_back(history.commit("2025-03-03"));
    history.remove("hwloc");
    commits.push_back(history.commit("2025-03-04"));
    history.load();
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: hwloc:h zlib:a",
                                    "develop@2025-03-02T00:00:00Z: hwloc:h zlib:a",
                                    "develop@2025-03-04T00:00:00Z: zlib:a",
                                    "v1@2025-03-01T00:00:00Z: zlib:v",
                                    "v1@2025-03-03T00:00:00Z: zlib:w"});
    CHECK(history.ledger().value("SELECT count(*) FROM findings WHERE snapshot GLOB 'v1*'") == "0");
    CHECK(history.ledger().value("SELECT count(*) FROM findings") == "3");
    check_backwards(history, commits);
}

TEST_CASE("Of two pages of one package the first by path wins, whichever was changed last") {
    HistoryLedger history;
    auto& repository = history.repository();
    std::vector<std::string> commits;
    repository.write("b/zlib.md", page_text("zlib", {"b"}));
    commits.push_back(history.commit("2025-03-01"));
    repository.write("a/zlib.md", page_text("zlib", {"a"}));
    commits.push_back(history.commit("2025-03-02"));
    repository.write("b/zlib.md", page_text("zlib", {"c"}));
    commits.push_back(history.commit("2025-03-03"));
    repository.write("a-b/zlib.md", page_text("zlib", {"d"}));  // '-' sorts before '/'
    commits.push_back(history.commit("2025-03-04"));
    repository.remove("a-b/zlib.md");
    repository.remove("a/zlib.md");
    commits.push_back(history.commit("2025-03-05"));
    history.load();
    const std::string name = "develop@2025-03-0";
    CHECK(history.states() == Lines{name + "1T00:00:00Z: zlib:b", name + "2T00:00:00Z: zlib:a",
                                    name + "3T00:00:00Z: zlib:a", name + "4T00:00:00Z: zlib:d",
                                    name + "5T00:00:00Z: zlib:c"});
    CHECK(history.findings() == Lines{name + "2T00:00:00Z|zlib|b/zlib.md|page-duplicate",
                                      name + "3T00:00:00Z|zlib|b/zlib.md|page-duplicate",
                                      name + "4T00:00:00Z|zlib|a/zlib.md|page-duplicate",
                                      name + "4T00:00:00Z|zlib|b/zlib.md|page-duplicate"});
    CHECK(history.ledger().value("SELECT detail FROM findings WHERE snapshot GLOB '*-02T*'") ==
          "b/zlib.md: a second page for package zlib in develop@2025-03-02T00:00:00Z; the first is "
          "a/zlib.md");
    check_backwards(history, commits);
}

TEST_CASE("A folder and a commit with the same pages take the same one for the first") {
    HistoryLedger history;
    const Lines paths{"a/zlib.md", "a-b/zlib.md"};
    const auto folder = history.ledger().folder().path() / "folder";
    for (const std::string& path : paths) {
        const std::string text = page_text("zlib", {path == "a/zlib.md" ? "a" : "b"});
        history.repository().write(path, text);
        history.ledger().folder().write("folder/" + path, text);
    }
    history.commit("2025-03-01");
    history.load();
    history.ledger().ingest("2025-03-02", {folder.string()}, {.keep_going = true});
    CHECK(history.states() ==
          Lines{"develop@2025-03-01T00:00:00Z: zlib:b", "develop@2025-03-02T00:00:00Z: zlib:b"});
}

TEST_CASE("A commit with a broken page of a tag that is in the ledger is completed by the rest") {
    HistoryLedger history;
    auto& repository = history.repository();
    std::vector<std::string> commits;
    history.write("zlib", {"a"});
    history.write("hwloc", {"h"});
    history.write("zlib", {"v"}, "v1");
    commits.push_back(history.commit("2025-03-01"));
    repository.write(place_of("zlib"), GENERATE(std::string(torn_page), broken_page("zlib")));
    history.write("zlib", {"w"}, "v1");
    commits.push_back(history.commit("2025-03-02"));
    history.load();
    const auto views = history.ledger().views();
    history.forget("v1@2025-03-02");
    const HistoryResult again = history.load();
    CHECK(again.loaded == 1);
    CHECK(again.replaced == 0);
    CHECK(history.load().known_commits == 2);
    CHECK(history.ledger().views() == views);
    check_backwards(history, commits);
}

}  // namespace broken_commit_test
