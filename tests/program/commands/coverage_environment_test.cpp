#include <filesystem>
#include <string>
#include <utility>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace coverage_environment_test {

using program::contains;
using program::lines_of;
using program::Run;
using program::Words;
using program::Workbench;

TEST_CASE("coverage takes a spack.yaml as it takes a list") {
    const Workbench bench;
    bench.ingest_samples();
    bench.write(
        "spack.yaml",
        "# an environment\n\nspack:\n  include: [ci.yaml]\n  definitions:\n  - libs: "
        "[py-transformers]\n"
        "  specs:\n  - py-tokenizers\n  - $libs\n  - group: none\n    specs: [py-tokenizers]\n    "
        "override:\n"
        "      packages: {py-tokenizers: {require: '@99:'}}\n  - 3\n");
    bench.write("ci.yaml", "ci: {}\n");
    const Run run = bench.run({"coverage", "spack.yaml", "--fail-under", "50"});
    INFO(run);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "2 of 4 specs are there."));
    CHECK(contains(run.out, "version: 99: -> "));
    CHECK(contains(run.err, "note: spack.yaml:14: specs: expected a spec, found a number"));
    const Run specs = bench.run({"coverage", "spack.yaml", "--format", "specs"});
    CHECK(specs.out == "py-tokenizers\n");
    bench.write("other.yaml", "spack:\n  specs: [py-tokenizers, nothing]\n");
    const Run several = bench.run({"coverage", "spack.yaml", "other.yaml", "--format", "csv"});
    INFO(several);
    CHECK(contains(several.out, "other.yaml,50"));
    CHECK(contains(several.out, "total,50"));
}

TEST_CASE("coverage refuses a spack.yaml that asks for nothing, or is none") {
    const Workbench bench;
    bench.ingest_samples();
    const auto refused = [&](const std::string& text, const std::string& problem) {
        bench.write("spack.yaml", text);
        const Run run = bench.run({"coverage", "spack.yaml"});
        INFO(run);
        CHECK(run.status == 3);
        CHECK(lines_of(run.err).size() == 1);
        CHECK(contains(run.err, problem));
    };
    refused("spack:\n  specs: []\n", "spack.yaml: asks for nothing");
    refused("spack:\n  specs: [\n", "spack.yaml:3: expected YAML");
}

TEST_CASE("A gate does not pass where a spack.yaml has entries that can't be read") {
    const Workbench bench;
    bench.ingest_samples();
    bench.write("spack.yaml", "spack:\n  specs: ['zlib@@1', py-tokenizers, $nodef]\n");
    const Run run = bench.run({"coverage", "spack.yaml", "--fail-under", "100"});
    INFO(run);
    CHECK(run.status == 1);
    CHECK(contains(run.out, "2 entries can't be read or judged, and count as not there."));
    bench.write("spack.yaml", "spack:\n  specs: [py-tokenizers, 1, 2, 3, 4, 5, 6]\n");
    const Run six = bench.run({"coverage", "spack.yaml"});
    INFO(six);
    CHECK(contains(six.err, "found a number or boolean (1)"));
}

TEST_CASE("What a spack.yaml includes counts, and no gate passes where it can't be read") {
    const Workbench bench;
    bench.ingest_samples();
    const auto status = [&](const std::string& text, const std::string& sentence) {
        bench.write("spack.yaml", text);
        const Run run = bench.run({"coverage", "spack.yaml", "--fail-under", "0.1"});
        INFO(run);
        CHECK(contains(run.out + run.err, sentence));
        return run.status;
    };
    bench.write("site/packages.yaml", "packages: {py-tokenizers: {require: '@99:'}}\n");
    bench.write("external.yaml", "packages: {cmake: {buildable: false}}\n");
    const std::string specs = "  specs: [py-tokenizers, cmake]\n";
    CHECK(status("spack:\n  include: [site]\n  specs: [py-tokenizers]\n", "0 of 1 spec") == 1);
    CHECK(status("spack:\n  include: [external.yaml]\n" + specs, "1 external spec is left out") ==
          0);
    CHECK(status("spack:\n  include: [https://host/x.yaml]\n" + specs,
                 "What it includes is not read: https://host/x.yaml (a URL). It may require "
                 "more") == 1);
}

