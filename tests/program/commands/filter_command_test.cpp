#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace filter_command_test {

using nlohmann::json;
using program::contains;
using program::Run;
using program::Words;
using program::Workbench;

namespace {

std::size_t count_specs(const Workbench& bench, const Words& filter) {
    Words words = {"report", "coverage/targets", "--format", "json"};
    words.insert(words.end(), filter.begin(), filter.end());
    const Run run = bench.run(words);
    INFO(run);
    REQUIRE(run.status == 0);
    std::size_t specs = 0;
    for (const auto& row : json::parse(run.out)) {
        specs += row.at("specs").get<std::size_t>();
    }
    return specs;
}

}  // namespace

TEST_CASE("A report counts the builds that specs finds") {
    const Workbench bench;
    bench.ingest_samples();
    const auto found = [&](const std::string& spec) {
        return json::parse(bench.run({"specs", spec, "--format", "json"}).out).size();
    };
    CHECK(count_specs(bench, {"--target", "aarch64"}) == found("target=aarch64"));
    CHECK(count_specs(bench, {"--os", "sequoia"}) == found("os=sequoia"));
    CHECK(count_specs(bench, {"--platform", "darwin"}) == found("platform=darwin"));
    CHECK(count_specs(bench, {"--compiler", "gcc@13"}) == found("%gcc@13"));
    CHECK(count_specs(bench, {"--variant", "build_system=python_pip", "--target", "x86_64_v3"}) ==
          found("build_system=python_pip target=x86_64_v3"));
    CHECK(count_specs(bench, {"--package", "py-safetensors@0.4 target=aarch64 %gcc"}) ==
          found("py-safetensors@0.4 target=aarch64 %gcc"));
}

TEST_CASE("A report that counts no builds says that it takes no filter") {
    const Workbench bench;
    bench.ingest_samples();
    const Run target = bench.run({"report", "history/series", "--target", "aarch64"});
    CHECK(target.status == 2);
    CHECK(target.err ==
          "cacheledger: the report history/series does not take --target: its rows are not counts "
          "of builds\n");
    const Run spec = bench.run({"report", "history/rebuilds", "--package", "py-safetensors@0.4"});
    CHECK(spec.status == 2);
    CHECK(spec.err ==
          "cacheledger: --package 'py-safetensors@0.4': the report history/rebuilds takes only a "
          "name or a pattern here\n");
    CHECK_FALSE(contains(bench.run({"report", "history/series", "--help"}).out, "--target"));
    CHECK(contains(bench.run({"report", "coverage/targets", "--help"}).out, "--target"));
}

TEST_CASE("A report of one's own has filters if its header says so") {
    const Workbench bench;
    bench.ingest_samples();
    bench.write("mine/looks.sql",
                "-- title: Looks\n-- How many.\n-- param: os text = any   its own\n"
                "-- filters: looks\nSELECT count(*) AS looks, :os AS os FROM asked_looks\n");
    const Run all = bench.run({"report", "looks", "--reports", "mine", "--format", "csv"});
    const Run some = bench.run({"report", "looks", "--reports", "mine", "--target", "aarch64",
                                "--os", "its own", "--format", "csv"});
    CHECK(all.out == "looks,os\n" + bench.query("SELECT count(*) FROM looks").at(0) + ",any\n");
    CHECK(some.out == "looks,os\n" +
                          bench.query("SELECT count(*) FROM looks WHERE target = 'aarch64'").at(0) +
                          ",its own\n");
    bench.write("mine/looks.sql", "-- title: Looks\n-- filters: looks\nSELECT 1\n");
    const Run wrong = bench.run({"report", "looks", "--reports", "mine"});
    CHECK(wrong.status == 2);
    CHECK(contains(wrong.err, "asked_looks"));
}

TEST_CASE("A version that no compiler has is a note") {
    const Workbench bench;
    bench.ingest_samples();
    const Run none = bench.run({"report", "coverage/targets", "--compiler", "gcc@99"});
    CHECK(none.status == 0);
    CHECK(contains(none.err, "cacheledger: note: no compiler is gcc@99; there are: "));
    CHECK(contains(none.err, "gcc@13.2.0"));
    CHECK(bench.run({"report", "coverage/targets", "--compiler", "gcc@13"}).err.empty());
    CHECK(contains(bench.run({"diff", "--package", "py-* %gcc@99"}).err, "no compiler is gcc@99"));
}

}  // namespace filter_command_test
