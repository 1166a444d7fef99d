#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace commit_time_test {

// A commit whose time can't be read: git keeps what it is given.
using namespace cacheledger;

namespace {

const std::string third = " A <a@example.org> 1740960000 +0000";   // 2025-03-03
const std::string fourth = " A <a@example.org> 1741046400 +0000";  // 2025-03-04

/// Commits of zlib: a good one of the first of March, and others.
class Commits : public HistoryLedger {
  public:
    Commits() {
        write("zlib", {"a"});
        first = commit("2025-03-01");
    }

    std::string add(const std::string& author, const std::string& committer,
                    const std::string& stem = "b") {
        write("zlib", {stem});
        return repository().commit_by(author, committer);
    }
    Lines all_findings() {
        return ledger().rows("SELECT snapshot, package, path, kind, detail FROM findings");
    }

    std::string first;
};

std::string finding(const std::string& snapshot, const std::string& commit,
                    const std::string& moment) {
    return snapshot + "|NULL|NULL|time-unreadable|commit " + commit.substr(0, 10) +
           ": the committer's time can't be read, " + moment;
}

const Lines unreadable{"committer A <a@example.org>",
                       "committer A <a@example.org> ",
                       "committer A <a@example.org> now +0000",
                       "committer A <a@example.org> 123abc +0000",
                       "committer A <a@example.org> 1741046400.5 +0000",
                       "committer A <a@example.org> 0x10 +0000",
                       "committer A <a@example.org> 99999999999999999999 +0000",
                       "committer A a@example.org 1741046400 +0000",
                       "committer",
                       "mess"};

const Lines readable{"committer A <a@example.org> 1741046400",
                     "committer A <a@example.org> 1741046400 mess",
                     "committer A <a@example.org>1741046400 +0000",
                     "committer A <a@example.org>  1741046400 +9999",
                     "committer A <<a@example.org>> 1741046400 +0000",
                     "committer  1741046400 +0000"};

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

TEST_CASE("Where the committer's time can't be read, the author's is taken, which is a finding") {
    for (const std::string& committer : unreadable) {
        INFO(committer);
        Commits commits;
        const std::string id = commits.add("author" + third, committer);
        CHECK(commits.load().touching_commits == 2);
        CHECK(commits.states() == Lines{"develop@2025-03-01T00:00:00Z: zlib:a",
                                        "develop@2025-03-03T00:00:00Z: zlib:b"});
        CHECK(commits.all_findings() ==
              Lines{finding("develop@2025-03-03T00:00:00Z", id, "the moment is its author's")});
        CHECK(commits.load().known_commits == 2);
        CHECK(commits.faults().empty());
    }
}

TEST_CASE("A committer's time that can be read is taken, whatever else can't") {
    for (const std::string& committer : readable) {
        const std::string author =
            GENERATE("author A <a@example.org> 1740960000 +0000", "author", "author A now", "mess");
        INFO(author << ", " << committer);
        Commits commits;
        commits.add(author, committer);
        commits.load();
        CHECK(commits.states() == Lines{"develop@2025-03-01T00:00:00Z: zlib:a",
                                        "develop@2025-03-04T00:00:00Z: zlib:b"});
        CHECK(commits.all_findings().empty());
    }
}

TEST_CASE("Where the author's time can't be read either, the time of the commit before is taken") {
    Commits commits;
    const std::string id = commits.add("author A", "committer A");
    SECTION("in one run") {
        commits.load();
    }
    SECTION("of a commit that is in the ledger") {
        commits.load(commits.first);
        commits.load();
    }
    SECTION("of a commit that is left out") {
        commits.load(commits.first + "..main");
    }
    const std::string moment = "develop@2025-03-01T00:00:01Z";
    CHECK(commits.states().back() == moment + ": zlib:b");
    CHECK(commits.all_findings() ==
          Lines{finding(moment, id,
                        "nor its author's; the moment is that of the commit before it; an earlier "
                        "snapshot has this second; the snapshot is 1 second later")});
    CHECK(commits.faults().empty());
}

TEST_CASE("The first commit of all, without a time that can be read, is at 1970") {
    HistoryLedger history;
    history.write("zlib", {"a"});
    const std::string first = history.repository().commit_by("author A", "committer A");
    history.write("hwloc", {"h"}, "v1");
    const std::string second = history.repository().commit_by("author A", "committer A");
    history.load();
    const std::string why =
        "nor its author's, and no commit is before it; the moment is 1970-01-01T00:00:00Z";
    CHECK(history.states() ==
          Lines{"develop@1970-01-01T00:00:00Z: zlib:a", "v1@1970-01-01T00:00:00Z: hwloc:h"});
    CHECK(history.ledger().rows(
              "SELECT snapshot, package, path, kind, detail FROM findings ORDER BY 1") ==
          Lines{finding("develop@1970-01-01T00:00:00Z", first, why),
                finding("v1@1970-01-01T00:00:00Z", second, why)});
}

TEST_CASE("A commit beyond the years 0 to 9999 is at its parent's time, and the history goes on") {
    const std::string time = GENERATE("253402300800", "-62167219201", "9223372036854775807");
    const std::string author = GENERATE("1740960000", "253402300800");
    INFO(author << ", " << time);
    Commits commits;
    const std::string id = commits.add("author A <a@example.org> " + author + " +0000",
                                       "committer A <a@example.org> " + time + " +0000");
    commits.write("hwloc", {"h"});
    commits.commit("2025-03-05");
    const HistoryResult result = commits.load();
    CHECK(result.touching_commits == 3);
    CHECK(commits.states() == Lines{"develop@2025-03-01T00:00:00Z: zlib:a",
                                    "develop@2025-03-01T00:00:01Z: zlib:b",
                                    "develop@2025-03-05T00:00:00Z: hwloc:h zlib:b"});
    CHECK(commits.all_findings() ==
          Lines{"develop@2025-03-01T00:00:01Z|NULL|NULL|time-unreadable|commit " +
                id.substr(0, 10) +
                ": the committer's time is not in the years 0 to 9999; the moment is that of the "
                "commit before it; an earlier snapshot has this second; the snapshot is 1 second "
                "later"});
    CHECK(commits.load().known_commits == 3);
    CHECK(commits.faults().empty());
}

TEST_CASE("A dated tag has its date, whatever the commit's time") {
    HistoryLedger history;
    history.write("zlib", {"a"}, "develop-2025-03-30");
    history.repository().commit_by("author A", "committer A");
    history.load();
    CHECK(history.states() == Lines{"develop-2025-03-30: zlib:a"});
    CHECK(history.findings().empty());
}

TEST_CASE("A commit with a parent that is no id is refused") {
    Commits commits;
    const std::string parent = GENERATE(std::string(40, 'g'), std::string(41, 'a'), "");
    commits.repository().commit_by("parent " + parent, "committer" + third);
    const Lines problems = commits.problems();
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].ends_with(
        " can't be read: expected the ids of a tree and of parents; see git fsck"));
}

