#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace times_command_test {

using nlohmann::json;
using namespace program;

namespace {

std::string hash_of(const std::string& stem) {
    return stem + std::string(32 - stem.size(), 'a');
}

/// A node of form 4, of version 1.0. `stem`: of its hash; so is `dependency`, of a node of the
/// package.
json node(const std::string& package, const std::string& stem, const std::string& recipe,
          const std::string& dependency = "", const std::string& of = "") {
    json node = {{"name", package},
                 {"version", "1.0"},
                 {"arch", {{"platform", "linux"}, {"platform_os", "rhel9"}, {"target", "zen3"}}},
                 {"compiler", {{"name", "gcc"}, {"version", "13.2.0"}}},
                 {"namespace", "builtin"},
                 {"parameters", {{"shared", true}}},
                 {"package_hash", recipe},
                 {"hash", hash_of(stem)}};
    if (!dependency.empty()) {
        const json types = json::array({"build", "link"});
        node["dependencies"] =
            json::array({{{"name", of},
                          {"hash", hash_of(dependency)},
                          {"parameters", {{"deptypes", types}, {"virtuals", json::array()}}}}});
    }
    return node;
}

std::string index_of(const std::vector<json>& nodes) {
    json index = {{"database", {{"version", "7"}}}};
    for (const json& one : nodes) {
        index["database"]["installs"][one["hash"].get<std::string>()] = {
            {"spec", one}, {"ref_count", 0}, {"in_buildcache", true}};
    }
    return index.dump();
}

/// app needs hdf5, which needs zlib, all with the recipes of `era`.
std::vector<json> programs(const std::string& era) {
    return {node("zlib", "z" + era, "r" + era), node("hdf5", "h" + era, "r", "z" + era, "zlib"),
            node("app", "p" + era, "r", "h" + era, "hdf5")};
}

/// Two states of a cache, all three rebuilt because of zlib, and a lock file of a third.
void load(const Workbench& bench) {
    bench.write("old.json", index_of(programs("b")));
    bench.write("new.json", index_of(programs("c")));
    json lock = {{"_meta", {{"file-type", "spack-lockfile"}, {"lockfile-version", 5}}},
                 {"roots", json::array({{{"hash", hash_of("pd")}, {"spec", "app"}}})}};
    for (const json& one : programs("d")) {
        lock["concrete_specs"][one["hash"].get<std::string>()] = one;
    }
    bench.write("spack.lock", lock.dump());
    REQUIRE(
        bench.run({"ingest", "old.json", "--tag", "cache", "--taken-at", "2025-03-01"}).status ==
        0);
    REQUIRE(
        bench.run({"ingest", "new.json", "--tag", "cache", "--taken-at", "2025-03-02"}).status ==
        0);
}

/// What the run printed, without its time.
std::string without_seconds(const std::string& out) {
    return out.substr(0, out.rfind(", "));
}

json answer(const Workbench& bench, Words words) {
    words.insert(words.end(), {"--format", "json"});
    return json::parse(done(bench.run(words)).out);
}

const Words coverage{"coverage", "spack.lock"};
const Words prune{"prune", "--drop", "hdf5", "--series", "cache"};

}  // namespace

