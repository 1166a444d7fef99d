#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ingest/runs/commits/history.hpp"
#include "ingest/runs/files/ingest.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/moment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/repositories/graph_history_ledger.hpp"

namespace graph_history_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

namespace {

/// With one commit, of a lock file of one node.
struct HistoryOfOne : GraphHistoryLedger {
    HistoryOfOne() {
        write({"a"});
        commit("2025-03-01T06:00");
    }
};

const Lines none;

std::string short_name(const std::string& commit) {
    return commit.substr(0, 10);
}

void add_to_config(const git_fixture::Repository& repository, const std::string& text) {
    std::ofstream(repository.path() + "/.git/config", std::ios::app) << text;
}

}  // namespace

TEST_CASE("Each commit that touched a lock file is a snapshot at its time") {
    GraphHistoryLedger history;
    history.write({"a", "b"});
    history.commit("2025-03-01T06:00");
    history.repository().write("README.md", "# An environment");
    history.commit("2025-03-01T07:00");
    history.write({"b", "c"});
    const std::string last = history.commit("2025-03-01T08:00");
    const HistoryResult result = history.load();
    CHECK(result.commits == 3);
    CHECK(result.touching_commits == 2);
    CHECK(result.loaded == 2);
    CHECK(result.specs == 4);
    CHECK(result.new_specs == 3);
    CHECK(history.states() == Lines{"2025-03-01T06:00:00Z lock whole: ab, root a",
                                    "2025-03-01T08:00:00Z lock whole: bc, root b"});
    CHECK(history.ledger().rows("SELECT source FROM snapshots ORDER BY name").back() ==
          fmt::format("{}@{}:spack.lock", history.repository().path(), last));
    CHECK(history.faults() == none);
}

TEST_CASE("The next run loads the new commits of a lock file only") {
    HistoryOfOne history;
    history.load();
    history.write({"b"});
    history.commit("2025-03-01T07:00");
    const HistoryResult second = history.load();
    CHECK(second.known_commits == 1);
    CHECK(second.loaded == 1);
    const auto before = history.ledger().tables();
    const HistoryResult third = history.load();
    CHECK(third.known_commits == 2);
    CHECK(third.loaded == 0);
    CHECK(history.ledger().tables() == before);
}

TEST_CASE("A run of a lock file that is stopped keeps its commits, and the next one goes on") {
    GraphHistoryLedger history;
    for (const char* const stem : {"a", "b", "c", "d"}) {
        history.write({stem});
        history.commit(fmt::format("2025-03-01T0{}:00", *stem - 'a'));
    }
    const auto stop = [](std::size_t done, std::size_t) {
        if (done == 2) {
            throw Interrupted("stop");
        }
    };
    CHECK_THROWS_AS(
        ingest_history(history.ledger().database(),
                       {history.repository().path(), "HEAD", "spack.lock", "derecho"}, stop),
        Interrupted);
    CHECK(history.states().size() == 2);
    CHECK(history.load().known_commits == 2);
    CHECK(history.states().size() == 4);
}

TEST_CASE("If a commit removes the file, its snapshot is empty") {
    GraphHistoryLedger history;
    history.write({"a", "b"});
    history.commit("2025-03-01T06:00");
    history.repository().remove("spack.lock");
    history.commit("2025-03-01T07:00");
    history.write({"b"});
    history.commit("2025-03-01T08:00");
    history.repository().remove("spack.lock");
    history.repository().link("spack.lock", "other.lock");
    history.commit("2025-03-01T09:00");
    history.load();
    CHECK(history.states() ==
          Lines{"2025-03-01T06:00:00Z lock whole: ab, root a", "2025-03-01T07:00:00Z lock whole: ",
                "2025-03-01T08:00:00Z lock whole: b, root b", "2025-03-01T09:00:00Z lock whole: "});
    CHECK(history.faults() == none);
}

TEST_CASE("A file that a commit broke is a finding, and the state stays as it was") {
    HistoryOfOne history;
    history.repository().write("spack.lock", R"({"roots": [)");
    const std::string broken = history.commit("2025-03-01T07:00");
    history.write({"b"});
    history.commit("2025-03-01T08:00");
    const HistoryResult result = history.load();
    CHECK(history.states() == Lines{"2025-03-01T06:00:00Z lock whole: a, root a",
                                    "2025-03-01T07:00:00Z lock partial: a, root a",
                                    "2025-03-01T08:00:00Z lock whole: b, root b"});
    REQUIRE(result.problems.size() == 1);
    CHECK_THAT(result.problems[0],
               ContainsSubstring(fmt::format("commit {}: spack.lock: ", short_name(broken))));
    REQUIRE(history.findings().size() == 1);
    CHECK_THAT(history.findings()[0],
               ContainsSubstring("derecho@2025-03-01T07:00:00Z|spack.lock|file-unreadable|"));
    CHECK(history.faults() == none);
}

