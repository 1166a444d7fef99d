#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace coverage_environment_test {

// coverage --sizes, of a mirror on the web. tests/data/mirrors/later has zlib-ng (210 kB), openmpi
// (24.6 MB), netcdf-c (2.3 MB) and two builds of hdf5; of what spack.lock wants, it lacks one hdf5.
using http_fixture::answer;
using http_fixture::Server;
using nlohmann::json;
using namespace program;

namespace fs = std::filesystem;

namespace {

const std::string mirrors = std::string(paths::data) + "/mirrors";
const std::string lock = mirrors + "/spack.lock";

std::map<std::string, std::string> files_of_mirror() {
    std::map<std::string, std::string> answers;
    const fs::path root = mirrors + "/later";
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_regular_file()) {
            answers["/m/" + entry.path().lexically_relative(root).string()] =
                answer(200, read_file(entry.path()));
        }
    }
    answers["/m/v3/layout.json"] = answer(200, R"({"signing": "gpg"})");
    return answers;
}

struct Site {
    explicit Site(std::map<std::string, std::string> files)
        : answers(std::move(files)), server(answers) {
        REQUIRE(
            run({"ingest", server.url("/m"), "--tag", "web", "--taken-at", "2025-05-08"}).status ==
            0);
    }

    Run run(const Words& arguments) const {
        return bench.run(arguments, "", {{"XDG_CACHE_HOME", bench.file("cache").string()}});
    }

    std::size_t num_asked() const {
        std::size_t number = 0;
        for (const std::string& path : server.paths()) {
            number += contains(path, "/v3/manifests/spec/") ? 1 : 0;
        }
        return number;
    }

    Workbench bench;
    std::map<std::string, std::string> answers;
    Server server;
};

std::string path_of(const std::string& package) {
    for (const auto& [path, text] : files_of_mirror()) {
        if (contains(path, "/spec/" + package + "/")) {
            return path;
        }
    }
    return "";
}

}  // namespace

TEST_CASE("coverage takes a spack.yaml as it takes a list") {
    const SampleBench bench;
    bench.write(
        "spack.yaml",
        "# an environment\n\nspack:\n  include: [ci.yaml]\n  definitions:\n  - libs: "
        "[py-transformers]\n"
        "  specs:\n  - py-tokenizers\n  - $libs\n  - group: none\n    specs: [py-tokenizers]\n    "
        "override:\n"
        "      packages: {py-tokenizers: {require: '@99:'}}\n  - 3\n");
    bench.write("ci.yaml", "ci: {}\n");
    const Run run = done(bench.run({"coverage", "spack.yaml", "--fail-under", "50"}));
    check_has(run.out, {"2 of 4 specs are there.", "version: 99: -> "});
    CHECK(contains(run.err, "note: spack.yaml:14: specs: expected a spec, found a number"));
    const Run specs = bench.run({"coverage", "spack.yaml", "--format", "specs"});
    CHECK(specs.out == "py-tokenizers\n");
    bench.write("other.yaml", "spack:\n  specs: [py-tokenizers, nothing]\n");
    const Run several = bench.run({"coverage", "spack.yaml", "other.yaml", "--format", "csv"});
    INFO(several);
    check_has(several.out, {"other.yaml,50", "total,50"});
}

TEST_CASE("coverage refuses a spack.yaml that asks for nothing, or is none") {
    const SampleBench bench;
    const auto refused = [&](const std::string& text, const std::string& problem) {
        bench.write("spack.yaml", text);
        const Run run = done(bench.run({"coverage", "spack.yaml"}), 3);
        CHECK(lines_of(run.err).size() == 1);
        CHECK(contains(run.err, problem));
    };
    refused("spack:\n  specs: []\n", "spack.yaml: asks for nothing");
    refused("spack:\n  specs: [\n", "spack.yaml:3: expected YAML");
}

