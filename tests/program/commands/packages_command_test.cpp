#include <sqlite3.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/made_repository.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/program/screen.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace packages_command_test {

using nlohmann::json;
using namespace program;

namespace {

constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z
const std::string recipes = "repos/spack_repo/builtin/packages/";

/// A folder to run in, with a package repository called `packages`.
struct Bench {
    Workbench bench;
    mutable git_fixture::Repository repository{bench.file("packages")};

    Bench() {
        repository.write(recipes + "zlib/package.py", "version('1.3')");
        repository.write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib, cmake]\n");
        repository.commit(first_time, {}, "zlib: new package");
    }
};

/// What the run printed, without its time.
std::string without_time(const std::string& out) {
    return out.substr(0, out.rfind(", "));
}

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

TEST_CASE("ingest reads a package repository, and later what is new") {
    const Bench bench;
    const auto first = bench.bench.run({"ingest", "packages"});
    CHECK(first.status == 0);
    CHECK(first.err.empty());
    CHECK(without_time(first.out) == "1 new commit, 1 recipe changed, 1 stack with 2 wishes");
    const auto again = bench.bench.run({"ingest", "packages"});
    CHECK(again.status == 0);
    CHECK(contains(again.err, "packages is in the ledger up to its last commit"));
    CHECK(without_time(again.out) == "0 new commits, 0 recipes changed, 1 stack with 2 wishes");
    bench.repository.write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib\n");
    bench.repository.commit(first_time + 60);
    const auto broken = bench.bench.run({"ingest", "packages"});
    CHECK(broken.status == 0);
    CHECK(without_time(broken.out) == "1 new commit, 0 recipes changed, 1 stack with 2 wishes");
    CHECK(contains(broken.err, "cacheledger: note: stacks/e4s/spack.yaml:"));
    CHECK(bench.bench.query("SELECT package, subject FROM recipe_commits") ==
          Words{"zlib,zlib: new package"});
    CHECK(bench.bench.query("SELECT stack, spec, valid_from FROM wishes ORDER BY spec") ==
          Words{"e4s,cmake,2025-03-01T00:00:00Z", "e4s,zlib,2025-03-01T00:00:00Z"});
    CHECK(bench.bench.run({"check"}).out == "ok\n");
}

TEST_CASE("A ledger with nothing but a package repository is one") {
    const Bench bench;
    REQUIRE(bench.bench.run({"ingest", "packages"}).status == 0);
    for (const Words& words :
         {Words{"snapshots"}, Words{"check"}, Words{"backup", "copy.db"}, Words{"compact"},
          Words{"sql", "SELECT * FROM wishes"}, Words{"report", "history/series"}}) {
        const auto run = bench.bench.run(words);
        INFO(run);
        CHECK(run.status == 0);
    }
    CHECK(bench.bench.run({"ingest", "nothing"}).status == 3);
    CHECK(bench.bench.has("cacheledger.db"));
}

TEST_CASE("Options of snapshots are refused for a package repository") {
    const Bench bench;
    for (const Words& options :
         {Words{"--tag", "x"}, Words{"--taken-at", "2025-03-01"}, Words{"--partial"},
          Words{"--replace"}, Words{"--if-changed"}, Words{"--ref", "x"}, Words{"--map-url", "a=b"},
          Words{"--keep-going"}}) {
        Words words{"ingest", "packages"};
        words.insert(words.end(), options.begin(), options.end());
        const auto run = bench.bench.run(words);
        INFO(run);
        CHECK(run.status == 2);
        CHECK(contains(run.err,
                       options[0] + " is for snapshots, and a package repository makes none"));
    }
    bench.bench.write("page.md", page("zlib", details({entry()})));
    const auto mixed = bench.bench.run({"ingest", "page.md", "packages"});
    CHECK(mixed.status == 2);
    CHECK(contains(mixed.err, "packages is a package repository, and page.md is not"));
    CHECK_FALSE(bench.bench.has("cacheledger.db"));
}

TEST_CASE("What reads no package repository says what does") {
    const Bench bench;
    CHECK(contains(bench.bench.run({"ingest", "--history", "packages"}).err,
                   "it is a package repository: cacheledger ingest packages"));
    bench.bench.write("list.json", "spack:\n  specs: [zlib]\n");
    CHECK(contains(bench.bench.run({"ingest", "list.json", "--tag", "x"}).err,
                   "'cacheledger coverage FILE' asks for its specs"));
    const git_fixture::Repository empty(bench.bench.file("empty"));
    const auto none = bench.bench.run({"ingest", "empty"});
    CHECK(none.status == 3);
    CHECK(contains(none.err, "empty: a git repository without commits"));
    CHECK_FALSE(contains(none.err, "--history"));
}