TEST_CASE("A broken file follows the state before it, whenever that is loaded or forgotten") {
    HistoryOfOne history;
    history.write({"b"});
    const std::string second = history.commit("2025-03-01T07:00");
    history.repository().write("spack.lock", "torn");
    history.commit("2025-03-01T08:00");
    history.load();
    const Lines states = history.states();
    history.forget("derecho@2025-03-01T07:00:00Z");
    CHECK(history.states() == Lines{"2025-03-01T06:00:00Z lock whole: a, root a",
                                    "2025-03-01T08:00:00Z lock partial: a, root a"});
    CHECK(history.faults() == none);
    history.load(second);
    CHECK(history.states() == states);
    CHECK(history.faults() == none);
}

TEST_CASE("A broken file before any other makes no snapshot, and is read again by the next run") {
    GraphHistoryLedger history;
    history.repository().write("spack.lock", "torn");
    const std::string broken = history.commit("2025-03-01T06:00");
    CHECK(history.problems() ==
          Lines{fmt::format("REPO: no commit of HEAD has a spack.lock that can be read; commit {}: "
                            "spack.lock: expected a build-cache index, an install database or a "
                            "lock file; found no JSON",
                            short_name(broken))});
    history.write({"a"});
    history.commit("2025-03-01T07:00");
    CHECK(history.load().problems.size() == 1);
    CHECK(history.states() == Lines{"2025-03-01T07:00:00Z lock whole: a, root a"});
    CHECK(history.load().known_commits == 1);
}

TEST_CASE("A broken file that comes later in history, at an earlier time, follows the same rule") {
    GraphHistoryLedger history;
    history.repository().write("spack.lock", "torn");
    history.commit("2025-03-01T06:00");
    history.write({"a"});
    history.commit("2025-03-01T05:00");
    history.load();
    CHECK(history.states() == Lines{"2025-03-01T05:00:00Z lock whole: a, root a",
                                    "2025-03-01T06:00:00Z lock partial: a, root a"});
    CHECK(history.faults() == none);
}

TEST_CASE(
    "Several commits of a lock file in one second are a second apart, in any order of loading") {
    GraphHistoryLedger history;
    history.write({"a", "b"});
    const std::string first = history.commit("2025-03-01T06:00");
    history.write({"b", "c"});
    const std::string second = history.commit("2025-03-01T06:00");
    const Lines expected = {"2025-03-01T06:00:00Z lock whole: ab, root a",
                            "2025-03-01T06:00:01Z lock whole: bc, root b"};
    SECTION("at once") {
        const HistoryResult result = history.load();
        CHECK(result.replaced == 0);
    }
    SECTION("the last one first") {
        history.load(first + ".." + second);
    }
    SECTION("the first one first") {
        history.load(first);
    }
    history.load();
    CHECK(history.states() == expected);
    CHECK(history.load().known_commits == 2);
    CHECK(history.ledger().rows(
              "SELECT DISTINCT hash, knows_dependencies FROM specs ORDER BY hash") ==
          Lines{hash_of("a") + "|1", hash_of("b") + "|1", hash_of("c") + "|1"});
    CHECK(history.faults() == none);
}

TEST_CASE("A file that comes and goes in one second is gone") {
    HistoryOfOne history;
    history.repository().remove("spack.lock");
    const std::string gone = history.commit("2025-03-01T06:00");
    history.load();
    const Lines expected = {"2025-03-01T06:00:00Z lock whole: a, root a",
                            "2025-03-01T06:00:01Z lock whole: "};
    CHECK(history.states() == expected);
    history.forget("derecho@2025-03-01T06:00:01Z");
    history.load();
    CHECK(history.states() == expected);
    CHECK(history.faults() == none);
}

TEST_CASE("A commit of a lock file whose time can't be read gets another, and a finding") {
    GraphHistoryLedger history;
    history.write({"a"});
    history.repository().commit_by("author A <a@example.org> 1740787200 +0000",
                                   "committer A <a@example.org> soon");
    history.load();
    CHECK(history.states() == Lines{"2025-03-01T00:00:00Z lock whole: a, root a"});
    REQUIRE(history.findings().size() == 1);
    CHECK_THAT(history.findings()[0], ContainsSubstring("time-unreadable"));
}

TEST_CASE("A range of commits of a lock file leaves the others out") {
    GraphHistoryLedger history;
    history.write({"a"});
    const std::string first = history.commit("2025-03-01T06:00");
    history.write({"b"});
    const std::string second = history.commit("2025-03-01T07:00");
    history.repository().write("README.md", "# An environment");
    const std::string third = history.commit("2025-03-01T08:00");
    history.load(first + ".." + second);
    CHECK(history.states() == Lines{"2025-03-01T07:00:00Z lock whole: b, root b"});
    // It is there all the time, and was not touched.
    CHECK(history.problems(second + ".." + third) == Lines{"(none)"});
}