TEST_CASE("A gate does not pass where a spack.yaml has entries that can't be read") {
    const SampleBench bench;
    bench.write("spack.yaml", "spack:\n  specs: ['zlib@@1', py-tokenizers, $nodef]\n");
    const Run run = done(bench.run({"coverage", "spack.yaml", "--fail-under", "100"}), 1);
    CHECK(contains(run.out, "2 entries can't be read or judged, and count as not there."));
    bench.write("spack.yaml", "spack:\n  specs: [py-tokenizers, 1, 2, 3, 4, 5, 6]\n");
    const Run six = bench.run({"coverage", "spack.yaml"});
    INFO(six);
    CHECK(contains(six.err, "found a number or boolean (1)"));
}

TEST_CASE("What a spack.yaml includes counts, and no gate passes where it can't be read") {
    const SampleBench bench;
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
    const SampleBench bench;
    bench.write("spack.yaml", "spack:\n  include: [none]\n  specs: [py-tokenizers]\n");
    bench.write("list", "py-tokenizers\npy-transformers\nzlib@@1\n");
    const std::string of_include =
        "spack.yaml: What it includes is not read: none (there is no such file).";
    const std::string of_list = "list: 1 entry can't be read or judged, and counts as not there.";
    for (const std::string format : {"table", "json", "markdown", "html"}) {
        const Run run = bench.run({"coverage", "list", "spack.yaml", "--format", format});
        INFO(run);
        check_has(run.out, {of_include, format == "html" ? "list: 1 entry can" : of_list});
        const Run keep = bench.run({"prune", "--keep", "spack.yaml", "--format", format});
        INFO(keep);
        CHECK(contains(keep.out + keep.err, of_include));
    }
    const auto passes = [&](const Words& words) {
        Words all = {"prune"};
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
    const Words least = {"--keep", "latest", "--fail-under", "60", "--lock"};
    for (const auto& [lock, is_there] :
         {std::pair("whole.yaml", true), {"part.yaml", false}, {"spack.yaml", false}}) {
        Words words = least;
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
    bench.write("envs/one/spack.lock", read_file(lock));
    bench.write("envs/no-environment/README", "");
    bench.write("envs/file", "");
    const auto cover = [&](const Words& more = {}) {
        Words words = {"coverage", "envs", "--at", lock, "--fail-under", "1"};
        words.insert(words.end(), more.begin(), more.end());
        return bench.run(words);
    };
    CHECK_FALSE(contains(done(cover()).out, "no spack.lock"));

    for (const std::string name : {"b", "c", "d", "a"}) {
        bench.write("envs/" + name + "/spack.yaml", yaml);
    }
    const std::string sentence =
        "4 environments have no spack.lock, and are not read: envs/a, envs/b, envs/c and 1 more.";
    check_run(cover(),
              {.status = 1, .out = {sentence}, .err = {sentence + " No gate passes then."}});
    CHECK(contains(bench.run({"coverage", "envs", "--each", "*"}).err, sentence));

    bench.write("envs/two/spack.lock", read_file(lock));
    check_run(cover({"--format", "json"}), {.status = 1, .out = {sentence}});
    CHECK(bench.run({"coverage", "envs", "--at", lock}).status == 0);

    // A link to itself can't be followed, so that nobody knows what it has.
    std::filesystem::create_symlink("loop", bench.folder() / "envs/loop");
    const Run loop = done(cover(), 3);
    CHECK(contains(loop.err, "cacheledger: envs/loop: "));
    std::filesystem::remove(bench.folder() / "envs/loop");
    bench.write("envs/spack.lock", "{}");  // now it is an environment itself
    CHECK(contains(cover().err, "envs/spack.lock"));
}

TEST_CASE("prune keeps what a spack.yaml wants") {
    const SampleBench bench;
    bench.write(
        "spack.yaml",
        "spack:\n  specs: [py-tokenizers]\n  packages: {py-tokenizers: {require: '@99:'}}\n");
    const Run run = bench.run({"prune", "--keep", "spack.yaml"});
    INFO(run);
    CHECK(contains(run.err, "spack.yaml:2: py-tokenizers: the cache has nothing that matches"));
}

TEST_CASE("coverage --sizes asks a mirror on the web once, and the ledger keeps the answers") {
    const Site site(files_of_mirror());
    CHECK_FALSE(contains(done(site.run({"coverage", lock})).out, "To fetch"));
    check_run(site.run({"coverage", lock, "--sizes"}), {.out = {"\nTo fetch: 4 builds, "}});
    CHECK(site.num_asked() == 4);
    const Words kept =
        site.bench.query("SELECT package, size FROM specs WHERE size IS NOT NULL ORDER BY package");
    CHECK(kept.size() == 4);
    const Run again = site.run({"coverage", lock, "--sizes", "--format", "json"});
    CHECK(site.num_asked() == 4);
    check_has(again.out, {"\"fetch_builds\": 4", "\"fetch_known\": 4"});
}

TEST_CASE("A size that the mirror does not tell is not known, and the rest is at least so much") {
    auto answers = files_of_mirror();
    answers.erase(path_of("openmpi"));
    const Site site(answers);
    check_run(site.run({"coverage", lock, "--sizes"}),
              {.out = {"To fetch: 4 builds, at least ", "(3 of 4 sizes known)."}});
}

TEST_CASE("Where another process writes to the ledger, the sizes are shown, and it is named") {
    const Site site(files_of_mirror());
    sqlite3* other = nullptr;
    REQUIRE(sqlite3_open(site.bench.file("cacheledger.db").c_str(), &other) == SQLITE_OK);
    REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
    const Run run = site.run({"coverage", lock, "--sizes"});
    sqlite3_close(other);
    INFO(run);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "\nTo fetch: 4 builds, 36.2 MB."));
    check_has(run.err, {"note: the sizes are not kept: ",
                        fmt::format(", process {}; waited 5 seconds", getpid())});
}

