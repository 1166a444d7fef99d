#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/program/two_snapshots.hpp"

namespace each_command_test {

using namespace program;

namespace fs = std::filesystem;

TEST_CASE("diff: formats") {
    const Filled<Workbench, ingest_two_states> bench;
    const Run table = bench.run({"diff", first_snapshot, second_snapshot});
    check_done(table, first_snapshot + " -> " + second_snapshot);
    CHECK(contains(table.out, "package-added"));
    const Run json = bench.run({"diff", first_snapshot, second_snapshot, "--format", "json"});
    CHECK(json.out.rfind("{", 0) == 0);
    for (const std::string& part :
         {"\"from\": \"" + first_snapshot + "\"", "\"to\": \"" + second_snapshot + "\"",
          std::string("{\"kind\": \"package-added\", \"count\": 1}"),
          std::string("{\"kind\": \"version-removed\", \"count\": 1}"),
          std::string("{\"kind\": \"spec-added\", \"count\": 2}"),
          std::string("{\"cause\": \"version\", \"added\": 1, \"removed\": 1}"),
          std::string("{\"kind\": \"version-added\", \"package\": \"zlib\"")}) {
        INFO(part << "\n" << json);
        CHECK(contains(json.out, part));
    }
    const Run csv = bench.run({"diff", first_snapshot, second_snapshot, "--format", "csv"});
    CHECK(csv.out.rfind("kind,package,", 0) == 0);
    CHECK(lines_of(csv.out).size() == 4);
    const Run markdown =
        bench.run({"diff", first_snapshot, second_snapshot, "--format", "markdown"});
    CHECK(contains(markdown.out, "\n| kind | package |"));
    check_done(bench.run({"diff", first_snapshot, second_snapshot, "--format", "html"}),
               "<title>" + first_snapshot);
}

TEST_CASE("diff: filters and --exit-code") {
    const Filled<Workbench, ingest_two_states> bench;
    const auto kinds = [&](Words words) {
        words.insert(words.begin(), {"diff", first_snapshot, second_snapshot, "--format", "csv"});
        Words rows = lines_of(done(bench.run(words)).out);
        rows.erase(rows.begin());
        for (std::string& row : rows) {
            row = row.substr(0, row.find(','));
        }
        std::sort(rows.begin(), rows.end());
        return rows;
    };
    CHECK(kinds({}) == Words{"package-added", "version-added", "version-removed"});
    CHECK(kinds({"--kind", "version-added"}) == Words{"version-added"});
    CHECK(kinds({"--package", "c*"}) == Words{"package-added"});
    CHECK(kinds({"--stack", "ml"}) == Words{"package-added"});
    CHECK(kinds({"--stack", "hpc"}) == Words{"version-added", "version-removed"});
    CHECK(kinds({"--stack", "hpc", "--package", "c*"}).empty());

    const auto status = [&](Words words) {
        words.insert(words.begin(), "diff");
        words.push_back("--exit-code");
        return bench.run(words).status;
    };
    CHECK(bench.run({"diff", first_snapshot, second_snapshot}).status == 0);
    CHECK(status({first_snapshot, second_snapshot}) == 1);
    CHECK(status({second_snapshot, first_snapshot, "--format", "json"}) == 1);
    CHECK(status({first_snapshot, first_snapshot}) == 0);
    CHECK(status({first_snapshot, second_snapshot, "--package", "nothing"}) == 2);
    CHECK(status({first_snapshot, second_snapshot, "--package", "nothing*"}) == 0);
    CHECK(status({first_snapshot, second_snapshot, "--package", "c*"}) == 1);
    CHECK(status({first_snapshot, second_snapshot, "--kind", "version-added"}) == 1);
    CHECK(status({first_snapshot, second_snapshot, "--kind", "target-changed"}) == 0);
    CHECK(status({first_snapshot, "v9"}) == 2);
}

TEST_CASE("diff: --all shows every row of a long section") {
    const Workbench bench;
    bench.write("none/zlib.md", page("zlib", details({entry('a')})));
    bench.write("many/zlib.md", page("zlib", details({entry('a')})));
    for (char letter = 'b'; letter <= 'z'; ++letter) {
        const std::string name = std::string("package-") + letter;
        bench.write("many/" + name + ".md", page(name, details({entry(letter)})));
    }
    check_done(bench.run({"ingest", "none", "--taken-at", "2025-01-01"}));
    check_done(bench.run({"ingest", "many", "--taken-at", "2025-01-02"}));
    const Run cut = bench.run({"diff", "develop~1", "develop"});
    CHECK_FALSE(contains(cut.out, "package-z"));
    CHECK(contains(cut.out, "--all"));
    check_done(bench.run({"diff", "develop~1", "develop", "--all"}), "package-z");
    check_done(bench.run({"diff", "develop~1", "develop", "--format", "csv"}), "package-z");
    check_done(bench.run({"diff", "develop~1", "develop", "--output", "file"}));
}

TEST_CASE("sql: a query from the command line, standard input or a file") {
    const Filled<Workbench, ingest_two_states> bench;
    const std::string text = "SELECT package FROM specs WHERE version = '1.3.0'";
    const std::string expected = "package\nzlib\n";
    CHECK(bench.run({"sql", text, "--format", "csv"}).out == expected);
    CHECK(bench.run({"sql", "-", "--format", "csv"}, text + ";\n").out == expected);
    bench.write("query.sql", "-- a comment\n" + text + "\n");
    CHECK(bench.run({"sql", "--file", "query.sql", "--format", "csv"}).out == expected);
    check_refused(bench.run({"sql", text, "--file", "query.sql"}), 2, "expected one of");
    check_refused(
        bench, {{"sql --file missing.sql", "missing.sql"}, {"sql --file a", "a: can't be read"}});
    bench.write("query.sql", "SELECT\n  nonsense\n");
    check_refused(bench.run({"sql", "--file", "query.sql"}), 2, "query.sql:2:3: ");
    check_refused(bench.run({"sql", ""}), 2, "no statement");
    check_refused(bench.run({"sql", "-"}), 2, "no statement");
    check_refused(bench.run({"sql", "SELECT 1; SELECT 2"}), 2, "one statement");
}

TEST_CASE("sql: parameters are bound") {
    const Filled<Workbench, ingest_two_states> bench;
    const Run run =
        bench.run({"sql", "SELECT :n + 1 AS n, typeof(:n) AS t, :text AS text", "--param", "n=41",
                   "--param", "text=it's = 'quoted'; DROP TABLE spec", "--format", "csv"});
    CHECK(run.out == "n,t,text\n42,integer,it's = 'quoted'; DROP TABLE spec\n");
    check_refused(bench.run({"sql", "SELECT :n"}), 2, ":n");
    check_refused(bench.run({"sql", "SELECT 1", "--param", "n=1"}), 2, ":n");
    check_refused(bench.run({"sql", "SELECT ?"}), 2, "names");
}

TEST_CASE("sql: nothing can be written") {
    const Filled<Workbench, ingest_two_states> bench;
    const std::string before = bench.database();
    const Words writers = {
        "INSERT INTO package (name) VALUES ('x')",
        "UPDATE spec SET hash = 'x'",
        "DELETE FROM snapshot",
        "DELETE FROM snapshot RETURNING name",
        "UPDATE snapshot SET name = 'x' RETURNING name",
        "DROP TABLE snapshot",
        "DROP VIEW specs",
        "CREATE TABLE mine (x)",
        "CREATE TEMP TABLE mine (x)",
        "ALTER TABLE spec RENAME TO other",
        "ATTACH 'new.db' AS new",
        "ATTACH 'cacheledger.db' AS again; DELETE FROM again.snapshot",
        "VACUUM",
        "VACUUM INTO 'copy.db'",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "PRAGMA user_version = 99",
        "PRAGMA application_id = 1",
        "PRAGMA journal_mode = WAL",
        "PRAGMA writable_schema = ON",
        "SELECT 1; DELETE FROM snapshot",
        "WITH x AS (SELECT 1) DELETE FROM snapshot",
        "EXPLAIN DELETE FROM snapshot; DELETE FROM snapshot",
        "SELECT writefile('written', 'x')",
        "SELECT load_extension('mine')",
    };
    for (const std::string& text : writers) {
        const Run run = bench.run({"sql", text});
        INFO(text << "\n" << run);
        // A pragma may answer with the value that stays; all others are refused.
        CHECK((run.status == 2 || run.status == 4 || text.rfind("PRAGMA", 0) == 0));
        CHECK((bench.database() == before));
        CHECK((run.status == 0 || run.out.empty()));
    }
    for (const std::string file : {"new.db", "copy.db", "written"}) {
        INFO(file);
        CHECK_FALSE(bench.has(file));
    }
    check_done(bench.run({"check"}), "ok");
}

TEST_CASE("check: exit code 1 when something is wrong") {
    const Filled<Workbench, ingest_two_states> bench;
    check_done(bench.run({"check"}), "ok\n");
    const Run sound = bench.run({"check", "--format", "json"});
    CHECK(sound.out == "[]\n");
    CHECK(contains(sound.err, R"({"step": "integrity", "seconds": )"));
    CHECK(bench.run({"check", "--format", "csv"}).out == "problem\n");

    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database, "UPDATE snapshot SET specs = specs + 1", nullptr, nullptr,
                         nullptr) == SQLITE_OK);
    sqlite3_close(database);
    check_run(bench.run({"check"}), {.status = 1, .out = {first_snapshot}});
    CHECK(bench.run({"check", "--format", "json"}).status == 1);
}