TEST_CASE("A commit that names no one is loaded with those before and behind it") {
    Commits commits;
    const std::string odd = commits.add("mess", "mess");
    commits.write("zlib", {"c"});
    const std::string good =
        commits.repository().commit_by("author" + fourth, "committer" + fourth);
    const auto days = [&](const std::string& revision) {
        CHECK(commits.problems(revision) == Lines{"(none)"});
        return commits.ledger().value(
            "SELECT group_concat(day, '') FROM (SELECT substr(taken_at, 10, 1) AS day "
            "FROM snapshots ORDER BY 1)");
    };
    SECTION("in the middle") {
        CHECK(days("HEAD") == "114");
    }
    SECTION("at the end") {
        CHECK(days(odd) == "11");
    }
    SECTION("at the beginning of a range") {
        CHECK(days(odd + "..main") == "4");
    }
    SECTION("the one before it, which is not found") {
        const Lines problems = commits.problems(odd + "~1");
        REQUIRE(problems.size() == 1);
        CHECK(problems[0].starts_with("usage: --rev '" + odd + "~1': expected a commit,"));
    }
    SECTION("before the beginning of a range") {
        commits.write("zlib", {"d"});
        commits.commit("2025-03-05");
        CHECK(days(good + "..main") == "5");
    }
}

TEST_CASE("A range, a commit, a branch or a tag says which commits") {
    const auto days = [](Five& five, const std::string& revision) {
        INFO(revision);
        CHECK(five.problems(revision) == Lines{"(none)"});
        return five.days();
    };
    for (const auto& [revision, expected] : std::vector<std::pair<std::string, std::string>>{
             {"three", "123"}, {"three..main", "45"}, {"main", "12345"}, {"HEAD~3", "12"}}) {
        Five five;
        five.repository().tag("three", five.commits[2]);
        CHECK(days(five, revision) == expected);
    }
    Five ranges;
    CHECK(days(ranges, ranges.range(2, 4)) == "34");
    CHECK(days(ranges, ranges.range(1, 2)) == "234");
    Five to_the_end;
    CHECK(days(to_the_end, to_the_end.commits[3] + "..") == "5");
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

}  // namespace commit_time_test