TEST_CASE("coverage, why and prune say what building takes, once the ledger has times") {
    const Filled<Workbench, load> bench;
    for (const Words& words : {coverage, Words{"why"}, prune}) {
        CHECK(!contains(done(bench.run(words)).out, "ime"));
        CHECK(!answer(bench, words).contains("build_seconds"));
    }
    // zlib of the newest state 60 s, of others 100 s; hdf5 30 min; nothing of app.
    bench.write("times.csv",
                "package,version,hash,seconds\nzlib,1.0,,100\nhdf5,1.0,,1800\n"
                "zlib,," +
                    hash_of("zc") + ",60\n");
    CHECK(without_seconds(bench.run({"ingest", "times.csv"}).out) ==
          "1 file, 3 build times (3 new, 0 changed)");

    const std::string covered = bench.run(coverage).out;
    INFO(covered);
    check_has(
        covered,
        {"Build time: 31 min 40 s (2 of 3 times known, 2 of them by version). Longest known "
         "chain: 31 min 40 s (zlib -> hdf5).\n",
         "wave  package  version  time        hash", "   1  zlib     1.0      1 min 40 s  /zdaaaaa",
         "   3  app      1.0      -           /pdaaaaa"});
    const json of_lock = answer(bench, coverage);
    CHECK(of_lock["build_seconds"] == 1900);
    CHECK(of_lock["builds_timed"] == 2);
    CHECK(of_lock["builds_timed_by_version"] == 2);
    CHECK(of_lock["longest_chain_seconds"] == 1900);
    REQUIRE(of_lock["longest_chain"].size() == 2);
    CHECK(of_lock["longest_chain"][0] == json({{"package", "zlib"},
                                               {"hash", hash_of("zd")},
                                               {"version", "1.0"},
                                               {"build_seconds", 100}}));
    CHECK(of_lock["to_build"][2]["build_seconds"].is_null());

    CHECK(
        contains(bench.run({"why"}).out,
                 "\nBuild time of these builds: 31 min (2 of 3 times known, 1 of them by version)."
                 "\n"));
    const json reasons = answer(bench, {"why"});
    CHECK(reasons["rebuilt"] == 3);
    CHECK(reasons["build_seconds"] == 1860);

    // So it is where a file is asked in the place of a snapshot.
    CHECK(answer(bench, {"coverage", "spack.lock", "--at", "./new.json"})["build_seconds"] == 1900);
    // hdf5 of both states is lost.
    CHECK(contains(bench.run(prune).out,
                   "\nBuild time of what would be lost: 1 h (2 by version).\n"));
    CHECK(answer(bench, prune)["build_seconds"] == 3600);
}

TEST_CASE("The ledger says of which build a hash is, whatever a table says") {
    const Filled<Workbench, load> bench;
    // The ledger says that this hash is hdf5 1.0.
    bench.write("times.csv", "package,version,hash,seconds\ncurl,9," + hash_of("hb") + ",70\n");
    REQUIRE(bench.run({"ingest", "times.csv"}).status == 0);
    const json of_lock = answer(bench, coverage);
    CHECK(of_lock["build_seconds"] == 70);
    CHECK(contains(bench.run(coverage).out, " Longest known chain: 1 min 10 s (hdf5)."));
}

TEST_CASE("What no time is known of is said, and no zero") {
    const Filled<Workbench, load> bench;
    bench.write("times.csv", "package,version,seconds\ncurl,8.0,100\n");
    REQUIRE(bench.run({"ingest", "times.csv"}).status == 0);
    const std::string covered = bench.run(coverage).out;
    check_has(covered, {"\nBuild time: not known.\n", "wave  package  version  hash"});
    const json of_lock = answer(bench, coverage);
    CHECK(of_lock["build_seconds"].is_null());
    CHECK(of_lock["longest_chain_seconds"].is_null());
    CHECK(of_lock["longest_chain"].empty());
    CHECK(of_lock["builds_timed"] == 0);
    CHECK(contains(bench.run({"why"}).out, "\nBuild time of these builds: not known.\n"));
}

TEST_CASE("Several files are one total, and their times are, too") {
    const Filled<Workbench, load> bench;
    bench.write("times.csv", "package,version,seconds\nzlib,1.0,100\n");
    REQUIRE(bench.run({"ingest", "times.csv"}).status == 0);
    bench.write("other.lock", bench.read("spack.lock"));
    const Run run = bench.run({"coverage", "spack.lock", "other.lock"});
    INFO(run);
    CHECK(
        contains(run.out, "\nBuild time: 1 min 40 s (1 of 3 times known, 1 of them by version)."));
    CHECK(answer(bench, {"coverage", "spack.lock", "other.lock"})["build_seconds"] == 100);
}

TEST_CASE(
    "ingest --build-times takes folders and standard input, and leaves out what was unpacked") {
    const Workbench bench;
    const auto times = [](const std::string& stem, bool is_unpacked) {
        return json({{"total", 2.5},
                     {"phases", json::array()},
                     {"name", "zlib"},
                     {"cache", is_unpacked},
                     {"hash", hash_of(stem)}})
            .dump();
    };
    bench.write("opt/zlib/.spack/install_times.json", times("z", false));
    bench.write("opt/curl/.spack/install_times.json", times("y", true));
    const Run folder = bench.run({"ingest", "--build-times", "opt"});
    INFO(folder);
    CHECK(without_seconds(folder.out) == "2 files, 1 build time (1 new, 0 changed)");
    CHECK(folder.err ==
          "cacheledger: note: 1 installation is left out: Spack took it from a build cache\n");
    const Run piped =
        bench.run({"ingest", "--build-times", "-"}, "hash,seconds\n" + hash_of("z") + ",3\n");
    CHECK(without_seconds(piped.out) == "1 file, 1 build time (0 new, 1 changed)");
    CHECK(bench.query("SELECT milliseconds FROM build_time") == Words{"3000"});
    CHECK(bench.run({"check"}).out == "ok\n");
    // A ledger with nothing but times is one.
    CHECK(bench.run({"ingest", "nothing"}).status == 3);
    CHECK(bench.query("SELECT count(*) FROM build_time") == Words{"1"});
}