TEST_CASE("forget: as if it had never been there") {
    const Filled<Workbench, ingest_two_states> bench;
    check_done(bench.run({"forget", "develop~1"}), "forgot " + first_snapshot);
    CHECK(snapshot_names(bench) == second_snapshot);
    check_done(bench.run({"check"}), "ok");
    CHECK(bench.query("SELECT count(*) FROM changes WHERE change = 'added'") == Words{"2"});
    check_refused(bench.run({"forget", first_snapshot}), 2, first_snapshot);
    check_done(bench.run({"forget", "latest"}), "forgot " + second_snapshot);
    CHECK(bench.snapshots() == 0);
    check_refused(bench.run({"forget", "latest"}), 2, "the ledger is empty");
    check_done(bench.run({"snapshots", "--format", "json"}), "[]\n");
    check_done(bench.run({"ingest", "a", "--taken-at", "2025-01-01"}), first_snapshot);
}

TEST_CASE("A full disk is said, not passed over") {
    if (!fs::exists("/dev/full")) {
        WARN("there is no /dev/full");
        return;
    }
    const Filled<Workbench, ingest_two_states> bench;
    const Run run =
        run_command({"/bin/sh", "-c", "exec \"$0\" snapshots > /dev/full", paths::program},
                    {bench.folder(), "", {}, false});
    INFO(run);
    CHECK(run.status != 0);
    CHECK(contains(run.err, "can't be written"));
}

}  // namespace each_command_test
