#include <sqlite3.h>

#include <stdexcept>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace sql_command_test {

using namespace program;

namespace {

const std::string earlier = "develop@2025-02-10T00:00:00Z";
const std::string later = "develop@2025-03-10T00:00:00Z";

void check_answer(const Run& run, const std::string& out) {
    INFO(run);
    CHECK(run.status == 0);
    CHECK(run.out == out);
    CHECK(run.err.empty());
}

/// As a program that did not know the view leaves the ledger.
void drop_view(const Workbench& bench, const std::string& view) {
    sqlite3* database = nullptr;
    const bool done = sqlite3_open(bench.file("cacheledger.db").c_str(), &database) == SQLITE_OK &&
                      sqlite3_exec(database, ("DROP VIEW " + view).c_str(), nullptr, nullptr,
                                   nullptr) == SQLITE_OK;
    sqlite3_close(database);
    if (!done) {
        throw std::runtime_error("no view " + view);
    }
}

}  // namespace

TEST_CASE("A query asks for snapshots by the names that people use") {
    const SampleBench bench;
    check_answer(bench.run({"sql", "SELECT count(*) AS n FROM specs WHERE snapshot = :at", "--at",
                            "latest", "--format", "csv"}),
                 "n\n339\n");
    check_answer(bench.run({"sql", "SELECT :from AS a, :to AS b", "--from", "develop~1", "--to",
                            "develop@2025-03", "--format", "csv"}),
                 "a,b\n" + earlier + "," + later + "\n");
    check_problem(bench.run({"sql", "SELECT :at", "--at", "devlop"}),
                  "no snapshot 'devlop'; did you mean 'develop'?");
    check_problem(bench.run({"sql", "SELECT 1", "--at", "develop"}),
                  "query: the SQL has no parameter :at");
    check_problem(bench.run({"sql", "SELECT :at", "--at", "develop", "--param", "at=1"}),
                  "--at and --param at=... are the same; give one");
}

TEST_CASE("The file of a report is a query") {
    const SampleBench bench;
    const std::string folder = std::string(paths::source) + "/sql/";
    const Run coverage = bench.run(
        {"report", "coverage/targets", "--at", "develop~1", "--stack", "e4s", "--format", "csv"});
    check_answer(bench.run({"sql", "--file", folder + "coverage/targets.sql", "--at", "develop~1",
                            "--param", "package=*", "--param", "stack=e4s", "--format", "csv"}),
                 coverage.out);
    const Run drift = bench.run({"report", "drift/packages", "--stack", "e4s", "--format", "csv"});
    check_answer(
        bench.run({"sql", "--file", folder + "drift/packages.sql", "--from", "develop~1", "--to",
                   "develop", "--param", "package=*", "--param", "stack=e4s", "--format", "csv"}),
        drift.out);
}

TEST_CASE("What a report prints as its SQL is a query, too") {
    const SampleBench bench;
    const Run sql = bench.run({"report", "coverage/compilers", "--sql"});
    const Run rows = bench.run({"report", "coverage/compilers", "--format", "csv"});
    check_answer(bench.run({"sql", "-", "--format", "csv"}, sql.out), rows.out);
}

TEST_CASE("The newest specs, and drift in names") {
    const SampleBench bench;
    check_answer(
        bench.run({"sql", "SELECT snapshot, count(*) AS n FROM latest_specs GROUP BY snapshot",
                   "--format", "csv"}),
        "snapshot,n\n" + later + ",339\n");
    check_answer(
        bench.run({"sql",
                   "SELECT package, version, change, count(*) AS n FROM spec_drift "
                   "WHERE from_snapshot = :from AND to_snapshot = :to AND cause = 'rebuilt' "
                   "GROUP BY package, version, change",
                   "--from", "develop~1", "--to", "develop", "--format", "csv"}),
        "package,version,change,n\npy-safetensors,0.4.5,added,51\npy-safetensors,0.4.5,removed,51"
        "\n");
}

TEST_CASE("The schema is printed without a ledger, public views first") {
    const Workbench bench;
    const Run all = done(bench.run({"sql", "--schema"}));
    CHECK(all.err.empty());
    CHECK(lines_of(all.out).at(0) ==
          "-- One row for each snapshot: the state of one tag at one moment.");
    CHECK(lines_of(all.out).at(1) == "CREATE VIEW snapshots (");
    check_has(all.out, {"-- A Spack package, as pages are titled: \"zlib\".\n"
                        "CREATE TABLE package (\n",
                        "CREATE UNIQUE INDEX spec_hash ON spec (hash, look_id);\n"});
    CHECK(all.out.find("CREATE VIEW looks") < all.out.find("CREATE TABLE package"));
    CHECK(all.out.find("CREATE TABLE package") < all.out.find("CREATE VIEW present_specs"));
    CHECK_FALSE(bench.has("cacheledger.db"));
}

TEST_CASE("The schema of one view is its SQL and its columns") {
    const SampleBench bench;
    const Run view = done(bench.run({"sql", "--schema", "snapshots"}));
    CHECK(contains(view.out, "CREATE VIEW snapshots AS\nSELECT\n  s.snapshot_id, "));
    CHECK(lines_of(view.out).back() ==
          "/* snapshots(snapshot_id,name,tag,series,taken_at,source,packages,specs,extent,kind,"
          "checked_at) */");
    check_answer(bench.run({"sql", "--schema", "spec_variants", "--format", "csv"}),
                 "name,type,columns,about\nspec_variants,view,\"hash,package,name,value\",One row "
                 "for each variant value of each spec. A boolean variant has the value 'true' or "
                 "'false'. A multi-valued variant has a row for each value. A variant without a "
                 "value has '*'.\n");
    check_problem(bench.run({"sql", "--schema", "latest_spec"}),
                  "no table or view 'latest_spec'; did you mean 'latest_specs'?");
    check_problem(bench.run({"sql", "--schema", "--file", "x"}),
                  "sql: --schema takes the name of a view or table, not --file");
}

TEST_CASE("The views of the program are read, not those that a ledger has") {
    const SampleBench bench;
    drop_view(bench, "latest_specs");
    const Words count = {"sql", "SELECT count(*) AS n FROM latest_specs", "--format", "csv"};
    check_answer(bench.run(count), "n\n339\n");
    check_problem(bench.run({"sql", "SELECT count(*) AS n FROM main.latest_specs"}),
                  "query: no such table: main.latest_specs");
    REQUIRE(bench.run({"forget", "develop~1"}).status == 0);
    check_answer(
        bench.run({"sql", "SELECT count(*) AS n FROM main.latest_specs", "--format", "csv"}),
        "n\n339\n");
}

TEST_CASE("A parameter of sql without a value is answered with the option that gives it") {
    const SampleBench bench;
    CHECK(bench.run({"sql", "SELECT :at"}).err ==
          "cacheledger: query: no value is given for the parameter :at: --at SNAPSHOT gives it\n");
    CHECK(bench.run({"sql", "SELECT :x"}).err ==
          "cacheledger: query: no value is given for the parameter :x: --param x=VALUE gives it\n");
}

}  // namespace sql_command_test
