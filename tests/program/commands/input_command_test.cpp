#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace input_command_test {

using namespace program;

namespace {

namespace fs = std::filesystem;

/// A name and the letter of which its hash is made.
struct Build {
    std::string package;
    char letter = 'a';
    std::string needs = "";  ///< letters
    bool in_cache = true;
};

std::string node(const Build& build) {
    Words needs;
    for (const char letter : build.needs) {
        needs.push_back(fmt::format(
            R"({{"name":"lib{0}","hash":"{1}","parameters":{{"deptypes":["link"],"virtuals":[]}}}})",
            letter, std::string(32, letter)));
    }
    return fmt::format(
        R"({{"name":"{}","version":"1.0","arch":{{"platform":"linux","platform_os":"ubuntu24.04",
            "target":"x86_64_v3"}},"namespace":"builtin","parameters":{{"build_system":"generic"}},
            "package_hash":"x","dependencies":[{}],"annotations":{{"original_specfile_version":5}},
            "hash":"{}"}})",
        build.package, fmt::join(needs, ","), std::string(32, build.letter));
}

std::string index(const std::vector<Build>& builds) {
    Words records;
    for (const Build& build : builds) {
        records.push_back(fmt::format(R"("{}":{{"spec":{},"ref_count":0,"in_buildcache":{}}})",
                                      std::string(32, build.letter), node(build), build.in_cache));
    }
    return fmt::format(R"({{"database":{{"version":"8","installs":{{{}}}}}}})",
                       fmt::join(records, ","));
}

std::string lock(const std::string& root, const std::vector<Build>& builds) {
    Words nodes;
    for (const Build& build : builds) {
        nodes.push_back(fmt::format(R"("{}":{})", std::string(32, build.letter), node(build)));
    }
    return fmt::format(
        R"({{"_meta":{{"file-type":"spack-lockfile","lockfile-version":6,"specfile-version":5}},
            "roots":[{{"hash":"{}","spec":"{}"}}],"concrete_specs":{{{}}}}})",
        std::string(32, builds[0].letter), root, fmt::join(nodes, ","));
}

std::string manifest(const std::string& ref, const std::map<std::string, std::string>& urls) {
    Words labels;
    for (const auto& [label, url] : urls) {
        labels.push_back(fmt::format(R"({{"label":"{}","url":"{}"}})", label, url));
    }
    return fmt::format(R"("{}":[{}])", ref, fmt::join(labels, ","));
}

const std::string march = "2025-03-01";
const std::string april = "2025-04-01";

}  // namespace

TEST_CASE("An index is a snapshot of what its cache has") {
    const Workbench bench;
    bench.write("index.json",
                index({{"hdf5", 'h', "b"}, {"libb", 'b', "c"}, {"libc", 'c', "", false}}));
    done(bench.run({"ingest", "index.json", "--tag", "site", "--taken-at", march}));
    CHECK(bench.query("SELECT kind, packages, specs FROM snapshots") == Words{"index,2,2"});
    CHECK(bench.query("SELECT package, stacks, knows_dependencies FROM specs ORDER BY 1") ==
          Words{"hdf5,root,1", "libb,root,1"});
    CHECK(bench.query("SELECT package, dependency, deptypes FROM dependencies ORDER BY 1") ==
          Words{"hdf5,libb,link", "libb,libc,link"});
    CHECK(bench.run({"check"}).status == 0);
}

TEST_CASE("Inputs without a name of their own need one") {
    const Workbench bench;
    bench.write("index.json", index({{"hdf5", 'h'}}));
    bench.write("spack.lock", lock("hdf5", {{"hdf5", 'h'}}));
    check_refused(bench, {{"ingest index.json", "--tag NAME"},
                          {"ingest spack.lock", "spack.lock is a lock file"},
                          {"ingest spack.lock --tag x --partial", "--partial"}});
    CHECK_FALSE(bench.has("cacheledger.db"));
}

TEST_CASE("The indexes of stacks make one snapshot") {
    const Workbench bench;
    bench.write("root.json", index({{"hdf5", 'h'}, {"zlib", 'z'}, {"gone", 'g', "", false}}));
    bench.write("ml.json", index({{"hdf5", 'h'}, {"gone", 'g'}}));
    bench.write("e4s.json", index({{"hdf5", 'h'}, {"zlib", 'z', "", false}}));
    done(bench.run({"ingest", "root.json", "ml=ml.json", "e4s=e4s.json", "--tag", "all"}));
    CHECK(bench.query("SELECT package, stacks FROM specs ORDER BY 1") ==
          Words{"hdf5,\"e4s,ml,root\"", "zlib,root"});
}

