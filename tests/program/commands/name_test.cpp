#include <sqlite3.h>

#include <stdexcept>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace name_test {

using namespace program;

namespace {

const std::string first = "develop@2025-01-01T00:00:00Z";
const std::string second = "develop@2025-02-01T00:00:00Z";

Entry in_stacks(char letter, const std::string& stacks) {
    Entry one = entry(letter);
    one["stacks"] = stacks;
    return one;
}

/// kokkos (in ml-cpu and hpc) and zlib (in no stack) in two snapshots, kokkos-kernels (a spec in
/// ml-gpu, a spec in no stack) in the second only.
void ingest_two(const Workbench& bench) {
    const std::string kokkos = page("kokkos", details({in_stacks('a', R"(["hpc", "ml-cpu"])")}));
    const std::string zlib = page("zlib", details({in_stacks('b', R"(["root"])")}));
    bench.write("a/kokkos.md", kokkos);
    bench.write("a/zlib.md", zlib);
    bench.write("b/kokkos.md", kokkos);
    bench.write("b/zlib.md", zlib);
    bench.write("b/kokkos-kernels.md",
                page("kokkos-kernels", details({in_stacks('c', R"(["ml-gpu", "root"])"),
                                                in_stacks('d', R"(["root"])")})));
    REQUIRE(bench.run({"ingest", "a", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "b", "--taken-at", "2025-02-01"}).status == 0);
}

/// What only an older program could have written.
void edit(const Workbench& bench, const std::string& sql) {
    sqlite3* database = nullptr;
    const bool done = sqlite3_open(bench.file("cacheledger.db").c_str(), &database) == SQLITE_OK &&
                      sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    sqlite3_close(database);
    if (!done) {
        throw std::runtime_error("failed: " + sql);
    }
}

/// The answer is there, and standard error says these lines.
void check_noted(const Run& run, const Words& notes) {
    INFO(run);
    CHECK(run.status == 0);
    CHECK_FALSE(run.out.empty());
    Words lines;
    for (const std::string& note : notes) {
        lines.push_back("cacheledger: note: " + note);
    }
    CHECK(run.errors() == lines);
}

/// The first column of a report's rows.
Words column(const Workbench& bench, Words report) {
    report.insert(report.begin(), "report");
    report.insert(report.end(), {"--format", "csv"});
    const Run run = done(bench.run(report));
    CHECK(run.err.empty());
    Words rows = lines_of(run.out);
    REQUIRE_FALSE(rows.empty());
    rows.erase(rows.begin());
    for (std::string& row : rows) {
        row = row.substr(0, row.find(','));
    }
    return rows;
}

}  // namespace

