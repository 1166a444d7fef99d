#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace specs_command_test {

using nlohmann::json;
using namespace program;

TEST_CASE("specs finds the builds that the view specs has") {
    const SampleBench bench;
    const auto found = [&](const Words& words) {
        Words command = {"specs", "--format", "json"};
        command.insert(command.end(), words.begin(), words.end());
        const Run run = bench.run(command);
        INFO(run);
        CHECK(run.err.empty());
        return json::parse(run.out).size();
    };
    const auto count = [&](const std::string& where) {
        return static_cast<std::size_t>(std::stoi(
            bench
                .query("SELECT count(*) FROM specs WHERE tag = 'develop' AND snapshot_id = "
                       "(SELECT max(snapshot_id) FROM snapshots) AND " +
                       where)
                .at(0)));
    };
    CHECK(found({}) == count("1"));
    CHECK(found({"py-safetensors"}) == count("package = 'py-safetensors'"));
    CHECK(found({"py-safetensors@0.4 platform=linux os=ubuntu24.04 target=x86_64_v3 %gcc@13"}) ==
          count("package = 'py-safetensors' AND compiler = 'gcc@13.2.0' AND target = 'x86_64_v3' "
                "AND os = 'ubuntu24.04'"));
    CHECK(found({"%apple-clang"}) == count("compiler_name = 'apple-clang'"));
    CHECK(found({"--stack", "ml-linux-x86_64-*"}) ==
          count("hash IN (SELECT hash FROM spec_stacks WHERE stack GLOB 'ml-linux-x86_64-*' AND "
                "snapshot_id = (SELECT max(snapshot_id) FROM snapshots))"));
    CHECK(found({"--at", "develop~1"}) == 51);
    CHECK(found({"--limit", "4"}) == 4);
    CHECK(found({"--limit", "0"}) == count("1"));
}

TEST_CASE("A spec can be typed in several words, without quotes") {
    const SampleBench bench;
    for (const Words& words :
         {Words{"specs", "py-safetensors@0.4", "platform=linux", "%gcc@13"},
          Words{"history", "py-safetensors@0.4", "platform=linux", "%gcc@13"}}) {
        const Run run = bench.run(words);
        const Run quoted = bench.run({words[0], words[1] + " " + words[2] + " " + words[3]});
        INFO(run << quoted);
        CHECK(run.status == 0);
        CHECK(run.out == quoted.out);
    }
    check_run(bench.run({"specs", "py-safetensors", "zlib"}),
              {.status = 2, .err = {"column 16: expected"}});
}

TEST_CASE("specs of a hash, or of its beginning, finds the build") {
    const SampleBench bench;
    const std::string hash =
        bench.query("SELECT hash FROM specs WHERE tag = 'develop' ORDER BY taken_at DESC, hash")
            .at(0);
    for (const std::string& asked : {hash, "/" + hash, "/" + hash.substr(0, 9)}) {
        check_run(bench.run({"specs", asked}),
                  {.out = {"1 build matches", "hash          " + hash}});
    }
}

TEST_CASE("specs without a match tells the nearest builds and exits with 1") {
    const SampleBench bench;
    check_run(bench.run({"specs", "py-safetensors@9"}),
              {.status = 1, .out = {"No build matches py-safetensors@9", "version: 9 -> 0.4.5"}});
    const Run rows = bench.run({"specs", "py-safetensors@9", "--format", "json"});
    CHECK(rows.status == 1);
    CHECK(json::parse(rows.out) == json::array());
    CHECK(contains(rows.err, "version: 9 -> 0.4.5"));
    check_run(bench.run({"specs", "py-safetensors %apple-clang", "--stack", "e4s"}),
              {.status = 1, .out = {"in other stacks: ml-darwin-aarch64-mps ("}});
    check_run(bench.run({"specs", "py-safetensors ^python"}),
              {.status = 1, .out = {"more builds may match: pages do not list dependencies"}});
    CHECK(bench.run({"specs", "/zzzzzz"}).status == 1);
}

TEST_CASE("specs of a pattern tells nothing of other packages") {
    const SampleBench bench;
    const auto count = [&](const std::string& where) {
        return bench
            .query(
                "SELECT count(*) FROM specs WHERE snapshot_id = "
                "(SELECT max(snapshot_id) FROM snapshots) AND " +
                where)
            .at(0);
    };
    const std::string all = count("package GLOB 'py-t*'");
    REQUIRE(all != count("1"));
    const Run unknown = bench.run({"specs", "py-t* ^python"});
    INFO(unknown);
    CHECK(contains(unknown.out, "\n" + all + " more builds may match"));
    const std::string matching = count("package GLOB 'py-t*' AND platform = 'linux'");
    REQUIRE(matching != count("platform = 'linux'"));
    check_run(bench.run({"specs", "py-t* platform=linux", "--stack", "ml-darwin-aarch64-mps"}),
              {.status = 1, .out = {matching + " builds that match are in other stacks"}});
    const std::string hash = bench.query("SELECT min(hash) FROM latest_specs")[0];
    const std::string package = bench.query("SELECT package FROM latest_specs ORDER BY hash")[0];
    CHECK(contains(bench.run({"specs", "zl* /" + hash}).out,
                   "No spec of a package like 'zl*' has a hash that begins with " + hash));
    CHECK(bench.run({"specs", package + "* /" + hash}).status == 0);
}

