#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace why_command_test {

using nlohmann::json;
using program::contains;
using program::Run;
using program::Workbench;

TEST_CASE("why counts specs whose dependencies no source gives") {
    const Workbench bench;
    bench.ingest_samples();
    const Run run = bench.run({"why", "develop~1", "develop", "--format", "json"});
    INFO(run);
    REQUIRE(run.status == 0);
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
    const Workbench bench;
    bench.ingest_samples();
    const auto unknown = [&](const program::Words& filter) {
        program::Words words = {"why", "develop~1", "develop", "--format", "json"};
        words.insert(words.end(), filter.begin(), filter.end());
        const Run run = bench.run(words);
        INFO(run);
        REQUIRE(run.status == 0);
        program::Words report = {"report", "drift/why", "--format", "json"};
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
    const Workbench bench;
    bench.ingest_samples();
    const std::string hash =
        bench.query("SELECT hash FROM specs WHERE tag = 'develop' ORDER BY hash LIMIT 1").at(0);
    CHECK(bench.run({"why", "develop", hash}).status == 2);
    CHECK(bench.run({"why", hash, hash, "--stack", "ml"}).status == 2);
    CHECK(bench.run({"why", hash, hash, "--target", "aarch64"}).status == 2);
    const Run unknown = bench.run({"why", hash, "/zzzzzzz"});
    CHECK(unknown.status == 2);
    CHECK(contains(unknown.err, "no spec has the hash '/zzzzzzz'"));
    CHECK(bench.run({"why", hash, "/" + hash.substr(0, 10)}).status == 0);
    const Run nowhere = bench.run({"why", "develop~1", "nowhere"});
    CHECK(nowhere.status == 2);
}

TEST_CASE("dependents refuses what it does not know, and says what is unknown") {
    const Workbench bench;
    bench.ingest_samples();
    const Run types = bench.run({"dependents", "py-safetensors", "--deptype", "link,make"});
    CHECK(types.status == 2);
    CHECK(contains(types.err, "--deptype 'link,make'"));
    CHECK(contains(bench.run({"dependents", "py-safetensor"}).err, "py-safetensors"));
    CHECK(bench.run({"dependents"}).status == 2);
    const Run spec = bench.run({"dependents", "py-safetensors@@1"});
    CHECK(spec.status == 2);
    CHECK(contains(spec.err, "spec 'py-safetensors@@1', column 16: expected a version"));
    const Run no_match = bench.run({"dependents", "py-safetensors@99"});
    CHECK(no_match.status == 2);
    CHECK(contains(no_match.err, "no spec of the ledger matches 'py-safetensors@99'"));
    const Run undecided = bench.run({"dependents", "py-safetensors ^python", "--format", "json"});
    CHECK(undecided.status == 0);
    CHECK(json::parse(undecided.out)["undecided"] > 0);  // pages say nothing of it
    CHECK(contains(bench.run({"dependents", "py-safetensors ^python"}).out,
                   "more builds may match py-safetensors ^python; what needs them is left out"));
    const Run run = bench.run({"dependents", "py-safetensors", "--format", "json"});
    INFO(run);
    REQUIRE(run.status == 0);
    const json found = json::parse(run.out);
    CHECK(found["spec"] == "py-safetensors");
    CHECK(found["direct"] == 0);
    CHECK(found["all"] == 0);
    CHECK(found["packages"] == 0);
    CHECK(found["unknown"] == 339);
    CHECK(found["undecided"] == 0);
    CHECK(found["stacks"].empty());
    CHECK(found["dependents"].empty());
}

}  // namespace why_command_test