TEST_CASE("A manifest makes a snapshot of each ref") {
    const Workbench bench;
    bench.write("caches/a.json", index({{"hdf5", 'h'}}));
    bench.write("caches/b.json", index({{"zlib", 'z'}}));
    bench.write("manifest.json",
                "{" + manifest("develop", {{"ml", "caches/a.json"}}) + "," +
                    manifest("v1.0", {{"root", "caches/a.json"}, {"hpc", "s3://bucket/b.json"}}) +
                    "}");
    const Words map = {"--map-url", "s3://bucket=" + bench.file("caches").string()};
    const auto run = [&](Words arguments) {
        arguments.insert(arguments.end(), map.begin(), map.end());
        return bench.run(arguments);
    };
    check_refused(run({"ingest", "manifest.json", "--tag", "mine"}), 2, "--ref");
    check_refused(run({"ingest", "manifest.json", "--ref", "v2*"}), 3, "develop, v1.0");
    done(run({"ingest", "manifest.json", "--ref", "dev*", "--tag", "mine"}));
    CHECK(bench.query("SELECT tag, package, stacks FROM specs") == Words{"mine,hdf5,ml"});
    done(run({"ingest", "manifest.json", "--taken-at", march}));
    CHECK(bench.query("SELECT tag, package, stacks FROM specs ORDER BY 1, 2") ==
          Words{"develop,hdf5,ml", "mine,hdf5,ml", "v1.0,hdf5,root"});
}

TEST_CASE("A stack whose index can't be read fails its ref, or is a finding") {
    const Workbench bench;
    bench.write("a.json", index({{"hdf5", 'h'}}));
    bench.write("b.json", index({{"zlib", 'z'}}));
    bench.write("manifest.json",
                "{" + manifest("develop", {{"ml", "a.json"}, {"hpc", "b.json"}}) + "}");
    done(bench.run({"ingest", "manifest.json", "--taken-at", march}));
    const std::string before = bench.database();
    bench.write("b.json", index({{"zlib", 'z'}}).substr(0, 200));
    check_refused(bench.run({"ingest", "manifest.json", "--taken-at", april}), 3, "b.json");
    CHECK((bench.database() == before));
    check_run(bench.run({"ingest", "manifest.json", "--taken-at", april, "--keep-going"}),
              {.err = {"not loaded: b.json"}});
    CHECK(bench.query("SELECT package, stacks FROM specs WHERE snapshot LIKE '%-04-%' "
                      "ORDER BY 1") == Words{"hdf5,ml", "zlib,hpc"});
    CHECK(bench.query("SELECT kind FROM findings") == Words{"label-unreadable"});
}

TEST_CASE("What is none of the inputs is refused in one line") {
    const Workbench bench;
    bench.write("keys.json", R"({"keys": {}})");
    bench.write("other.json", R"({"name": "x"})");
    bench.write("index.json", index({{"hdf5", 'h'}}));
    bench.write("spack.lock", lock("hdf5", {{"hdf5", 'h'}}));
    check_refused(bench.run({"ingest", "keys.json", "--tag", "x"}), 3, "keys.json");
    check_refused(bench.run({"ingest", "other.json", "--tag", "x"}), 3, "other.json");
    for (const char* const name : {"red\\u001b[31m", "two\\nlines", "bilz\\u202e"}) {
        bench.write("hostile.json", index({{name, 'h'}}));
        const Run run = bench.run({"ingest", "hostile.json", "--tag", "x"});
        check_refused(run, 3, "expected the name of a package, like py-numpy");
        CHECK_FALSE(contains(run.err, "\x1b"));
        CHECK_FALSE(contains(run.err, "\xe2\x80\xae"));
    }
    check_refused(bench, {{"ingest index.json spack.lock --tag x", "can't be one snapshot"},
                          {"ingest ml=spack.lock --tag x", "ml=spack.lock"},
                          {"ingest - - --tag x", "standard input"}});
    CHECK_FALSE(bench.has("cacheledger.db"));
}

TEST_CASE("A lock file is a snapshot with roots, in a series of its own kind") {
    const Workbench bench;
    bench.write("index.json", index({{"hdf5", 'h', "b"}, {"libb", 'b'}}));
    bench.write("spack.lock", lock("hdf5@1: +mpi", {{"hdf5", 'h', "b"}, {"libb", 'b'}}));
    done(bench.run({"ingest", "spack.lock", "--tag", "env", "--taken-at", march}));
    CHECK(bench.query("SELECT root, package, environment FROM roots") ==
          Words{"hdf5@1: +mpi,hdf5,\"\""});
    CHECK(bench.query("SELECT package, stacks FROM specs ORDER BY 1") ==
          Words{"hdf5,\"\"", "libb,\"\""});
    check_refused(bench.run({"ingest", "index.json", "--tag", "env"}), 2, "lock files");
    done(bench.run({"ingest", "index.json", "--tag", "site", "--taken-at", march}));
    CHECK(bench.query("SELECT kind FROM snapshots ORDER BY 1") == Words{"index", "lock"});
    done(bench.run({"report", "coverage/packages", "--package", "hdf5"}));  // of the index
}

