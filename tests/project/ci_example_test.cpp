#include <nlohmann/json.hpp>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace ci_example_test {

// What the program loads before it begins, by what the dynamic linker of glibc tells.
using namespace program;
using nlohmann::json;

namespace {

/// The commands of the steps of the example, in order.
Words commands_of_example() {
    const std::string begin = "run: ";
    Words commands;
    for (const std::string& line :
         lines_of(read_file(std::string(paths::source) + "/docs/ci-example.yml"))) {
        const std::size_t at = line.find(begin);
        if (at != std::string::npos && line.find_first_not_of(' ') == at) {
            commands.push_back(line.substr(at + begin.size()));
        }
    }
    return commands;
}

std::string hash_of(const std::string& package) {
    return package + std::string(32 - package.size(), 'a');
}

json node(const std::string& package) {
    return {{"name", package},
            {"version", "1.0"},
            {"arch", {{"platform", "linux"}, {"platform_os", "rhel9"}, {"target", "zen3"}}},
            {"compiler", {{"name", "gcc"}, {"version", "13.2.0"}}},
            {"namespace", "builtin"},
            {"parameters", {{"shared", true}}},
            {"hash", hash_of(package)}};
}

/// The index of a mirror that has these packages.
std::string index_of(const Words& packages) {
    json index = {{"database", {{"version", "7"}}}};
    for (const std::string& package : packages) {
        index["database"]["installs"][hash_of(package)] = {
            {"spec", node(package)}, {"ref_count", 0}, {"in_buildcache", true}};
    }
    return index.dump();
}

std::string lock_of(const Words& packages) {
    json lock = {{"_meta", {{"file-type", "spack-lockfile"}, {"lockfile-version", 5}}},
                 {"roots", json::array()}};
    for (const std::string& package : packages) {
        lock["roots"].push_back({{"hash", hash_of(package)}, {"spec", package}});
        lock["concrete_specs"][hash_of(package)] = node(package);
    }
    return lock.dump();
}

/// As a runner has it: with the last night's ledger, of a cache that had zlib and hwloc.
class Runner {
  public:
    explicit Runner(const Words& packages) {
        std::filesystem::create_symlink(paths::program, bench_.file("cacheledger"));
        bench_.write("mirror/index.json", index_of({"zlib", "hwloc"}));
        bench_.write("spack.lock", lock_of({"zlib", "hwloc"}));
        const Words night = {"ingest", "mirror/index.json", "--tag", "site", "--taken-at"};
        Words last = night;
        last.emplace_back("2025-01-01");
        REQUIRE(bench_.run(last).status == 0);
        bench_.write("mirror/index.json", index_of(packages));
    }

    Run run(const std::string& command) const {
        const std::string path = bench_.folder().string() + ":/usr/bin:/bin";
        return run_command({"sh", "-c", command}, {bench_.folder(),
                                                   "",
                                                   {{"PATH", path},
                                                    {"MIRROR", "mirror/index.json"},
                                                    {"CACHELEDGER_DB", "cacheledger.db"},
                                                    {"GITHUB_STEP_SUMMARY", "summary.md"}}});
    }

    const Workbench& bench() const { return bench_; }

  private:
    Workbench bench_;
};

/// The libraries that are looked for in a run.
std::set<std::string> libraries_of(const Workbench& bench, const Words& arguments) {
    const Run run = done(bench.run(arguments, "", {{"LD_DEBUG", "libs"}}));
    static const std::regex search("find library=(lib[^ ]+) ");
    std::set<std::string> found;
    for (auto match = std::sregex_iterator(run.err.begin(), run.err.end(), search);
         match != std::sregex_iterator(); ++match) {
        found.insert((*match)[1]);
    }
    return found;
}

bool has_library(const std::set<std::string>& libraries, const std::string& name) {
    const auto found = libraries.lower_bound(name + ".so");
    return found != libraries.end() && found->rfind(name + ".so", 0) == 0;
}

}  // namespace

TEST_CASE("The commands of the CI example fail where something is gone") {
    const Words commands = commands_of_example();
    REQUIRE(commands.size() == 5);
    const Runner runner({"zlib"});
    std::vector<int> status;
    Words printed;
    for (const std::string& command : commands) {
        const Run run = runner.run(command);
        INFO(command << "\n" << run);
        CHECK(run.status < 2);
        status.push_back(run.status);
        printed.push_back(run.out);
    }
    CHECK(status == std::vector<int>{0, 0, 1, 1, 1});
    CHECK(contains(runner.bench().read("summary.md"), "Only removals: 1 package gone"));
    CHECK(lines_of(printed[2]).size() == 2);
    CHECK(printed[2].starts_with("::error title=cacheledger diff%3A package-removed::site@"));
    CHECK(printed[3].starts_with("::error title=cacheledger coverage%3A fail-under 95::"));
    CHECK(contains(runner.bench().read("junit.xml"), "failures=\"2\""));
}

TEST_CASE("The commands of the CI example pass where nothing is gone") {
    const Runner runner({"zlib", "hwloc", "mpich"});
    for (const std::string& command : commands_of_example()) {
        const Run run = runner.run(command);
        INFO(command << "\n" << run);
        CHECK(run.status == 0);
        CHECK_FALSE(contains(run.out, "::error"));
    }
    CHECK(contains(runner.bench().read("summary.md"), "Only additions: 1 new package"));
}

TEST_CASE("A question loads no library for HTTP, git, PostgreSQL or digests") {
    const SampleBench bench;
    const auto asked = libraries_of(bench, {"sql", "SELECT 1"});
    if (asked.empty()) {
        WARN("this system does not tell what is loaded");
        return;
    }
    CHECK(has_library(asked, "libsqlite3"));
    for (const std::string name : {"libcurl", "libgit2", "libpq", "libcrypto"}) {
        INFO(name);
        CHECK_FALSE(has_library(asked, name));
    }
}

TEST_CASE("A question makes no views where those of the ledger are its own") {
    const SampleBench bench;
    CHECK(bench.query("SELECT count(*) FROM sqlite_temp_schema") == Words{"0"});
}

TEST_CASE("A library that can't be opened is named where it is needed, and only there") {
    const SampleBench bench;
    std::map<std::string, std::string> environment;
    for (const std::string& library : libraries_of(bench, {"--version"})) {
        if (library.rfind("libgit2.so", 0) == 0 || library.rfind("libcurl.so", 0) == 0) {
            bench.write("broken/" + library, "no library");
            environment["LD_LIBRARY_PATH"] = bench.file("broken").string();
        }
    }
    if (environment.empty()) {
        WARN("the libraries lie where this system does not look for them");
        return;
    }
    CHECK(bench.run({"sql", "SELECT 1"}, "", environment).status == 0);
    const Run version = bench.run({"--version"}, "", environment);
    INFO(version);
    CHECK(contains(version.out, ", without libcurl, without libgit2, OpenSSL "));
    bench.write("spack.lock", R"({"_meta": {"file-type": "spack-lockfile", "lockfile-version": 6},
 "roots": [], "concrete_specs": {}})");
    for (const Words& local :
         {Words{"ingest", "tests/data/pages/earlier", "--taken-at", "2025-05-05"},
          Words{"coverage", "spack.lock"}}) {
        const Run run = bench.run(local, "", environment);
        INFO(run);
        CHECK_FALSE(contains(run.err, "libcurl"));
    }
    check_run(bench.run({"ingest", "http://127.0.0.1:1/index.json"}, "", environment),
              {.status = 2, .err = {"libcurl.so.", "; install it: URLs are fetched with it\n"}});
}

}  // namespace ci_example_test