TEST_CASE("A name that nothing has is refused with the nearest ones") {
    const Filled<Workbench, ingest_two> bench;
    bench.write("own/mine.sql",
                "-- title: Mine\n-- param: thing package = ''\n-- param: stack text = ''\n"
                "SELECT :thing || :stack AS both\n");
    const std::string kokos = "no package 'kokos'; did you mean 'kokkos', 'kokkos-kernels'?";
    check_problem(bench.run({"diff", first, second, "--package", "kokos", "--exit-code"}), kokos);
    check_problem(bench.run({"report", "coverage/packages", "--package", "kokos"}), kokos);
    check_problem(bench.run({"report", "coverage/packages", "--param", "package=kokos"}), kokos);
    check_problem(bench.run({"report", "drift/specs", "--package", "kokos"}), kokos);
    check_problem(bench.run({"report", "history/packages", "--package", "kokos"}), kokos);
    check_problem(bench.run({"report", "mine", "--reports", "own", "--thing", "kokos"}), kokos);
    check_problem(
        bench.run({"report", "audit/meta", "--package", ""}),
        "no package ''; to see those of a snapshot: cacheledger report coverage/packages");

    const std::string cpu = "no stack 'ml-cpp'; did you mean 'ml-cpu'?";
    check_problem(bench.run({"diff", first, second, "--stack", "ml-cpp"}), cpu);
    check_problem(bench.run({"report", "coverage/packages", "--stack", "ml-cpp"}), cpu);
    check_problem(bench.run({"report", "coverage/gaps", "--stack", "ml-cpp"}), cpu);
    check_problem(bench.run({"report", "drift/summary", "--stack", "ml-cpp"}), cpu);
    check_problem(bench.run({"report", "mine", "--reports", "own", "--stack", "ml-*"}),
                  "no stack 'ml-*'; did you mean 'ml-cpu', 'ml-gpu'?");

    check_problem(bench.run({"report", "history/growth", "--series", "develp"}),
                  "no series 'develp'; did you mean 'develop'?");
    check_problem(bench.run({"report", "audit/findings", "--kind", "meta-mismach"}),
                  "no kind of finding 'meta-mismach'; did you mean 'meta-mismatch'?");
    check_problem(
        bench.run({"report", "coverage/packages", "--stack", "weather"}),
        "no stack 'weather'; to see those of a snapshot: cacheledger report coverage/stacks");
    check_problem(bench.run({"report", "drift/specs", "--cause", "rebuild"}),
                  "no cause 'rebuild'; did you mean 'rebuilt'?");
    check_problem(bench.run({"report", "drift/specs", "--cause", "weather"}),
                  "no cause 'weather'; there are: package, version, target, compiler, variants, "
                  "rebuilt, copies");
    check_problem(bench.run({"diff", first, second, "--kind", "version-aded"}),
                  "no kind of change 'version-aded'; did you mean 'version-added'?");
    check_problem(bench.run({"reprot"}), "no command 'reprot'; did you mean 'report'?");
}

TEST_CASE("What a report compares is refused where the ledger has no such name or pattern") {
    const Filled<Workbench, ingest_two> bench;
    const auto refuses = [&](const std::string& by, const Words& more, const std::string& problem) {
        Words words = {"report", "coverage/against", "--by", by};
        words.insert(words.end(), more.begin(), more.end());
        check_problem(bench.run(words), problem);
    };
    refuses("stack", {"--has", "ml-cpp"}, "no stack 'ml-cpp'; did you mean 'ml-cpu'?");
    refuses("stack", {"--lacks", "x*"}, "no stack is like 'x*'");
    refuses("target", {"--lacks", "x86_64_v9"}, "no target 'x86_64_v9'; did you mean 'x86_64_v3'?");
    refuses("target", {"--has", "ml-cpu"}, "no target 'ml-cpu'; there are: x86_64_v3");
    refuses("system", {"--has", "linux"}, "no system 'linux'; did you mean 'linux-ubuntu24.04'?");
    refuses("compiler", {"--lacks", "%gcc"},
            "no compiler '%gcc'; there are: (no compiler), gcc@13.2.0");
    refuses("version", {"--has", "9.99"},
            "no version '9.99'; to see those of a snapshot: cacheledger report coverage/versions");
    for (const Words& known : {Words{"--by", "stack", "--has", "ml-*", "--lacks", "(no stack)"},
                               Words{"--has", "*"}, Words{"--by", "target", "--has", "x86*"},
                               Words{"--by", "compiler", "--lacks", "(no compiler)"}}) {
        Words words = {"report", "coverage/against", "--at", first};
        words.insert(words.end(), known.begin(), known.end());
        check_run(bench.run(words), {.all_err = ""});
    }
}

