#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace start_test {

// What the program loads before it begins, by what the dynamic linker of glibc tells.
using program::contains;
using program::Run;
using program::Words;
using program::Workbench;

namespace {

/// The libraries that are looked for in a run.
std::set<std::string> libraries_of(const Workbench& bench, const Words& arguments) {
    const Run run = bench.run(arguments, "", {{"LD_DEBUG", "libs"}});
    INFO(run);
    REQUIRE(run.status == 0);
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

TEST_CASE("A question loads no library for HTTP, git, PostgreSQL or digests") {
    const Workbench bench;
    bench.ingest_samples();
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
    const Workbench bench;
    bench.ingest_samples();
    CHECK(bench.query("SELECT count(*) FROM sqlite_temp_schema") == Words{"0"});
}

TEST_CASE("A library that can't be opened is named where it is needed, and only there") {
    const Workbench bench;
    bench.ingest_samples();
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
    const Run fetch = bench.run({"ingest", "http://127.0.0.1:1/index.json"}, "", environment);
    INFO(fetch);
    CHECK(fetch.status == 2);
    CHECK(contains(fetch.err, "libcurl.so."));
    CHECK(contains(fetch.err, "; install it: URLs are fetched with it\n"));
}

}  // namespace start_test