TEST_CASE("An index on standard input can replace a snapshot") {
    const Workbench bench;
    const Words arguments = {"ingest", "ml=-", "--tag", "site", "--taken-at", march};
    done(bench.run(arguments, index({{"hdf5", 'h'}})));
    const Run again = bench.run(arguments, index({{"hdf5", 'h'}}));
    INFO(again);
    CHECK(contains(again.err, "same content"));
    Words replace = arguments;
    replace.emplace_back("--replace");
    check_refused(bench.run(arguments, index({{"zlib", 'z'}})), 3, "--replace");
    check_run(bench.run(replace, index({{"zlib", 'z', "h"}, {"hdf5", 'h', "", false}})),
              {.err = {"was replaced"}});
    CHECK(bench.query("SELECT package FROM specs") == Words{"zlib"});
    CHECK(bench.query("SELECT package, dependency FROM dependencies") == Words{"zlib,hdf5"});
    CHECK(bench.run({"check"}).status == 0);
}

TEST_CASE("With --if-changed what did not change makes no snapshot") {
    const Workbench bench;
    bench.write("a/zlib.md", page("zlib", details({entry()})));
    bench.write("index.json", index({{"hdf5", 'h'}}));
    bench.write("spack.lock", lock("hdf5", {{"hdf5", 'h'}}));
    const std::map<std::string, std::string> inputs = {
        {"a", "develop"}, {"index.json", "site"}, {"spack.lock", "env"}};
    const auto run = [&](const std::string& path, const std::string& at) {
        return bench.run(
            {"ingest", path, "--tag", inputs.at(path), "--taken-at", at, "--if-changed"});
    };
    for (const auto& [path, tag] : inputs) {
        done(run(path, march));
        check_run(run(path, april), {.out = {"0 snapshots loaded (1 unchanged)"},
                                     .err = {tag + "@2025-03-01T00:00:00Z"}});
    }
    CHECK(bench.snapshots() == 3);
    bench.write("a/zlib.md", page("zlib", details({entry('b')})));
    bench.write("index.json", index({{"hdf5", 'h'}, {"zlib", 'z'}}));
    bench.write("spack.lock", lock("hdf5@1", {{"hdf5", 'h'}}));
    for (const auto& [path, tag] : inputs) {
        done(run(path, april));
    }
    CHECK(bench.snapshots() == 6);
    done(bench.run({"ingest", "index.json", "--tag", "site", "--taken-at", "2025-05-01"}));
    CHECK(bench.snapshots() == 7);  // shares all with the one before
    CHECK(bench.run({"check"}).status == 0);
}

TEST_CASE("An index on the web is fetched, and again only if it changed") {
    const Workbench bench;
    const std::map<std::string, std::string> environment = {
        {"XDG_CACHE_HOME", bench.file("cache").string()}};
    const std::map<std::string, std::string> answers = {
        {"/mirror/build_cache/index.json?token=secret",
         http_fixture::answer(200, index({{"hdf5", 'h'}}))}};
    const http_fixture::Server server(answers);
    const std::string url = server.url("/mirror?token=secret");
    const Run run = done(
        bench.run({"ingest", "ml=" + url, "--tag", "web", "--taken-at", march}, "", environment));
    CHECK(bench.query("SELECT source FROM snapshots") == Words{"ml=" + server.url("/mirror")});
    CHECK(bench.query("SELECT package, stacks FROM specs") == Words{"hdf5,ml"});
    const Run missing =
        bench.run({"ingest", server.url("/nothing.json"), "--tag", "web"}, "", environment);
    check_refused(missing, 3, server.url("/nothing.json"));
    CHECK(bench.snapshots() == 1);
}

