#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "tests/paths.hpp"
#include "tests/program/program.hpp"
#include "tests/support/catch.hpp"

// The program on ledgers that the programs of earlier schema versions wrote: tests/data/ledgers.
using program::lines_of;
using program::Run;
using program::Words;
using program::Workbench;

namespace fs = std::filesystem;

namespace {

const fs::path ledgers = fs::path(paths::data) / "ledgers";

fs::path dump_of(int version) {
    return ledgers / ("version-" + std::to_string(version) + ".sql");
}

void execute(const fs::path& file, const std::string& sql) {
    sqlite3* database = nullptr;
    const bool done = sqlite3_open(file.c_str(), &database) == SQLITE_OK &&
                      sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    const std::string problem = done ? "" : sqlite3_errmsg(database);
    sqlite3_close(database);
    if (!done) {
        throw std::runtime_error(file.string() + ": " + problem);
    }
}

// Version 1 knew no --history.
Run load(const Workbench& bench, int version) {
    Words command = {(ledgers / "load").string(), paths::program,
                     bench.file("cacheledger.db").string()};
    if (version > 1) {
        command.push_back("history");
    }
    return program::run_command(command);
}

void add_a_page(const Workbench& bench) {
    const Run done = bench.run(
        {"ingest", (ledgers / "pages/june").string(), "--taken-at", "2025-06-01", "--partial"});
    INFO(done);
    CHECK(done.status == 0);
}

// What all views and reports say, by name; the lines of views in their order, since they have none.
std::map<std::string, Words> said_by(const Workbench& bench) {
    std::map<std::string, Words> said;
    const auto ask = [&](const std::string& name, const Words& command) {
        const Run run = bench.run(command);
        INFO(name << '\n' << run);
        CHECK(run.status == 0);
        said[name] = lines_of(run.out);
    };
    for (const std::string& view :
         bench.query("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name")) {
        if (view != "spec_drift") {  // of two snapshots that reports give it
            ask(view, {"sql", "SELECT * FROM " + view, "--format", "csv"});
            std::sort(said[view].begin(), said[view].end());
        }
    }
    for (const auto& file : fs::recursive_directory_iterator(fs::path(paths::source) / "sql")) {
        if (file.path().extension() == ".sql") {
            const std::string name =
                file.path().parent_path().filename().string() + "/" + file.path().stem().string();
            ask(name, {"report", name, "--format", "csv"});
        }
    }
    return said;
}

}  // namespace

TEST_CASE("A ledger of an older version says what a fresh one does, and takes pages") {
    for (int version = 1; fs::exists(dump_of(version)); ++version) {
        INFO("version " << version);
        const Workbench old;
        const Workbench fresh;
        execute(old.file("cacheledger.db"), program::read_file(dump_of(version)));
        REQUIRE(load(fresh, version).status == 0);

        const Run again = load(old, version);
        INFO(again);
        REQUIRE(again.status == 0);
        for (const std::string& line : lines_of(again.out)) {
            CHECK_THAT(line, Catch::Matchers::ContainsSubstring("(0 new)") ||
                                 Catch::Matchers::ContainsSubstring("2 commits (2 known)"));
        }
        CHECK(old.run({"check"}).status == 0);
        CHECK(said_by(old) == said_by(fresh));

        add_a_page(old);
        add_a_page(fresh);
        CHECK(old.run({"check"}).status == 0);
        CHECK(said_by(old) == said_by(fresh));
    }
}

TEST_CASE("A ledger of an older version is upgraded by a forget") {
    for (int version = 1; fs::exists(dump_of(version)); ++version) {
        INFO("version " << version);
        const Workbench old;
        const Workbench fresh;
        execute(old.file("cacheledger.db"), program::read_file(dump_of(version)));
        REQUIRE(load(fresh, version).status == 0);
        for (const Workbench* const bench : {&old, &fresh}) {
            const Run run = bench->run({"forget", "develop@2025-04-01"});
            INFO(run);
            CHECK(run.status == 0);
            CHECK(run.out == "forgot develop@2025-04-01T00:00:00Z\n");
            CHECK(bench->run({"check"}).status == 0);
        }
        CHECK(said_by(old) == said_by(fresh));
    }
}

TEST_CASE("Until a command writes, a ledger of an older version is only copied") {
    const Workbench bench;
    execute(bench.file("cacheledger.db"), program::read_file(dump_of(1)));
    for (const Words& command :
         {Words{"snapshots"}, Words{"check"}, Words{"prune", "--keep", "newest 1", "--dry-run"}}) {
        const Run run = bench.run(command);
        INFO(run);
        CHECK(run.status == 4);
        CHECK(run.errors() == Words{"cacheledger: cacheledger.db: written by an older cacheledger; "
                                    "the next command that writes upgrades it"});
    }
    CHECK(bench.run({"backup", "before.db"}).status == 0);
    CHECK(bench.run({"compact"}).status == 0);
    CHECK(bench.run({"check"}).out == "ok\n");
    CHECK(bench.run({"--db", "before.db", "snapshots"}).status == 4);
    CHECK(bench.run({"--db", "before.db", "compact"}).status == 0);
    CHECK(bench.run({"--db", "before.db", "check"}).out == "ok\n");
}

TEST_CASE("A forget never makes a ledger") {
    const Workbench bench;
    const Run missing = bench.run({"forget", "develop"});
    INFO(missing);
    CHECK(missing.status == 4);
    CHECK(missing.errors() == Words{"cacheledger: cacheledger.db: no such database; --db names "
                                    "another; how to make one: cacheledger help sources"});
    CHECK_FALSE(bench.has("cacheledger.db"));
    bench.write("cacheledger.db", "");
    const Run empty = bench.run({"forget", "develop"});
    INFO(empty);
    CHECK(empty.status == 4);
    CHECK(empty.errors() ==
          Words{"cacheledger: cacheledger.db: empty; how to fill it: cacheledger help sources"});
    CHECK(bench.database().empty());
}

TEST_CASE("A ledger of a newer version is refused by every command, and left byte for byte") {
    const Workbench bench;
    execute(bench.file("cacheledger.db"),
            program::read_file(dump_of(1)) + "PRAGMA user_version=99;");
    const std::string before = bench.database();
    for (const Words& command :
         {Words{"ingest", (ledgers / "pages/june").string()}, Words{"forget", "develop"},
          Words{"check"}, Words{"snapshots"}, Words{"report", "coverage/summary"},
          Words{"diff", "develop~1", "develop"}, Words{"sql", "SELECT 1"}}) {
        const Run run = bench.run(command);
        INFO(command[0] << '\n' << run);
        CHECK(run.status == 4);
        CHECK(run.out.empty());
        REQUIRE(run.errors().size() == 1);
        CHECK_THAT(run.err,
                   Catch::Matchers::ContainsSubstring("written by a newer cacheledger (schema "
                                                      "version 99, this one knows "));
    }
    CHECK(bench.database() == before);
}
