#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/made_repository.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/shown.hpp"
#include "tests/support/ledgers/why_rows.hpp"

namespace why_commits_test {

using namespace cacheledger;

namespace {

/// The moments 0 and 1 of a GraphLedger become these two days.
constexpr const char* real_moments =
    "UPDATE snapshot SET taken_at = CASE taken_at WHEN 0 THEN 1765324800 ELSE 1765929600 END;"
    "UPDATE presence SET valid_from = CASE valid_from WHEN 0 THEN 1765324800 ELSE 1765929600 END, "
    "valid_to = CASE valid_to WHEN 1 THEN 1765929600 END;";  // 2025-12-10, 2025-12-17

/// gmake has another recipe, python another version, zlib another flag, and app uses them.
void fill(GraphLedger& ledger) {
    for (const std::string number : {"1", "2"}) {
        const bool is_new = number == "2";
        ledger.add({.stem = "gmake" + number, .package = "gmake", .recipe = is_new ? "r2" : "r1"});
        ledger.add(
            {.stem = "python" + number, .package = "python", .version = is_new ? "3.14" : "3.13"});
        ledger.add(
            {.stem = "zlib" + number, .package = "zlib", .flags = is_new ? "cflags=-O3" : ""});
        ledger.add({.stem = "app" + number,
                    .package = "app",
                    .edges = {{"gmake" + number}, {"python" + number}, {"zlib" + number}}});
        ledger.add({.stem = "tool" + number, .package = "tool", .edges = {{"gmake" + number}}});
    }
    ledger.take({{"gmake1", "python1", "zlib1", "app1", "tool1"},
                 {"gmake2", "python2", "zlib2", "app2", "tool2"}});
    ledger.database().exec(real_moments);
}

const std::vector<MadeCommit> commits = {
    {'a', "2025-12-10T00:00:00", "gmake: before", {"gmake"}},  // at the first snapshot
    {'b', "2025-12-15T10:00:00", "gmake: patch for newer glibc (#2345)", {"gmake", "zlib"}},
    {'c', "2025-12-16T10:00:00", "python: add 3.14", {"python"}},
    {'d', "2025-12-16T11:00:00", "python: <b>bold</b> | and more", {"python"}},
    {'e', "2025-12-17T00:00:00", "python: at the second snapshot", {"python"}},
    {'f', "2025-12-17T00:00:01", "python: too late", {"python", "gmake"}},
};

void add_commits(GraphLedger& ledger, const std::vector<MadeCommit>& made = commits,
                 const std::string& head_at = "2026-07-01T00:00:00") {
    ledger.database().exec(made_repository("2025-10-01T00:00:00", head_at, made));
}

std::string id(char digit) {
    return std::string(40, digit);
}

Lines lines_of_block(const Why& why) {
    Lines lines;
    for (const LabelledWords& line : part_of_commits(why.commits.value()).lines) {
        lines.push_back(fmt::format("{} {}", line.label, fmt::join(line.words, " ")));
    }
    return lines;
}

}  // namespace

TEST_CASE("A reason names the commits that touched the recipe of its package in that time") {
    GraphLedger ledger;
    fill(ledger);
    add_commits(ledger);
    const Why why = explain(ledger);
    CHECK(told(why) == Lines{"gmake|own|recipe|3|3|1|3",
                             "zlib|own|flags: (none) -> cflags=-O3|2|2|1|2",
                             "python|own|version: 3.13 -> 3.14|1|1|1|1"});
    CHECK(lines_of_block(why) ==
          Lines{"  gmake: bbbbbbb 2025-12-15 \"gmake: patch for newer glibc (#2345)\"",
                "  python: 3 commits, the newest eeeeeee 2025-12-17 \"python: at the second "
                "snapshot\""});
    const auto json = nlohmann::json::parse(shown(document_of(why), Format::json));
    const auto& reasons = json.at("reasons");
    const nlohmann::json commit = {{"commit", id('b')},
                                   {"committed_at", "2025-12-15T10:00:00Z"},
                                   {"subject", "gmake: patch for newer glibc (#2345)"}};
    CHECK(reasons[0]["commits"] == nlohmann::json::array({commit}));
    CHECK(reasons[1]["commits"].empty());  // flags are no part of a recipe
    REQUIRE(reasons[2]["commits"].size() == 3);
    CHECK(reasons[2]["commits"][2]["committed_at"] == "2025-12-17T00:00:00Z");  // the newest last
    CHECK(json.at("remarks").empty());
}

TEST_CASE("Without a package repository nothing is said of commits") {
    GraphLedger ledger;
    fill(ledger);
    const Why why = explain(ledger);
    CHECK_FALSE(why.commits);
    CHECK(shown(document_of(why), Format::json).find("commits") == std::string::npos);
    CHECK(shown(document_of(why)).find("ommit") == std::string::npos);
}

TEST_CASE("That no commit touched a recipe is said, and when the repository is not known") {
    GraphLedger ledger;
    fill(ledger);
    const std::vector<MadeCommit> old = {
        {'a', "2025-11-15T10:00:00", "all: old", {"gmake", "python"}}};
    SECTION("none in that time") {
        add_commits(ledger, old);
        CHECK(lines_of_block(explain(ledger)) ==
              Lines{"  no commit touched gmake from 2025-12-10 to 2025-12-17, but the builds "
                    "before and "
                    "after have different recipes",
                    "  no commit touched python from 2025-12-10 to 2025-12-17"});
    }
    SECTION("the repository was read before") {
        add_commits(ledger, old, "2025-12-12T00:00:00");
        const Why why = explain(ledger);
        CHECK(lines_of_block(why) ==
              Lines{"  no commit is known of gmake and python: the package repository is known to "
                    "2025-12-12 only"});
        CHECK(remarks(why) == Lines{"The package repository is known to 2025-12-12 only: other "
                                    "commits may be missing."});
    }
    SECTION("the repository begins later") {
        ledger.database().exec(made_repository("2025-12-12T00:00:00", "2026-07-01T00:00:00",
                                               {{'a', "2025-12-12T00:00:00", "all", {"gmake"}}}));
        CHECK(
            lines_of_block(explain(ledger)) ==
            Lines{"  no commit is known of gmake: the package repository is known from 2025-12-12 "
                  "on only",
                  "  the package repository has no recipe of builtin.python"});
    }
    SECTION("the recipe of another namespace is another recipe") {
        add_commits(ledger, {{'a', "2025-12-15T10:00:00", "gmake", {"acme.gmake"}}});
        CHECK(lines_of_block(explain(ledger)) ==
              Lines{"  the package repository has no recipe of builtin.gmake and builtin.python"});
    }
}

TEST_CASE("drift/commits gives the commits that can explain most builds first") {
    GraphLedger ledger;
    fill(ledger);
    const Arguments pair = {{"from", "develop@0"}, {"to", "develop@1"}};
    CHECK(report_rows(ledger.ledger(), "drift/commits", pair).empty());
    add_commits(ledger);
    const std::string version = "version: 3.13 -> 3.14";
    // commit_id|committed_at|package|subject|specs|packages|reasons|change
    CHECK(report_rows(ledger.ledger(), "drift/commits", pair) ==
          Lines{id('b') +
                    "|2025-12-15T10:00:00Z|gmake|gmake: patch for newer glibc (#2345)|3|3|1|recipe",
                id('c') + "|2025-12-16T10:00:00Z|python|python: add 3.14|1|1|1|" + version,
                id('d') + "|2025-12-16T11:00:00Z|python|python: <b>bold</b> | and more|1|1|1|" +
                    version,
                id('e') + "|2025-12-17T00:00:00Z|python|python: at the second snapshot|1|1|1|" +
                    version,
                "NULL|NULL|zlib|NULL|2|2|1|flags: (none) -> cflags=-O3"});
}

}  // namespace why_commits_test
