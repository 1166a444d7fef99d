#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace commit_range_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

const std::string dated = "develop-2025-03-30";

/// Five commits, each with another page of zlib; the second and the fourth rewrite a dated tag.
class Five : public HistoryLedger {
  public:
    Five() {
        for (int i = 1; i <= 5; ++i) {
            const std::string hash(1, static_cast<char>('a' + i - 1));
            write("zlib", {hash});
            if (i == 2 || i == 4) {
                write("zlib", {"x" + hash}, dated);
                write("hwloc", {"x" + hash}, dated);
            }
            if (i == 4) {
                remove("hwloc", dated);
            }
            commits.push_back(commit(fmt::format("2025-04-0{}", i)));
        }
    }

    /// The days of develop's snapshots: "2345".
    std::string days() {
        return ledger().value(
            "SELECT group_concat(day, '') FROM (SELECT substr(taken_at, 10, 1) AS day "
            "FROM snapshots WHERE tag = 'develop' ORDER BY 1)");
    }
    std::string range(int from, int to) {
        return commits[static_cast<std::size_t>(from - 1)] + ".." +
               commits[static_cast<std::size_t>(to - 1)];
    }

    std::vector<std::string> commits;
};

}  // namespace

TEST_CASE("A range, a commit, a branch or a tag says which commits") {
    Five five;
    five.repository().tag("three", five.commits[2]);
    const auto days = [&](const std::string& revision) {
        CHECK(five.problems(revision) == Lines{"(none)"});
        return five.days();
    };
    SECTION("A..B") {
        CHECK(days(five.range(2, 4)) == "34");
        CHECK(days(five.range(1, 2)) == "234");
    }
    SECTION("A..") {
        CHECK(days(five.commits[3] + "..") == "5");
    }
    SECTION("a tag") {
        CHECK(days("three") == "123");
    }
    SECTION("a tag in a range") {
        CHECK(days("three..main") == "45");
    }
    SECTION("a branch") {
        CHECK(days("main") == "12345");
    }
    SECTION("a commit") {
        CHECK(days("HEAD~3") == "12");
    }
}

TEST_CASE("A range of a side branch leaves out what the other side of the fork has") {
    Five five;
    five.repository().begin_branch("side", five.commits[1]);
    five.write("zlib", {"s"});
    five.commit("2025-04-06");
    five.load("main..side");
    CHECK(five.days() == "6");
}

TEST_CASE("Revisions and repositories that can't be are refused") {
    Five five;
    const auto starts = [&](const Lines& problems, const std::string& start) {
        INFO(problems[0]);
        return problems.size() == 1 && problems[0].starts_with(start);
    };
    const std::string hint = "': expected a commit, a branch, a tag or A..B";
    CHECK(starts(five.problems("nobody"), "usage: --rev 'nobody" + hint));
    CHECK(starts(five.problems("nobody..main"), "usage: --rev 'nobody" + hint));
    CHECK(starts(five.problems(""), "usage: --rev '" + hint));
    CHECK(starts(five.problems("HEAD^{tree}"), "usage: --rev 'HEAD^{tree}" + hint));
    CHECK(starts(five.problems("HEAD~1...HEAD"), "usage: --rev 'HEAD~1...HEAD': expected A..B"));
    CHECK(starts(five.problems("HEAD", "../x"), "usage: --path '../x': expected a folder below"));
    CHECK(starts(five.problems("HEAD", "/x"), "usage: --path '/x': expected a folder below"));
    CHECK(starts(five.problems("HEAD", "no/folder"),
                 five.repository().path() + ": no commit of HEAD has package pages in no/folder"));
    // A range without commits is how a nightly run says that nothing is new.
    CHECK(five.load("HEAD..HEAD").commits == 0);
    HistoryLedger empty;
    CHECK(empty.problems() == Lines{empty.repository().path() + ": the repository has no commits"});
    CHECK(five.ledger().value("SELECT count(*) FROM snapshots") == "0");
}

TEST_CASE("Where no page at all could be read, each broken one is named") {
    HistoryLedger history;
    history.repository().write("zlib.md", torn_page);
    const std::string commit = history.commit("2025-03-01");
    const Lines problems = history.problems();
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].starts_with("commit " + commit.substr(0, 10) + ": zlib.md:"));
    CHECK(problems[1].ends_with(": no commit of HEAD has package pages"));
}

TEST_CASE("A folder is loaded apart from those beside it") {
    HistoryLedger history;
    auto& repository = history.repository();
    repository.write("pages/zlib.md", page_text("zlib", {"a"}));
    repository.write("pages2/hwloc.md", page_text("hwloc", {"h"}));
    repository.write("mpich.md", page_text("mpich", {"m"}));
    history.commit("2025-03-01");
    repository.write("pages2/hwloc.md", page_text("hwloc", {"i"}));
    history.commit("2025-03-02");
    repository.write("pages/deep/down/abc.md", page_text("abc", {"c"}));
    history.commit("2025-03-03");
    const std::string folder =
        GENERATE(as<std::string>(), "pages", "pages/", "./pages", "pages2/../pages/.");
    history.load("HEAD", folder);
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: zlib:a",
                                    "develop@2025-03-03T00:00:00Z: abc:c zlib:a"});
    CHECK(history.load("HEAD", "pages").known_commits == 2);
    CHECK(history.load("HEAD", "").known_commits == 0);
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: hwloc:h mpich:m zlib:a",
                                    "develop@2025-03-02T00:00:00Z: hwloc:i mpich:m zlib:a",
                                    "develop@2025-03-03T00:00:00Z: abc:c hwloc:i mpich:m zlib:a"});
    CHECK(history.faults().empty());
}

TEST_CASE("Commits that are in the ledger are passed over, and the others loaded, in any order") {
    Five whole;
    whole.load();
    const auto expected = whole.states();
    CHECK(expected[0] == dated + ": zlib:x");
    CHECK(whole.load().known_commits == 5);
    CHECK(whole.load().loaded == 0);

    Five five;
    SECTION("half of them, then the rest") {
        CHECK(five.load("HEAD~2").loaded == 4);
        CHECK(five.load().known_commits == 3);
    }
    SECTION("the middle, then the rest") {
        five.load(five.range(2, 4));
        CHECK(five.load().known_commits == 2);
    }
    SECTION("the newest first") {
        for (int i = 5; i > 1; --i) {
            five.load(five.range(i - 1, i));
        }
        CHECK(five.load().known_commits == 4);
    }
    CHECK(five.load().known_commits == 5);
    CHECK(five.states() == expected);
    CHECK(five.ledger().rows("SELECT package, path FROM pages ORDER BY 1, 2") ==
          whole.ledger().rows("SELECT package, path FROM pages ORDER BY 1, 2"));
    CHECK(five.faults().empty());
}

TEST_CASE("A snapshot that is forgotten comes back") {
    Five five;
    five.load();
    const auto views = five.ledger().views();
    const std::string name = GENERATE(as<std::string>(), "develop@2025-04-01", "develop@2025-04-03",
                                      "develop@2025-04-04", "develop@2025-04-05", dated);
    five.forget(name);
    CHECK(five.ledger().views() != views);
    five.load();
    CHECK(five.ledger().views() == views);
    CHECK(five.load().known_commits == 5);
    CHECK(five.faults().empty());
}

}  // namespace commit_range_test