TEST_CASE("A mirror that can't be asked is named once, of however many snapshots it is") {
    const Workbench bench;
    const json nodes = json::parse(read_file(lock)).at("concrete_specs");
    for (const std::string package : {"zlib-ng", "openmpi"}) {
        json index = {{"database", {{"version", "7"}, {"installs", json::object()}}}};
        for (const auto& [hash, node] : nodes.items()) {
            if (node.at("name") == package) {
                index["database"]["installs"][hash] = {{"spec", node}, {"in_buildcache", true}};
            }
        }
        bench.write("m/build_cache/index.json", index.dump());
        REQUIRE(bench.run({"ingest", "m", "--tag", package}).status == 0);
    }
    fs::remove_all(bench.file("m"));
    const Run run =
        done(bench.run({"coverage", lock, "--at", "zlib-ng", "--at", "openmpi", "--sizes"}));
    CHECK(contains(run.out, "To fetch: 2 builds, whose sizes are not known."));
    const std::string note = "m: no such folder, to ask for sizes";
    CHECK(contains(run.err, note));
    CHECK(run.err.find(note) == run.err.rfind(note));
}

TEST_CASE("--sizes refuses what has no hashes") {
    const Site site(files_of_mirror());
    const auto refusal = [&](const Words& arguments) {
        const Run run = site.run(arguments);
        CHECK(run.status == 2);
        return run.errors().at(0);
    };
    site.bench.write("list.txt", "hdf5\n");
    CHECK(contains(refusal({"coverage", site.bench.file("list.txt").string(), "--sizes"}),
                   "list.txt is a list of specs"));
    CHECK(contains(refusal({"coverage", "--stack", "e4s", "--sizes"}), "--stack takes none"));
    CHECK(contains(refusal({"coverage", lock, "--each", "web", "--sizes"}),
                   "--each takes no --sizes"));
}

TEST_CASE("Where a mirror can't be asked, the answer and its gates are as without its sizes") {
    const Workbench bench;
    const std::map<std::string, std::string> environment = {
        {"XDG_CACHE_HOME", bench.file("cache").string()}};
    {
        const auto answers = files_of_mirror();
        const Server server(answers);
        REQUIRE(bench.run({"ingest", "e4s=" + server.url("/m"), "--tag", "web"}, "", environment)
                    .status == 0);
    }
    const std::string before = bench.database();
    const Words words = {"coverage", lock, "--sizes", "--fail-under", "80"};
    check_run(bench.run(words, "", environment),
              {.out = {"To fetch: 4 builds, whose sizes are not known."},
               .err = {"/m/v3/layout.json: "}});
    CHECK((bench.database() == before));
}

}  // namespace coverage_environment_test