TEST_CASE("Of several WANTED and of what prune keeps, too, all formats say what was not read") {
    const Workbench bench;
    bench.ingest_samples();
    bench.write("spack.yaml", "spack:\n  include: [none]\n  specs: [py-tokenizers]\n");
    bench.write("list", "py-tokenizers\npy-transformers\nzlib@@1\n");
    const std::string of_include =
        "spack.yaml: What it includes is not read: none (there is no such file).";
    const std::string of_list = "list: 1 entry can't be read or judged, and counts as not there.";
    for (const std::string format : {"table", "json", "markdown", "html"}) {
        const Run run = bench.run({"coverage", "list", "spack.yaml", "--format", format});
        INFO(run);
        CHECK(contains(run.out, of_include));
        CHECK(contains(run.out, format == "html" ? "list: 1 entry can" : of_list));
        const Run keep = bench.run({"prune", "--keep", "spack.yaml", "--format", format});
        INFO(keep);
        CHECK(contains(keep.out + keep.err, of_include));
    }
    const auto passes = [&](const program::Words& words) {
        program::Words all = {"prune"};
        all.insert(all.end(), words.begin(), words.end());
        const Run run = bench.run(all);
        INFO(run);
        CHECK(run.status < 2);
        return run.status == 0;
    };
    bench.write("whole.yaml", "spack:\n  specs: [py-tokenizers]\n");
    bench.write("part.yaml", "spack:\n  specs: [py-tokenizers, $nodef]\n");
    CHECK(passes({"--keep", "whole.yaml", "--fail-on", "specs-100%"}));
    CHECK_FALSE(passes({"--keep", "spack.yaml", "--fail-on", "specs-100%"}));
    CHECK_FALSE(passes({"--keep", "part.yaml", "--fail-on", "specs-100%"}));
    const program::Words least = {"--keep", "latest", "--fail-under", "60", "--lock"};
    for (const auto& [lock, is_there] :
         {std::pair("whole.yaml", true), {"part.yaml", false}, {"spack.yaml", false}}) {
        program::Words words = least;
        words.emplace_back(lock);
        CHECK(passes(words) == is_there);
    }
}

TEST_CASE("coverage of a folder says which environments have no lock file, and no gate passes") {
    const Workbench bench;
    const std::string lock = std::string(paths::data) + "/mirrors/spack.lock";
    REQUIRE(bench.run({"ingest", std::string(paths::data) + "/mirrors/later", "--tag", "site"})
                .status == 0);
    const std::string yaml = "spack:\n  specs: [hdf5]\n";
    bench.write("envs/one/spack.yaml", yaml);
    bench.write("envs/one/spack.lock", program::read_file(lock));
    bench.write("envs/no-environment/README", "");
    bench.write("envs/file", "");
    const auto cover = [&](const program::Words& more = {}) {
        program::Words words = {"coverage", "envs", "--at", lock, "--fail-under", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return bench.run(words);
    };
    const Run whole = cover();
    INFO(whole);
    CHECK(whole.status == 0);
    CHECK_FALSE(contains(whole.out, "no spack.lock"));

    for (const std::string name : {"b", "c", "d", "a"}) {
        bench.write("envs/" + name + "/spack.yaml", yaml);
    }
    const std::string sentence =
        "4 environments have no spack.lock, and are not read: envs/a, envs/b, envs/c and 1 more.";
    const Run part = cover();
    INFO(part);
    CHECK(part.status == 1);
    CHECK(contains(part.out, sentence));
    CHECK(contains(part.err, sentence + " No gate passes then."));
    CHECK(contains(bench.run({"coverage", "envs", "--each", "*"}).err, sentence));

    bench.write("envs/two/spack.lock", program::read_file(lock));
    const Run several = cover({"--format", "json"});
    INFO(several);
    CHECK(several.status == 1);
    CHECK(contains(several.out, sentence));
    CHECK(bench.run({"coverage", "envs", "--at", lock}).status == 0);

    // A link to itself can't be followed, so that nobody knows what it has.
    std::filesystem::create_symlink("loop", bench.folder() / "envs/loop");
    const Run loop = cover();
    INFO(loop);
    CHECK(loop.status == 3);
    CHECK(contains(loop.err, "cacheledger: envs/loop: "));
    std::filesystem::remove(bench.folder() / "envs/loop");
    bench.write("envs/spack.lock", "{}");  // now it is an environment itself
    CHECK(contains(cover().err, "envs/spack.lock"));
}

TEST_CASE("prune keeps what a spack.yaml wants") {
    const Workbench bench;
    bench.ingest_samples();
    bench.write(
        "spack.yaml",
        "spack:\n  specs: [py-tokenizers]\n  packages: {py-tokenizers: {require: '@99:'}}\n");
    const Run run = bench.run({"prune", "--keep", "spack.yaml"});
    INFO(run);
    CHECK(contains(run.err, "spack.yaml:2: py-tokenizers: the cache has nothing that matches"));
}

}  // namespace coverage_environment_test