TEST_CASE("Reports of package repositories say that there is none, on the screen") {
    const Bench bench;
    bench.bench.ingest_samples();
    for (const char* const report : {"coverage/wishes", "history/wishes", "history/lag"}) {
        const auto screen = run_on_screen(bench.bench, {"report", report}, 80);
        INFO(screen);
        CHECK(contains(screen.out + screen.err, "has no package repository"));
        CHECK(bench.bench.run({"report", report}).err.empty());
    }
    REQUIRE(bench.bench.run({"ingest", "packages"}).status == 0);
    const auto known = run_on_screen(bench.bench, {"report", "history/lag"}, 80);
    CHECK_FALSE(contains(known.out + known.err, "has no package repository"));
}

TEST_CASE("The report of recipes says which recipes it lacks, and what is not judged") {
    const Bench bench;
    const std::string lock = std::string(paths::data) + "/mirrors/spack.lock";  // 6 of builtin
    REQUIRE(bench.bench.run({"ingest", lock, "--tag", "env", "--taken-at", "2025-03-02"}).status ==
            0);
    const auto notes = [&](const Words& more = {}) {
        Words words = {"report", "audit/recipes", "--at", "env", "--format", "csv"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = bench.bench.run(words);
        CHECK(run.status == 0);
        return run.err;
    };
    CHECK(notes() ==
          "cacheledger: note: 6 builds of the namespace builtin are not judged: the ledger has no "
          "recipes of it\n");
    CHECK(notes({"--package", "zlib-ng"}) ==
          "cacheledger: note: 1 build of the namespace builtin is not judged: the ledger has no "
          "recipes of it\n");
    git_fixture::Repository lists(bench.bench.file("lists"));
    lists.write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib]\n");
    lists.commit(first_time + 60);
    REQUIRE(bench.bench.run({"ingest", "lists"}).status == 0);
    REQUIRE(bench.bench.run({"ingest", "packages"}).status == 0);
    const std::string lacks = notes();  // beside rows: builtin has only zlib
    check_has(lacks, {"the ledger does not have what the recipes of ",
                      "lists say; load them with cacheledger ingest "});
    CHECK_FALSE(contains(lacks, "not judged"));
    CHECK_FALSE(contains(lacks, "packages"));
    CHECK(contains(bench.bench.run({"report", "audit/recipes"}).out, "package gone"));
}

TEST_CASE("A file is compared with what the lists of the ledger want at last") {
    const Bench bench;
    bench.bench.ingest_samples();  // older than the lists
    bench.repository.write("stacks/e4s/spack.yaml", "spack:\n  specs: [zlib, cmake, hdf5]\n");
    bench.repository.commit(first_time + 60);
    REQUIRE(bench.bench.run({"ingest", "packages"}).status == 0);
    bench.bench.write("zlib.md", page("zlib", details({entry()})));
    const auto report =
        bench.bench.run({"report", "coverage/wishes", "--at", "./zlib.md", "--format", "csv"});
    INFO(report);
    CHECK(report.status == 0);
    CHECK(contains(report.out, "\ne4s,3,"));
    const auto stack = bench.bench.run({"coverage", "--stack", "e4s", "--at", "./zlib.md"});
    INFO(stack);
    CHECK(stack.status == 0);
    CHECK(bench.bench.run({"check"}).out == "ok\n");
}

TEST_CASE("why counts specs whose dependencies no source gives") {
    const SampleBench bench;
    const Run run = done(bench.run({"why", "develop~1", "develop", "--format", "json"}));
    const json why = json::parse(run.out);
    CHECK(why["from"] == "develop@2025-02-10T00:00:00Z");
    CHECK(why["to"] == "develop@2025-03-10T00:00:00Z");
    CHECK(why["rebuilt"] == 0);
    CHECK(why["pushed"] == 0);
    CHECK(why["unknown"] == 116);  // rebuilt 51, copies 65
    CHECK(why["reasons"].empty());
    CHECK(why["remarks"].at(0).at("remark") ==
          "116 builds with new hashes are not explained: pages do not list their dependencies.");
    CHECK(contains(
        bench.run({"why", "develop~1", "develop"}).out,
        ": 51 rebuilt and 65 more copies, none explained: pages do not list dependencies"));
}

