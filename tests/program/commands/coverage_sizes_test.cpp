#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/program/program.hpp"

namespace coverage_sizes_test {

// coverage --sizes, of a mirror on the web. tests/data/mirrors/later has zlib-ng (210 kB), openmpi
// (24.6 MB), netcdf-c (2.3 MB) and two builds of hdf5; of what spack.lock wants, it lacks one hdf5.
using http_fixture::answer;
using http_fixture::Server;
using nlohmann::json;
using program::contains;
using program::Run;
using program::Words;
using program::Workbench;

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
                answer(200, program::read_file(entry.path()));
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

TEST_CASE("coverage --sizes asks a mirror on the web once, and the ledger keeps the answers") {
    const Site site(files_of_mirror());
    const Run without = site.run({"coverage", lock});
    CHECK(without.status == 0);
    CHECK_FALSE(contains(without.out, "To fetch"));
    const Run first = site.run({"coverage", lock, "--sizes"});
    INFO(first);
    CHECK(first.status == 0);
    CHECK(contains(first.out, "\nTo fetch: 4 builds, "));
    CHECK(site.num_asked() == 4);
    const Words kept =
        site.bench.query("SELECT package, size FROM specs WHERE size IS NOT NULL ORDER BY package");
    CHECK(kept.size() == 4);
    const Run again = site.run({"coverage", lock, "--sizes", "--format", "json"});
    CHECK(site.num_asked() == 4);
    CHECK(contains(again.out, "\"fetch_builds\": 4"));
    CHECK(contains(again.out, "\"fetch_known\": 4"));
}

TEST_CASE("A size that the mirror does not tell is not known, and the rest is at least so much") {
    auto answers = files_of_mirror();
    answers.erase(path_of("openmpi"));
    const Site site(answers);
    const Run run = site.run({"coverage", lock, "--sizes"});
    INFO(run);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "To fetch: 4 builds, at least "));
    CHECK(contains(run.out, "(3 of 4 sizes known)."));
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
    CHECK(contains(run.err, "note: the sizes are not kept: "));
    CHECK(contains(run.err, fmt::format(", process {}; waited 5 seconds", getpid())));
}

TEST_CASE("A mirror that can't be asked is named once, of however many snapshots it is") {
    const Workbench bench;
    const json nodes = json::parse(program::read_file(lock)).at("concrete_specs");
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
    const Run run = bench.run({"coverage", lock, "--at", "zlib-ng", "--at", "openmpi", "--sizes"});
    INFO(run);
    CHECK(run.status == 0);
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
    const Run gone = bench.run(words, "", environment);
    INFO(gone);
    CHECK(gone.status == 0);
    CHECK(contains(gone.out, "To fetch: 4 builds, whose sizes are not known."));
    CHECK(contains(gone.err, "/m/v3/layout.json: "));
    CHECK((bench.database() == before));
}

}  // namespace coverage_sizes_test