TEST_CASE("A name that the ledger has, of any moment, is no typo") {
    const Filled<Workbench, ingest_two> bench;
    bench.write("own/mine.sql",
                "-- title: Mine\n-- param: package text = ''\nSELECT :package AS package\n");
    check_noted(
        bench.run({"report", "coverage/packages", "--at", first, "--package", "kokkos-kernels"}),
        {first + " has no build of kokkos-kernels at all; other snapshots of develop have "
                 "it ('history kokkos-kernels' tells when)"});
    CHECK(column(bench, {"coverage/packages", "--at", first, "--stack", "ml-gpu"}).empty());
    CHECK(column(bench, {"audit/findings", "--kind", "tarball-mismatch"}).empty());
    CHECK(column(bench, {"drift/specs", "--cause", "copies"}).empty());
    CHECK(column(bench, {"mine", "--reports", "own"}) == Words{"\"\""});  // its own default
    check_run(bench.run({"diff", first, second, "--package", "zlib", "--exit-code"}),
              {.all_err = ""});
}

TEST_CASE("A pattern that fits nothing is an empty answer, and is said") {
    const Filled<Workbench, ingest_two> bench;
    check_noted(bench.run({"report", "coverage/packages", "--package", "kokos*"}),
                {"no package is like 'kokos*'"});
    check_noted(bench.run({"report", "coverage/packages", "--package", "[x]", "--stack", "?"}),
                {"no package is like '[x]'", "no stack is like '?'"});
    check_noted(bench.run({"report", "history/growth", "--series", "v*"}),
                {"no series is like 'v*'"});
    check_noted(bench.run({"report", "drift/specs", "--cause", "x*"}), {"no cause is like 'x*'"});
    check_noted(bench.run({"report", "audit/findings", "--kind", "x*"}),
                {"no kind of finding is like 'x*'"});
    check_noted(bench.run({"diff", first, second, "--package", "kokos*", "--exit-code"}),
                {"no package is like 'kokos*'"});
    check_noted(bench.run({"report", "coverage/packages", "--package", "kokkos-*", "--at", first}),
                {first + " has no build of kokkos-* at all; near are: kokkos; other snapshots of "
                         "develop have it"});
}

TEST_CASE("sql: what is no name of a snapshot, and means one, is said") {
    const Filled<Workbench, ingest_two> bench;
    const auto note = [](const std::string& text, const std::string& name) {
        return "'" + text + "' is not the name of a snapshot; its name is " + name +
               "; sql takes names as they are";
    };
    const std::string count = "SELECT count(*) AS n FROM specs WHERE snapshot = ";
    for (const std::string text : {"latest", "develop", "develop~0", "develop@2025-02"}) {
        INFO(text);
        const Words said = {note(text, second)};
        check_noted(bench.run({"sql", count + ":at", "--param", "at=" + text}), said);
        check_noted(bench.run({"sql", count + "'" + text + "'"}), said);
        check_noted(
            bench.run({"sql", "SELECT * FROM specs WHERE snapshot = '" + text + "' -- 'latest'"}),
            said);
    }
    check_noted(bench.run({"sql",
                           "SELECT 'a''b', * FROM specs WHERE /* ' */ snapshot = \"latest\" "
                           "AND package GLOB 'a*'"}),
                {note("latest", second)});
    check_noted(bench.run({"sql", "SELECT snapshot = :at AS x, 1 AS one FROM specs LIMIT 1",
                           "--param", "at=latest"}),
                {note("latest", second)});
}

TEST_CASE("sql: names, tags that are asked for, and answers get no note") {
    const Filled<Workbench, ingest_two> bench;
    const Words queries = {"SELECT * FROM specs WHERE snapshot = '" + second + "'",
                           "SELECT name FROM snapshots WHERE tag = 'develop'",
                           "SELECT * FROM specs WHERE package = 'hdf5'",
                           "SELECT 'latest' AS word",
                           "SELECT * FROM specs WHERE package = 'hdf5' -- not 'latest'",
                           "SELECT 'develop@2025' AS x WHERE 0"};  // either of two
    for (const std::string& query : queries) {
        INFO(query);
        check_noted(bench.run({"sql", query}), {});
    }
    check_noted(
        bench.run({"sql", "SELECT name FROM snapshots WHERE tag = :tag", "--param", "tag=develop"}),
        {});
    const Run cut = bench.run({"sql", "SELECT 'latest' AS word UNION SELECT 'x'", "--limit", "1"});
    CHECK(cut.errors() == Words{"cacheledger: there are more rows than these 1 (--limit)"});
}