TEST_CASE("Build times stay when snapshots are forgotten, and are copied with the ledger") {
    const Filled<Workbench, load> bench;
    bench.write("times.csv", "hash,seconds\n" + hash_of("zb") + ",3\n");
    REQUIRE(bench.run({"ingest", "times.csv"}).status == 0);
    REQUIRE(bench.run({"forget", "cache@2025-03-01T00:00:00Z"}).status == 0);
    REQUIRE(bench.run({"compact"}).status == 0);
    REQUIRE(bench.run({"backup", "copy.db"}).status == 0);
    CHECK(bench.run({"check"}).out == "ok\n");
    for (const char* const file : {"cacheledger.db", "copy.db"}) {
        const Run run = bench.run(
            {"--db", file, "sql", "SELECT milliseconds FROM build_time", "--format", "csv"});
        CHECK(run.out == "milliseconds\n3000\n");
    }
}

TEST_CASE("Builds of which a table says several times are named, the first three of them") {
    const Workbench bench;
    std::string table = "package;version;seconds\n";
    for (const char* const package : {"a", "b", "c", "d"}) {
        table += fmt::format("{0};1;1\n{0};1;2\n", package);
    }
    bench.write("times.csv", table);
    const Run run = bench.run({"ingest", "times.csv"});
    CHECK(run.status == 0);
    CHECK(without_seconds(run.out) == "1 file, 8 build times (4 new, 0 changed)");
    CHECK(
        run.errors() ==
        Words{"cacheledger: note: a@1 took 1 s in times.csv, and 2 s in times.csv: the last counts",
              "cacheledger: note: b@1 took 1 s in times.csv, and 2 s in times.csv: the last counts",
              "cacheledger: note: c@1 took 1 s in times.csv, and 2 s in times.csv: the last counts",
              "cacheledger: note: 1 more build like this"});
}

TEST_CASE("Bad build times and options of snapshots are refused, and nothing is written") {
    const Workbench bench;
    bench.write("times.csv", "package,version,seconds\nzlib,1.0,1\n");
    bench.write("bad.csv", "package,version,seconds\nzlib,1.0,1\nzlib,1.0,soon\n");
    bench.write("page.md", page("zlib", details({entry()})));
    const Run bad = bench.run({"ingest", "times.csv", "bad.csv"});
    CHECK(bad.status == 3);
    CHECK(bad.err ==
          "cacheledger: bad.csv:3: seconds: expected a number of seconds, from 0 to a "
          "billion, found 'soon'\n");
    check_run(bench.run({"ingest", "page.md", "times.csv"}),
              {.status = 2, .err = {"times.csv has build times, and page.md has none"}});
    for (const Words& missing :
         {Words{"ingest", "times.csv", "gone.csv"}, Words{"ingest", "gone.csv", "times.csv"}}) {
        check_run(bench.run(missing),
                  {.status = 3, .all_err = "cacheledger: gone.csv: no such file or folder\n"});
    }
    check_run(bench.run({"ingest", "times.csv", "--tag", "x"}),
              {.status = 2, .err = {"--tag is for snapshots, and build times make none"}});
    CHECK(bench.run({"ingest", "--build-times"}).status == 2);
    CHECK(bench.run({"ingest", "--build-times", "gone"}).status == 3);
    CHECK(bench.run({"ingest", "--build-times", "--history", "."}).status == 2);
    CHECK_FALSE(bench.has("cacheledger.db"));
    load(bench);
    check_run(
        bench.run({"coverage", "times.csv"}),
        {.status = 3, .err = {"found build times, which 'cacheledger ingest FILE' loads alone"}});
}

}  // namespace times_command_test