TEST_CASE("One lock file can be loaded under two tags, and two under one") {
    GraphHistoryLedger history;
    history.write({"a"});
    history.repository().write("other.lock", lock_of({"b"}));
    history.commit("2025-03-01T06:00");
    history.load();
    CHECK(history.load("HEAD", "casper").loaded == 1);
    CHECK(history.load("HEAD", "casper").known_commits == 1);
    CHECK(history.load("HEAD", "derecho").known_commits == 1);
    CHECK(history.faults() == none);
    // Another file is another state of the tag; each run takes back what the other did.
    CHECK(history.load("HEAD", "derecho", "other.lock").replaced == 1);
    CHECK(history.load().replaced == 1);
    CHECK(history.faults() == none);
}

TEST_CASE("Indexes and install databases have histories, too, plain or gzip") {
    using graph_text::NodeText;
    GraphHistoryLedger history;
    const std::string a = hash_of("a");
    const std::vector<graph_text::Keyed> nodes = {{a, NodeText{.hash = a}.text(4)}};
    history.repository().write("index.json", gzipped(graph_text::index("7", nodes)));
    history.repository().write(
        "installed.json",
        graph_text::index("7", nodes, R"("installed":true,"path":"/opt/zlib","explicit":true)"));
    history.commit("2025-03-01T06:00");
    history.repository().remove("index.json");
    history.commit("2025-03-01T07:00");
    history.load("HEAD", "develop", "index.json");
    history.load("HEAD", "site", "installed.json");
    CHECK(history.ledger().rows("SELECT s.name, s.kind, x.stacks FROM snapshots s "
                                "LEFT JOIN specs x USING (snapshot_id) ORDER BY 1") ==
          Lines{"develop@2025-03-01T06:00:00Z|index|root",
                "develop@2025-03-01T07:00:00Z|index|NULL", "site@2025-03-01T06:00:00Z|install|"});
    CHECK(history.faults() == none);
}

TEST_CASE("A file that becomes another kind of file ends the run, and what was before it stays") {
    HistoryOfOne history;
    history.repository().write("spack.lock", graph_text::index("7", {}));
    const std::string other = history.commit("2025-03-01T07:00");
    CHECK(history.problems() ==
          Lines{fmt::format("usage: REPO@{}:spack.lock: the tag 'derecho' has snapshots of lock "
                            "files, which no snapshot of indexes can follow; give another one "
                            "with --tag",
                            other)});
    CHECK(history.states() == Lines{"2025-03-01T06:00:00Z lock whole: a, root a"});
    CHECK(history.problems(other + "~.." + other, "cache") == Lines{"(none)"});
    CHECK(history.faults() == none);
}

TEST_CASE("What can't be the history of a file is refused in one line") {
    GraphHistoryLedger history;
    history.write({"a"});
    history.repository().write("deep/spack.lock", lock_of({"b"}));
    history.commit("2025-03-01T06:00");
    CHECK(history.problems("HEAD", "derecho", "other.lock") ==
          Lines{"REPO: no commit of HEAD has other.lock"});
    CHECK(history.problems("HEAD", "derecho", "deep") ==
          Lines{"usage: --path 'deep' is a folder; expected the path of a file with --tag"});
    CHECK(history.problems("HEAD", "derecho", ".") ==
          Lines{"usage: --path '.': expected the path of a file with --tag"});
    CHECK(history.problems("HEAD", "derecho", "../spack.lock") ==
          Lines{"usage: --path '../spack.lock': expected a file below the top of the repository"});
    CHECK(history.problems("HEAD", "derecho-2025-03-01") ==
          Lines{"usage: --tag 'derecho-2025-03-01': with --history each commit has its own time; "
                "expected a tag without a date"});
    CHECK(history.problems("HEAD", "latest").size() == 1);
    CHECK(history.ledger().value("SELECT count(*) FROM snapshots") == "0");
    CHECK(history.problems("HEAD", "derecho", "./deep//spack.lock") == Lines{"(none)"});
}

TEST_CASE("A history of pages says that a lock file needs a tag") {
    HistoryOfOne history;
    SECTION("in an empty ledger") {}
    SECTION("in one that has its history") {
        history.load();
    }
    CHECK_THROWS_WITH(ingest_history(history.ledger().database(),
                                     {history.repository().path(), "HEAD", "spack.lock"},
                                     [](std::size_t, std::size_t) {}),
                      "--path 'spack.lock' is a lock file, which has no tag of its own; give it "
                      "one with --tag");
}