TEST_CASE("A tag that snapshot names take for something else is refused") {
    const Filled<Workbench, ingest_two> bench;
    const std::string reserved = "a tag can't be called 'latest', which means the newest snapshot";
    const std::string option = "a tag can't begin with '-', as options do";
    const std::string characters =
        "a tag can't hold blanks, control characters, '@', '~', '*', '{' or '}'";
    check_problem(bench.run({"ingest", "a", "--tag", "latest"}), "--tag 'latest': " + reserved);
    check_problem(bench.run({"ingest", "a", "--tag=-x"}), "--tag '-x': " + option);
    for (const std::string tag : {"a~1", "a@b", "develop-*", "{a", "a}"}) {
        check_problem(bench.run({"ingest", "a", "--tag", tag}),
                      "--tag '" + tag + "': " + characters);
    }
    bench.write("bad/zlib.md", page("zlib", details({entry('a')}), "latest"));
    const Run bad = done(bench.run({"ingest", "bad"}), 3);
    CHECK(bad.errors() == Words{"cacheledger: bad/zlib.md: " + reserved + ": 'latest'"});
    CHECK(bench.snapshots() == 2);
}

TEST_CASE("A tag that an older program let be called latest is never taken for the newest") {
    const Filled<Workbench, ingest_two> bench;
    bench.write("c/zlib.md", page("zlib", details({entry('e')}), "rolling"));
    REQUIRE(bench.run({"ingest", "c", "--taken-at", "2024-12-01"}).status == 0);
    edit(bench,
         "UPDATE snapshot SET tag = 'latest', name = replace(name, 'rolling', 'latest') "
         "WHERE tag = 'rolling'; UPDATE series SET name = 'latest' WHERE name = 'rolling'");
    const std::string tagged = "latest@2024-12-01T00:00:00Z";
    const std::string either = "'latest' can be any of: " + second + ", " + tagged;
    check_problem(bench.run({"forget", "latest"}), either);
    check_problem(bench.run({"report", "coverage/packages", "--at", "latest"}), either);
    CHECK(bench.snapshots() == 3);
    CHECK(column(bench, {"coverage/packages", "--at", tagged}) == Words{"zlib"});
    // What a report takes where nothing is said.
    CHECK(column(bench, {"coverage/packages"}) == Words{"kokkos", "kokkos-kernels", "zlib"});
    CHECK(bench.run({"forget", "latest@2024"}).out == "forgot " + tagged + "\n");
    CHECK(bench.run({"forget", "latest"}).out == "forgot " + second + "\n");
}

TEST_CASE("Coverage is asked for by stack, by pattern, and for no stack") {
    const Filled<Workbench, ingest_two> bench;
    const auto packages = [&](const std::string& stack) {
        return column(bench, {"coverage/packages", "--stack", stack});
    };
    CHECK(packages("hpc") == Words{"kokkos"});
    CHECK(packages("ml-*") == Words{"kokkos", "kokkos-kernels"});
    CHECK(packages("?l-gpu") == Words{"kokkos-kernels"});
    CHECK(packages("(no stack)") == Words{"kokkos-kernels", "zlib"});
    CHECK(packages("(no*") == Words{"kokkos-kernels", "zlib"});
    CHECK(packages("root") == Words{"kokkos-kernels", "zlib"});
    for (const std::string report : {"compilers", "systems", "targets", "variants", "versions"}) {
        const Run run = done(bench.run(
            {"report", "coverage/" + report, "--stack", "(no stack)", "--format", "csv"}));
        CHECK(run.err.empty());
        CHECK(lines_of(run.out).size() == (report == "variants" || report == "versions" ? 3 : 2));
        CHECK(contains(run.out, report == "versions"   ? ",1,"
                                : report == "variants" ? ",1,1"
                                                       : ",2"));
    }
    CHECK(column(bench, {"coverage/gaps", "--stack", "ml-*"}).size() == 2);
    CHECK(column(bench, {"coverage/gaps", "--stack", "ml-c*"}).size() == 1);
    CHECK(column(bench, {"coverage/gaps", "--stack", "(no stack)"}).empty());
}