TEST_CASE("specs and history refuse what is not known") {
    const SampleBench bench;
    for (const std::string command : {"specs", "history"}) {
        check_run(bench.run({command, "py-safetensor"}),
                  {.status = 2, .err = {"did you mean 'py-safetensors'"}});
        check_run(bench.run({command, "py-safetensors@@1"}),
                  {.status = 2, .err = {"column 16: expected a version"}});
        CHECK(bench.run({command, "py-safetensors", "--limit", "few"}).status == 2);
        CHECK(bench.run({command, "py-safetensors", "--at", "nowhere"}).status == 2);
    }
    CHECK(bench.run({"specs", "--stack", "e5s"}).status == 2);
    CHECK(bench.run({"history"}).status == 2);
    CHECK(bench.run({"history", "zlib", "--series", "develop", "--at", "develop"}).status == 2);
}

TEST_CASE("history of a hash gives an array of events") {
    const SampleBench bench;
    const std::string hash =
        bench.query("SELECT hash FROM specs WHERE tag = 'develop' ORDER BY taken_at, hash").at(0);
    const json events =
        json::parse(done(bench.run({"history", "/" + hash, "--format", "json"})).out);
    REQUIRE(events.size() == 2);
    CHECK(events[0]["taken_at"] == "2025-02-10T00:00:00Z");
    CHECK(events[0]["added"] == 1);
    CHECK(events[1]["event"] == "gone");
    CHECK(events[1]["builds"] == 0);
}

TEST_CASE("specs takes a pattern for names of packages, and other commands say so") {
    const SampleBench bench;
    const auto hashes = [&](const Words& words) { return done(bench.run(words)).out; };
    CHECK(hashes({"specs", "py-s*", "--format", "csv"}) ==
          hashes({"specs", "py-safetensors", "--format", "csv"}));
    CHECK(hashes({"specs", "py-s* target=aarch64", "--format", "csv"}) ==
          hashes({"specs", "py-safetensors target=aarch64", "--format", "csv"}));
    const Run none = done(bench.run({"specs", "zz-*"}), 1);
    CHECK(none.err.find("no package is like 'zz-*'") != std::string::npos);
    for (const std::string command : {"history", "dependents"}) {
        const Run run = done(bench.run({command, "py-*"}), 2);
        CHECK(run.err.find("expected the name of one package") != std::string::npos);
    }
}

TEST_CASE("What is an option elsewhere is a part of the spec for specs") {
    const Workbench bench;
    const auto hint = [&](const Words& words) {
        const Run run = bench.run(words);
        CHECK(run.status == 2);
        return run.err;
    };
    CHECK(hint({"specs", "zlib", "--compiler=gcc"}) ==
          "cacheledger: specs has no --compiler, the SPEC says it: cacheledger specs 'zlib "
          "%gcc'\n");
    CHECK(hint({"specs", "hdf5", "--target", "zen4"}) ==
          "cacheledger: specs has no --target, the SPEC says it: cacheledger specs 'hdf5 "
          "target=zen4'\n");
    CHECK(contains(hint({"specs", "--target", "zen3"}), ": cacheledger specs target=zen3\n"));
    CHECK(contains(hint({"specs", "--package", "hdf5@1.14", "--os=rhel8", "--limit", "7"}),
                   ": cacheledger specs 'hdf5@1.14 os=rhel8' --limit 7\n"));
    // What stands behind a compiler or a dependency would be asked of that.
    CHECK(contains(hint({"specs", "hdf5 %gcc@13", "--variant", "+mpi", "--variant", "~shared",
                         "--platform", "linux", "--stack", "e4s"}),
                   ": cacheledger specs 'hdf5 platform=linux +mpi ~shared %gcc@13' --stack e4s\n"));
    CHECK(contains(hint({"specs", "^zlib", "--target", "zen4"}),
                   ": cacheledger specs 'target=zen4 ^zlib'\n"));
    CHECK(contains(hint({"history", "hdf5", "--target", "zen4", "--series", "develop"}),
                   "history has no --target, the SPEC says it: cacheledger history 'hdf5 "
                   "target=zen4' --series develop\n"));
    CHECK(contains(hint({"dependents", "hdf5", "--compiler", "gcc@13", "--all"}),
                   ": cacheledger dependents 'hdf5 %gcc@13' --all\n"));
    CHECK(contains(hint({"specs", "hdf5", "--target"}), "--target"));
}

TEST_CASE("history exits with 1 if no build matches, as its help says") {
    const SampleBench bench;
    CHECK(contains(bench.run({"history", "--help"}).out, "Exit code 1: no build matches"));
    CHECK(contains(bench.run({"history", "/zzzzzzz"}).out,
                   "No build of the ledger has a hash that begins with zzzzzzz."));
    CHECK(bench.run({"history", "/zzzzzzz"}).status == 1);
    for (const std::string asked : {"py-safetensors@99", "py-safetensors target=zen4 %gcc@99"}) {
        check_run(bench.run({"history", asked}),
                  {.status = 1,
                   .out = {": no events\n",
                           "No build of the ledger matches; for the nearest: cacheledger "
                           "specs "},
                   .all_err = ""});
        const Run rows = bench.run({"history", asked, "--format", "json"});
        CHECK(rows.status == 1);
        CHECK(json::parse(rows.out) == json::array());
        CHECK(contains(rows.err, "No build of the ledger matches"));
    }
    CHECK(bench.run({"history", "py-safetensors"}).status == 0);
    CHECK(bench.run({"history", "py-safetensor"}).status == 2);  // no such package
}

}  // namespace specs_command_test
