#include <sqlite3.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/made_repository.hpp"
#include "tests/support/program/program.hpp"

namespace commits_command_test {

using nlohmann::json;
using program::contains;
using program::Run;
using program::Workbench;

namespace {

/// What a stranger may write: escape sequences, HTML, a line end, quotes of CSV and JSON.
const std::string subject =
    "x\x1b]0;owned\x07 <script>alert(1)</script> | \"q\" [link](javascript:1)\n=1+1";

void add_commits(const Workbench& bench) {
    const std::string sql =
        cacheledger::made_repository("2025-01-01T00:00:00", "2025-06-01T00:00:00",
                                     {{'c', "2025-02-20T10:00:00", subject, {"py-safetensors"}}});
    sqlite3* database = nullptr;
    if (sqlite3_open(bench.file("cacheledger.db").c_str(), &database) != SQLITE_OK ||
        sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        throw std::runtime_error(sqlite3_errmsg(database));
    }
    sqlite3_close(database);
}

}  // namespace

TEST_CASE("Commits are asked only where they are known") {
    const Workbench bench;
    bench.ingest_samples();
    const Run none = bench.run({"why", "--commits"});
    CHECK(none.out == bench.run({"why"}).out);
    CHECK(none.err == bench.run({"why"}).err.insert(
                          0,
                          "cacheledger: note: --commits has no effect: why names commits where "
                          "it knows them, and report drift/commits lists them\n"));
    CHECK_FALSE(contains(bench.run({"why", "--help"}).out, "--commits"));
    CHECK(bench.run({"report", "drift/commits"}).status == 0);
    CHECK(bench.run({"report", "history/lag", "--by", "version"}).status == 0);
}

TEST_CASE("A subject is shown as text in every format") {
    const Workbench bench;
    bench.ingest_samples();
    add_commits(bench);
    CHECK(bench.run({"check"}).status == 0);
    const Run screen = bench.run({"history", "py-safetensors"});
    INFO(screen);
    CHECK(contains(screen.out, "2025-02-20  recipe: ccccccc \"x\\x1b]0;owned\\x07 <script>"));
    const Run markdown = bench.run({"history", "py-safetensors", "--format", "markdown"});
    const Run html = bench.run({"history", "py-safetensors", "--format", "html"});
    const Run rows = bench.run({"history", "py-safetensors", "--format", "json"});
    const Run csv = bench.run({"history", "py-safetensors", "--format", "csv"});
    for (const Run* const run : {&screen, &markdown, &html, &rows}) {
        CHECK(run->status == 0);
        CHECK_FALSE(contains(run->out, "\x1b"));
        CHECK_FALSE(contains(run->out, "\x07"));
    }
    CHECK_FALSE(contains(markdown.out, "<script>alert"));
    CHECK(contains(markdown.out, "\\[link](javascript"));  // no link
    CHECK_FALSE(contains(html.out, "<script>alert"));
    bool is_told = false;
    for (const json& row : json::parse(rows.out)) {
        is_told = is_told || (row["kind"] == "recipe" && row["commits"] == std::string(40, 'c') &&
                              contains(row["event"], subject));
    }
    CHECK(is_told);
    CHECK(contains(csv.out, ",recipe," + std::string(40, 'c')));
}

TEST_CASE("What a change costs is asked of a diff, or of commits from the earlier to the later") {
    const Workbench bench;
    bench.ingest_samples();
    add_commits(bench);
    const std::string file = "repos/spack_repo/builtin/build_systems/cmake.py";
    const std::string diff = "diff --git a/" + file + " b/" + file + "\n@@ -1 +1 @@\n-old\n+new\n";
    const auto ask = [&](const std::string& format) {
        const Run run = bench.run({"dependents", "-", "--rebuilds", "--format", format}, diff);
        INFO(run);
        CHECK(run.status == 0);
        return run.out;
    };
    const std::string not_judged =
        "Not judged: 1 file outside the packages: " + file + ". No hash covers such a file, but";
    CHECK(contains(ask("github"),
                   "at develop@2025-03-10T00:00:00Z: no build is known to have a "
                   "new hash. "));
    CHECK(contains(ask("github"), not_judged));
    CHECK(json::parse(ask("json"))["not_judged"] == json::array({{{"file", file}}}));
    CHECK(json::parse(ask("json"))["recipes"].empty());
    const Run commits = bench.run({"dependents", "--commits", "cc..c"});
    CHECK(commits.status == 2);
    CHECK(commits.err ==
          "cacheledger: --commits 'cc..c': cc and c are one commit; expected A..B, "
          "where B comes after A\n");
}

}  // namespace commits_command_test
