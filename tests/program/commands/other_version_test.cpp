#include <sqlite3.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace other_version_test {

// The program on ledgers that it does not read.
using namespace program;

namespace fs = std::filesystem;

namespace {

void ingest(const Workbench& bench) {
    bench.write("zlib.md", page("zlib", details({entry()})));
    REQUIRE(bench.run({"ingest", "zlib.md", "--taken-at", "2025-03-01"}).status == 0);
}

void execute(const Workbench& bench, const std::string& sql) {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
}

const std::vector<Words> commands = {
    {"ingest", "zlib.md"},
    {"forget", "develop"},
    {"compact"},
    {"backup", "copy.db"},
    {"check"},
    {"snapshots"},
    {"report", "coverage/summary"},
    {"diff", "develop~1", "develop"},
    {"prune", "--keep", "newest 1"},
    {"sql", "SELECT 1"},
};

/// Every command says the problem of the ledger in one line, and leaves it byte for byte.
void check_is_refused(const Workbench& bench, const std::string& problem) {
    const std::string before = bench.database();
    for (const Words& command : commands) {
        const Run run = bench.run(command);
        INFO(command[0] << '\n' << run);
        CHECK(run.status == 4);
        CHECK(run.out.empty());
        CHECK(run.errors() == Words{problem});
    }
    CHECK(bench.database() == before);
    CHECK_FALSE(bench.has("copy.db"));
}

bool is_there(const std::string& tool) {
    return run_command({"/bin/sh", "-c", "command -v \"$0\" > /dev/null", tool}).status == 0;
}

}  // namespace

TEST_CASE("A forget never makes a ledger") {
    const Workbench bench;
    const Run missing = done(bench.run({"forget", "develop"}), 4);
    CHECK(missing.errors() == Words{"cacheledger: cacheledger.db: no such database; --db names "
                                    "another; how to make one: cacheledger help sources"});
    CHECK_FALSE(bench.has("cacheledger.db"));
    bench.write("cacheledger.db", "");
    const Run empty = done(bench.run({"forget", "develop"}), 4);
    CHECK(empty.errors() ==
          Words{"cacheledger: cacheledger.db: empty; how to fill it: cacheledger help sources"});
    CHECK(bench.database().empty());
}

TEST_CASE("A ledger of a newer version is refused by every command, and left byte for byte") {
    const Filled<Workbench, ingest> bench;
    execute(bench, "PRAGMA user_version = 99");
    check_is_refused(bench,
                     "cacheledger: cacheledger.db: written by a newer cacheledger (schema version "
                     "99, this one knows 6); update cacheledger");
}

TEST_CASE("A ledger of a development version is refused by every command, and left as it is") {
    const Filled<Workbench, ingest> bench;
    execute(bench, "PRAGMA application_id = 0x434c6772; PRAGMA user_version = 10");
    check_is_refused(bench,
                     "cacheledger: cacheledger.db: written by a development version of "
                     "cacheledger; move it away and load it again: cacheledger ingest SOURCE... "
                     "(its newest sources: zlib.md)");
    CHECK(bench.run({"--db", "cacheledger.db", "check"}).err ==
          "cacheledger: cacheledger.db: written by a development version of cacheledger; move it "
          "away and load it again: cacheledger --db cacheledger.db ingest SOURCE... (its newest "
          "sources: "
          "zlib.md)\n");
}

TEST_CASE("What is installed is the program, its man page and its completions") {
    const Workbench bench;
    const Run run =
        done(run_command({paths::cmake, "--install", paths::build, "--prefix", bench.folder()}));
    for (const std::string file :
         {"share/bash-completion/completions/cacheledger", "share/zsh/site-functions/_cacheledger",
          "share/fish/vendor_completions.d/cacheledger.fish", "share/man/man1/cacheledger.1"}) {
        INFO(file);
        CHECK(bench.has(file));
    }
    const Run version = run_command({bench.file("bin/cacheledger").string(), "--version"});
    CHECK(version.out == bench.run({"--version"}).out);
    CHECK(bench.read("share/man/man1/cacheledger.1") == bench.run({"help", "--man"}).out);
}

TEST_CASE("The man page has every command and option, and no mistake of its macros") {
    const Workbench bench;
    const std::string page = bench.run({"help", "--man"}).out;
    CHECK(contains(page, ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n"));
    bench.write("cacheledger.1", page);
    for (const std::string part :
         {".SS coverage", "\\-\\-fail\\-under", ".SS diff", "\\-\\-exit\\-code", ".SH ENVIRONMENT",
          "\\(aqdevelop@{1 week ago}\\(aq"}) {
        INFO(part);
        CHECK(contains(page, part));
    }
    if (is_there("groff")) {
        check_run(run_command({"groff", "-man", "-ww", "-z", bench.file("cacheledger.1").string()}),
                  {.all_err = ""});
    } else {
        WARN("groff is not installed");
    }
    if (is_there("mandoc")) {
        const Run run = run_command(
            {"mandoc", "-T", "lint", "-W", "warning", bench.file("cacheledger.1").string()});
        INFO(run);
        // The page has no date: that of a build would make each build another.
        CHECK(lines_of(run.out).size() == 1);
        CHECK(contains(run.out, "missing date"));
    } else {
        WARN("mandoc is not installed");
    }
}

}  // namespace other_version_test