TEST_CASE("A diff is narrowed down by pattern, and to no stack") {
    const Filled<Workbench, ingest_two> bench;
    const auto added = [&](const std::string& stack) {
        const Run run =
            done(bench.run({"diff", first, second, "--stack", stack, "--format", "csv"}));
        CHECK(run.err.empty());
        return run.out.substr(run.out.find('\n') + 1);
    };
    CHECK(contains(added("ml-*"), "package-added,kokkos-kernels,1"));
    CHECK(contains(added("(no stack)"), "package-added,kokkos-kernels,1"));
    CHECK(contains(added("*"), "package-added,kokkos-kernels,2"));
    CHECK(added("ml-c*").empty());
}

TEST_CASE("The matrix has what is in no stack in its last column") {
    const Filled<Workbench, ingest_two> bench;
    const Run run = bench.run({"report", "coverage/matrix", "--format", "csv"});
    CHECK(run.out ==
          "package,hpc,ml-cpu,ml-gpu,(no stack)\n"
          "kokkos,1,1,0,0\n"
          "kokkos-kernels,0,0,1,1\n"
          "zlib,0,0,0,1\n");
    const Run without =
        bench.run({"report", "coverage/matrix", "--package", "kokkos", "--format", "csv"});
    CHECK(without.out == "package,hpc,ml-cpu\nkokkos,1,1\n");
}

TEST_CASE("One broken report takes no other along") {
    const Filled<Workbench, ingest_two> bench;
    bench.write("own/mine.sql", "-- title: Mine\nSELECT 1 AS one\n");
    bench.write("own/bad.sql", "SELECT 1\n");
    bench.write("own/coverage/stacks.sql", "SELECT 2\n");
    const std::string expected = ":1: expected '-- title: ...' as the first line";
    const Run list = bench.run({"report", "--reports", "own"});
    check_noted(list,
                {"the report bad is left out: own/bad.sql" + expected,
                 "the report coverage/stacks is left out: own/coverage/stacks.sql" + expected});
    check_has(list.out, {"\nmine ", "\ncoverage/packages "});
    CHECK_FALSE(contains(list.out, "\ncoverage/stacks "));
    CHECK(column(bench, {"mine", "--reports", "own"}) == Words{"1"});
    CHECK(column(bench, {"coverage/packages", "--reports", "own"}).size() == 3);
    check_problem(bench.run({"report", "bad", "--reports", "own"}), "own/bad.sql" + expected);
    check_problem(bench.run({"report", "bad", "--reports", "own", "--help"}),
                  "own/bad.sql" + expected);
    // It was to take the place of the built-in one, which is not what was asked for.
    check_problem(bench.run({"report", "coverage/stacks", "--reports", "own"}),
                  "own/coverage/stacks.sql" + expected);
}

TEST_CASE("A package where no package can be is answered with --package") {
    const SampleBench bench;
    for (const std::string command : {"diff", "why"}) {
        check_run(
            bench.run({command, "py-safetensors"}),
            {.status = 2,
             .all_err =
                 "cacheledger: no snapshot 'py-safetensors': it is a package, which --package "
                 "py-safetensors "
                 "chooses\n"});
    }
    CHECK(bench.run({"report", "coverage/versions", "py-safetensors"}).err ==
          "cacheledger: one word too many: 'py-safetensors'; --package py-safetensors chooses a "
          "package; see "
          "cacheledger report coverage/versions --help\n");
    CHECK(bench.run({"snapshots", "py-safetensors"}).err ==
          "cacheledger: one word too many: 'py-safetensors'; see cacheledger snapshots --help\n");
}

}  // namespace name_test