TEST_CASE("The views of a mirror on the web are read by name, or those that were read before") {
    const Workbench bench;
    const std::map<std::string, std::string> environment = {
        {"XDG_CACHE_HOME", bench.file("cache").string()}};
    std::map<std::string, std::string> answers;
    const auto list = [&](const std::string& place, const std::vector<Build>& builds) {
        const std::string text = index(builds);
        bench.write("blob", text);
        const std::string sum = run_command({"sha256sum", bench.file("blob")}).out.substr(0, 64);
        answers["/m/blobs/sha256/" + sum.substr(0, 2) + "/" + sum] =
            http_fixture::answer(200, text);
        answers["/m/v3/manifests/index/" + place + "index.manifest.json"] =
            http_fixture::answer(200, fmt::format(R"({{"version": 3, "data": [{{"contentLength": {},
                "mediaType": "application/vnd.spack.db.v8+json", "compression": "none",
                "checksumAlgorithm": "sha256", "checksum": "{}"}}]}})",
                                                  text.size(), sum));
    };
    list("", {{"hdf5", 'h'}, {"zlib", 'z'}});
    list("e4s/", {{"zlib", 'z'}});
    list("ml/", {{"hdf5", 'h'}, {"zlib", 'z'}});
    const http_fixture::Server server(answers);
    const auto ingest = [&](Words arguments, const std::string& at) {
        const Words common = {"ingest", "--tag", "web", "--taken-at", at, "--if-changed"};
        arguments.insert(arguments.begin(), common.begin(), common.end());
        return bench.run(arguments, "", environment);
    };
    const std::string url = server.url("/m");
    check_refused(ingest({url, "--view"}, march), 4, "cacheledger.db");
    CHECK_FALSE(bench.has("cacheledger.db"));
    done(ingest({url}, "2025-02-01"));
    check_refused(ingest({url, "--view"}, march), 2, "expected --view NAME");
    done(ingest({url, "--view", "e4s", "--view", "ml"}, march));
    const std::string before = bench.database();
    check_refused(ingest({url, "--view", "../e4s"}, april), 2, "--view '../e4s'");
    const Run missing = done(ingest({url, "--view", "hpc"}, april), 3);
    CHECK(contains(missing.errors().at(0), url + ": has no view 'hpc'; the server says 404"));
    CHECK((bench.database() == before));
    CHECK(contains(ingest({"--view", url}, april).out, "0 snapshots loaded (1 unchanged)"));
    list("e4s/", {{"hdf5", 'h'}});
    done(ingest({"--view", url}, april));
    CHECK(bench.query("SELECT package, stacks FROM latest_specs ORDER BY 1") ==
          Words{"hdf5,\"e4s,ml,root\"", "zlib,\"ml,root\""});
    CHECK(contains(bench.run({"diff", "web~1", "web", "--stack", "e4s"}).out, "hdf5"));
    CHECK(contains(bench.run({"history", "--stack", "e4s"}).out, "zlib"));
    CHECK(contains(bench.run({"report", "coverage/stacks"}).out, "e4s"));
    bench.write("spack.lock", lock("hdf5", {{"hdf5", 'h'}}));
    check_refused(bench.run({"ingest", "spack.lock", "--tag", "x", "--view", "e4s"}), 2,
                  "--view reads views of a mirror, and spack.lock is a lock file");
    check_refused(bench.run({"ingest", "--history", ".", "--view"}), 2, "--view can't be used");
}

TEST_CASE("ingest counts the new findings, and says where to see them") {
    const Workbench bench;
    bench.write("a.json", index({{"liba", 'a'}, {"libb", 'b', "c"}}));
    const auto errors = [&](const Words& words) { return done(bench.run(words)).errors(); };
    const Words ingest = {"ingest", "a.json", "--tag", "site", "--taken-at", "2025-01-01"};
    CHECK(errors(ingest) ==
          Words{"cacheledger: note: 1 new finding: 1 dependency-missing; see cacheledger report "
                "audit/findings --at site@2025-01-01T00:00:00Z"});
    CHECK(errors(ingest) ==
          Words{"site@2025-01-01T00:00:00Z is in the ledger with the same content: nothing to do"});
    CHECK(contains(bench.run({"report", "audit/findings", "--at", "site@2025-01-01T00:00:00Z"}).out,
                   "dependency-missing"));
    // diff says it of both snapshots, unless other packages are asked.
    bench.write("b.json", index({{"liba", 'd'}, {"libb", 'b', "c"}}));
    bench.run({"ingest", "b.json", "--tag", "site", "--taken-at", "2025-01-02"});
    const Run diff = bench.run({"diff", "site~1", "site"});
    INFO(diff);
    check_has(diff.out, {"\nsite@2025-01-01T00:00:00Z has 1 dependency-missing finding (report "
                         "audit/findings --at 'site@2025-01-01T00:00:00Z').\n",
                         "\nsite@2025-01-02T00:00:00Z has 1 dependency-missing finding"});
}

TEST_CASE("An index without specs after one that had some is a note") {
    const Workbench bench;
    bench.write("a.json", index({{"liba", 'a'}, {"libb", 'b'}}));
    bench.write("b.json", index({}));
    CHECK(bench.run({"ingest", "a.json", "--tag", "site", "--taken-at", "2025-01-01"}).err.empty());
    check_run(
        bench.run({"ingest", "b.json", "--tag", "site", "--taken-at", "2025-01-02"}),
        {.all_err =
             "cacheledger: note: site@2025-01-02T00:00:00Z has no specs; the snapshot before it, "
             "site@2025-01-01T00:00:00Z, has 2\n"});
}

}  // namespace input_command_test