TEST_CASE("why explains the specs that a filter chooses, as the report does") {
    const SampleBench bench;
    const auto unknown = [&](const Words& filter) {
        Words words = {"why", "develop~1", "develop", "--format", "json"};
        words.insert(words.end(), filter.begin(), filter.end());
        const Run run = done(bench.run(words));
        Words report = {"report", "drift/why", "--format", "json"};
        report.insert(report.end(), filter.begin(), filter.end());
        const json why = json::parse(run.out);
        CHECK(json::parse(bench.run(report).out).at(0).at("specs") == why["unknown"]);
        return why["unknown"].get<int>();
    };
    const std::string added =
        "SELECT count(*) FROM spec_drift WHERE from_snapshot GLOB 'develop@2025-02*' AND "
        "to_snapshot GLOB 'develop@2025-03*' AND change = 'added' AND cause IN ('rebuilt', "
        "'copies') AND ";
    CHECK(unknown({"--target", "x86_64_v3"}) ==
          std::stoi(bench.query(added + "target = 'x86_64_v3'").at(0)));
    CHECK(unknown({"--package", "py-safetensors@0.4 %gcc"}) ==
          std::stoi(bench.query(added + "compiler GLOB 'gcc@*'").at(0)));
}

TEST_CASE("why takes two snapshots or two hashes") {
    const SampleBench bench;
    const std::string hash =
        bench.query("SELECT hash FROM specs WHERE tag = 'develop' ORDER BY hash LIMIT 1").at(0);
    CHECK(bench.run({"why", "develop", hash}).status == 2);
    CHECK(bench.run({"why", hash, hash, "--stack", "ml"}).status == 2);
    CHECK(bench.run({"why", hash, hash, "--target", "aarch64"}).status == 2);
    check_run(bench.run({"why", hash, "/zzzzzzz"}),
              {.status = 2, .err = {"no spec has the hash '/zzzzzzz'"}});
    CHECK(bench.run({"why", hash, "/" + hash.substr(0, 10)}).status == 0);
    const Run nowhere = bench.run({"why", "develop~1", "nowhere"});
    CHECK(nowhere.status == 2);
}

TEST_CASE("dependents refuses what it does not know, and says what is unknown") {
    const SampleBench bench;
    check_run(bench.run({"dependents", "py-safetensors", "--deptype", "link,make"}),
              {.status = 2, .err = {"--deptype 'link,make'"}});
    CHECK(contains(bench.run({"dependents", "py-safetensor"}).err, "py-safetensors"));
    CHECK(bench.run({"dependents"}).status == 2);
    const Run spec = bench.run({"dependents", "py-safetensors@@1"});
    CHECK(spec.status == 2);
    CHECK(contains(spec.err, "spec 'py-safetensors@@1', column 16: expected a version"));
    check_run(bench.run({"dependents", "py-safetensors@99"}),
              {.status = 2, .err = {"no spec of the ledger matches 'py-safetensors@99'"}});
    const Run undecided = bench.run({"dependents", "py-safetensors ^python", "--format", "json"});
    CHECK(undecided.status == 0);
    CHECK(json::parse(undecided.out)["undecided"] > 0);  // pages say nothing of it
    CHECK(contains(bench.run({"dependents", "py-safetensors ^python"}).out,
                   "more builds may match py-safetensors ^python; what needs them is left out"));
    const json found =
        json::parse(done(bench.run({"dependents", "py-safetensors", "--format", "json"})).out);
    CHECK(found["spec"] == "py-safetensors");
    CHECK(found["direct"] == 0);
    CHECK(found["all"] == 0);
    CHECK(found["packages"] == 0);
    CHECK(found["unknown"] == 339);
    CHECK(found["undecided"] == 0);
    CHECK(found["stacks"].empty());
    CHECK(found["dependents"].empty());
}

TEST_CASE("Commits are asked only where they are known") {
    const SampleBench bench;
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
    const Filled<SampleBench, add_commits> bench;
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
    const Filled<SampleBench, add_commits> bench;
    const std::string file = "repos/spack_repo/builtin/build_systems/cmake.py";
    const std::string diff = "diff --git a/" + file + " b/" + file + "\n@@ -1 +1 @@\n-old\n+new\n";
    const auto ask = [&](const std::string& format) {
        return done(bench.run({"dependents", "-", "--rebuilds", "--format", format}, diff)).out;
    };
    const std::string not_judged =
        "Not judged: 1 file outside the packages: " + file + ". No hash covers such a file, but";
    CHECK(contains(ask("github"),
                   "at develop@2025-03-10T00:00:00Z: no build is known to have a "
                   "new hash. "));
    CHECK(contains(ask("github"), not_judged));
    CHECK(json::parse(ask("json"))["not_judged"] == json::array({{{"file", file}}}));
    CHECK(json::parse(ask("json"))["recipes"].empty());
    check_run(bench.run({"dependents", "--commits", "cc..c"}),
              {.status = 2,
               .all_err = "cacheledger: --commits 'cc..c': cc and c are one commit; expected A..B, "
                          "where B comes after A\n"});
}

}  // namespace packages_command_test