TEST_CASE("A lock file that the repository lost ends the run") {
    HistoryOfOne history;
    history.write({"b"});
    history.commit("2025-03-01T07:00");
    history.repository().lose(lock_of({"b"}));
    const Lines problems = history.problems();
    REQUIRE(problems.size() == 1);
    CHECK_THAT(problems[0], ContainsSubstring("expected a whole clone (see git fsck)"));
    CHECK(history.states() == Lines{"2025-03-01T06:00:00Z lock whole: a, root a"});
}

TEST_CASE("A clone made with a filter is called so, a file or a folder that it lacks") {
    GraphHistoryLedger history;
    git_fixture::Repository& repository = history.repository();
    history.write({"a"});
    SECTION("a file") {
        history.commit("2025-03-01T06:00");
        repository.lose(lock_of({"a"}));
    }
    SECTION("a folder") {
        repository.commit_tree(std::string(40, 'a'), 1740800000);
    }
    add_to_config(repository, "[remote \"origin\"]\n\tpartialclonefilter = tree:0\n");
    const Lines problems = history.problems();
    REQUIRE(problems.size() == 1);
    CHECK_THAT(problems[0], EndsWith("expected a whole clone, not one made with --filter=tree:0"));
}

TEST_CASE("A repository that only says how its files are checked out is read") {
    GraphHistoryLedger history;
    add_to_config(history.repository(),
                  "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n"
                  "\tpartialClone = origin\n\tpreciousObjects = true\n"
                  "\trelativeWorktrees = true\n");
    CHECK_NOTHROW(GitRepository(history.repository().path()));
    add_to_config(history.repository(), "[extensions]\n\tofTomorrow = true\n");
    CHECK_THROWS_WITH(GitRepository(history.repository().path()),
                      ContainsSubstring("extensions.oftomorrow"));
}

TEST_CASE("What can't be opened as a repository is called what it is") {
    GraphHistoryLedger history;
    const std::string path = history.repository().path();
    add_to_config(history.repository(),
                  "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n");
    CHECK_THROWS_WITH(GitRepository(path), path +
                                               ": a git repository of SHA-256 objects; expected "
                                               "one of SHA-1 objects");
    const TempFolder folder;
    const std::string bundle = folder.write("x y.bundle", "# v3 git bundle\n").string();
    CHECK_THROWS_WITH(GitRepository(bundle),
                      fmt::format("{0}: a git bundle; to make a repository of it: git clone --bare "
                                  "'{0}'",
                                  bundle));
}

TEST_CASE("A file loaded by hand over a commit's snapshot stays") {
    HistoryOfOne history;
    history.load();
    const std::string text = lock_of({"c"});
    load_graph(history.ledger(), {.taken_at = parse_moment("2025-03-01T06:00"), .replace = true},
               read_into("derecho", text));
    CHECK(history.load().known_commits == 1);
    CHECK(history.states() == Lines{"2025-03-01T06:00:00Z lock whole: c, root c"});
    CHECK(history.faults() == none);
}

TEST_CASE("The history of real files gives what each of them gives") {
    const char* const folder = std::getenv("CACHELEDGER_REAL_FILES");
    if (folder == nullptr) {
        WARN("skipped: CACHELEDGER_REAL_FILES is not set");
        return;
    }
    namespace fs = std::filesystem;
    std::map<std::string, std::vector<fs::path>> by_kind;  // by the first word of the name
    for (const auto& file : fs::directory_iterator(folder)) {
        const std::string name = file.path().filename().string();
        for (const std::string kind : {"lock", "index", "installdb"}) {
            if (file.is_regular_file() && name.starts_with(kind + "-")) {
                by_kind[kind].push_back(file.path());
            }
        }
    }
    CHECK(by_kind.size() == 3);
    for (auto& [kind, files] : by_kind) {
        std::sort(files.begin(), files.end());
        GraphHistoryLedger history;
        TempLedger one_by_one;
        Moment moment = parse_moment("2025-03-01").value();
        for (const fs::path& file : files) {
            std::ifstream stream(file, std::ios::binary);
            const std::string text(std::istreambuf_iterator<char>(stream), {});
            moment += 60;
            history.repository().write("file", text);
            history.repository().commit(moment);
            load_graph(one_by_one, {.taken_at = moment}, read_into(kind, text));
        }
        const HistoryResult result = history.load("HEAD", kind, "file");
        INFO(kind);
        CHECK(result.loaded == files.size());
        auto views = history.ledger().views();
        auto expected = one_by_one.views();
        for (auto* const each : {&views, &expected}) {
            each->erase("snapshots");  // they have other sources
        }
        for (const auto& [view, rows] : expected) {
            INFO(view);
            CHECK((views[view] == rows));
        }
        CHECK(history.faults() == none);
    }
}

}  // namespace graph_history_test
