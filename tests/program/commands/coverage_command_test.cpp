#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace coverage_command_test {

using nlohmann::json;
using namespace program;

namespace {

std::string hash_of(const std::string& stem) {
    return stem + std::string(32 - stem.size(), 'a');
}

/// A node of a lock file or an index, of form 4.
json node(const std::string& package, const std::string& version,
          const std::string& dependency = "") {
    json node = {{"name", package},
                 {"version", version},
                 {"arch", {{"platform", "linux"}, {"platform_os", "rhel9"}, {"target", "zen3"}}},
                 {"compiler", {{"name", "gcc"}, {"version", "13.2.0"}}},
                 {"namespace", "builtin"},
                 {"parameters", {{"shared", true}}},
                 {"hash", hash_of(package)}};
    if (!dependency.empty()) {
        const json types = json::array({"build", "link"});
        node["dependencies"] =
            json::array({{{"name", dependency},
                          {"hash", hash_of(dependency)},
                          {"parameters", {{"deptypes", types}, {"virtuals", json::array()}}}}});
    }
    return node;
}

json external_glibc() {
    json glibc = node("glibc", "2.34");
    glibc["external"] = {{"path", "/usr"}, {"module", nullptr}};
    return glibc;
}

/// hdf5 needs zlib, which needs glibc, which is external.
std::string lock_text() {
    json lock = {{"_meta", {{"file-type", "spack-lockfile"}, {"lockfile-version", 5}}},
                 {"roots", json::array({{{"hash", hash_of("hdf5")}, {"spec", "hdf5"}}})}};
    for (const json& one :
         {node("hdf5", "1.14.3", "zlib"), node("zlib", "1.3", "glibc"), external_glibc()}) {
        lock["concrete_specs"][one["hash"].get<std::string>()] = one;
    }
    return lock.dump();
}

/// A cache with zlib and another hdf5.
std::string index_text() {
    json hdf5 = node("hdf5", "1.12.2");
    hdf5["hash"] = hash_of("other");
    json index = {{"database", {{"version", "7"}}}};
    for (const json& one : {hdf5, node("zlib", "1.3", "glibc"), external_glibc()}) {
        index["database"]["installs"][one["hash"].get<std::string>()] = {
            {"spec", one}, {"ref_count", 0}, {"in_buildcache", one["name"] != "glibc"}};
    }
    return index.dump();
}

void load(const Workbench& bench) {
    bench.write("index.json", index_text());
    bench.write("spack.lock", lock_text());
    REQUIRE(bench.run({"ingest", "index.json", "--tag", "cache"}).status == 0);
}

}  // namespace

TEST_CASE("coverage says how much of a lock file the cache has, and what is missing") {
    const Filled<Workbench, load> bench;
    const Run run = done(bench.run({"coverage", "spack.lock", "--format", "json"}));
    const json found = json::parse(run.out);
    CHECK(found["wanted"] == "spack.lock");
    CHECK(found["percent"] == 50);
    CHECK(found["percent_all"] == 50);
    CHECK(found["specs"] == 2);
    CHECK(found["external"] == 1);
    REQUIRE(found["missing"].size() == 1);
    CHECK(found["missing"][0] == json({{"package", "hdf5"},
                                       {"hash", hash_of("hdf5")},
                                       {"version", "1.14.3"},
                                       {"runtime", 1},
                                       {"frontier", 1},
                                       {"dependents", 0},
                                       {"nearest", hash_of("other")},
                                       {"differs", "version: 1.14.3 -> 1.12.2"}}));
    const Run text = bench.run({"coverage", "spack.lock"});
    CHECK(text.out.starts_with("spack.lock at cache@"));
    check_has(text.out, {": 50.0 %\n1 of 2 binaries are there. To build: 1 (hdf5).\n",
                         "/otheraa  version: 1.14.3 -> 1.12.2"});
    const Run all = bench.run({"coverage", "spack.lock", "--all-build-dependencies"});
    check_has(all.out, {"With all build dependencies 1 of 2 are there (50.0 %).\n",
                        "Missing to link and run"});
    const Run markdown = bench.run({"coverage", "spack.lock", "--format", "markdown"});
    check_has(markdown.out, {": 50.0 %\n\n1 of 2 binaries are there.",
                             "| 1 | hdf5 | 1.14.3 | " + hash_of("hdf5")});
    CHECK(markdown.err.empty());
    CHECK(contains(bench.run({"coverage", "spack.lock", "--format", "html"}).out, "50.0 %"));
}

TEST_CASE("coverage leaves out externals that a list does not mark, needed by builds or not") {
    const Workbench bench;
    for (const std::string dependency : {"glibc", ""}) {
        CAPTURE(dependency);
        json index = json::parse(index_text());
        index["database"]["installs"][hash_of("zlib")]["spec"] = node("zlib", "1.3", dependency);
        bench.write("index.json", index.dump());
        const std::string header = "-- linux-rhel9-zen3 / no compilers ---\n";
        for (const std::string& line :
             {hash_of("glibc") + " glibc@2.34  " + hash_of("zlib") + " zlib@1.3",
              hash_of("glibc").substr(0, 7) + " glibc@2.34  zlib@1.3",
              std::string("glibc@2.34  zlib@1.3")}) {
            CAPTURE(line);
            const json found =
                json::parse(done(bench.run({"coverage", "-", "--at", "index.json", "--format",
                                            "json", "--fail-under", "100"},
                                           header + line + "\n"))
                                .out);
            CHECK(found["specs"] == 1);
            CHECK(found["covered"] == 1);
            CHECK(found["external"] == 1);
        }
    }
}

TEST_CASE("coverage reads what it can of a list, and no gate passes then") {
    const Filled<Workbench, load> bench;
    const std::string list = "zlib@1.3\nhdf5\nzlib@@1\n";
    const Run run = done(bench.run({"coverage", "-", "--fail-under", "10"}, list), 1);
    CHECK(contains(run.out, "2 of 3 specs are there."));
    check_has(run.err,
              {"standard input:3: column 6: expected a version",
               "1 entry can't be read or judged, and counts as not there. No gate passes"});
    CHECK(bench.run({"coverage", "-"}, list).status == 0);
    check_run(bench.run({"prune", "--keep", "-"}, list),
              {.status = 3, .err = {"standard input: 1 entry can't be read: correct the list"}});
}

TEST_CASE("coverage lists what must be built for other programs, in building order") {
    const Filled<Workbench, load> bench;
    json lock = json::parse(lock_text());
    lock["concrete_specs"][hash_of("netcdf")] = node("netcdf", "4.9", "hdf5");
    lock["roots"][0]["hash"] = hash_of("netcdf");
    bench.write("spack.lock", lock.dump());
    const json expected = json::parse(R"([{"wave": 1, "package": "hdf5", "version": "1.14.3"},
                                          {"wave": 2, "package": "netcdf", "version": "4.9"}])");
    json found =
        json::parse(bench.run({"coverage", "spack.lock", "--format", "json"}).out)["to_build"];
    for (json& one : found) {
        CHECK(one["hash"] == hash_of(one["package"].get<std::string>()));
        one.erase("hash");
    }
    CHECK(found == expected);
    const Run hashes = bench.run({"coverage", "spack.lock", "--format", "hashes"});
    CHECK(hashes.out == hash_of("hdf5") + "\n" + hash_of("netcdf") + "\n");
    CHECK(contains(hashes.err, "1 of 3 binaries are there. To build: 2 (hdf5, netcdf)."));
    const Run specs = bench.run({"coverage", "spack.lock", "--format", "specs"});
    CHECK(specs.out == "hdf5/" + hash_of("hdf5") + "\nnetcdf/" + hash_of("netcdf") + "\n");
    // What it prints is a list of specs, which the cache lacks.
    CHECK(contains(bench.run({"coverage", "-"}, specs.out).out, "0 of 2 specs are there."));
    const std::string list = "zlib@1.3\nhdf5@1.14: +shared\n";
    CHECK(bench.run({"coverage", "-", "--format", "specs"}, list).out == "hdf5@1.14: +shared\n");
    check_run(bench.run({"coverage", "-", "--format", "hashes"}, list),
              {.status = 2, .err = {"--format specs"}});
}

TEST_CASE("coverage of several files has a line for each, and a total without repetition") {
    const Filled<Workbench, load> bench;
    json zlib = json::parse(lock_text());
    zlib["roots"][0]["hash"] = hash_of("zlib");
    bench.write("zlib.lock", zlib.dump());
    bench.write("specs.txt", "zlib@1.3\nhdf5@99\n");
    const Words both = {"coverage", "spack.lock", "zlib.lock"};
    const auto with = [](Words words, const Words& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    const Run text = bench.run(both);
    INFO(text);
    CHECK(text.out.starts_with("2 files at cache@"));
    check_has(text.out, {": 50.0 %\n1 of 2 binaries are there. To build: 1 (hdf5).\n",
                         "\nspack.lock      1   2  50.0 %          1\n",
                         "\nzlib.lock       1   1  100.0 %         0\n",
                         "\ntotal           1   2  50.0 %          1\n"});
    const json found = json::parse(bench.run(with(both, {"--format", "json"})).out);
    CHECK(found["wanted"].is_null());
    CHECK(found["percent"] == 50);
    CHECK(found["specs"] == 2);
    CHECK(found["missing"].size() == 1);
    CHECK(found["to_build"].size() == 1);
    REQUIRE(found["files"].size() == 2);
    CHECK(found["files"][1] == json({{"wanted", "zlib.lock"},
                                     {"percent", 100},
                                     {"percent_all", 100},
                                     {"specs", 1},
                                     {"covered", 1},
                                     {"specs_all", 1},
                                     {"covered_all", 1},
                                     {"external", 1},
                                     {"to_build", 0}}));
    CHECK(bench.run(with(both, {"--format", "csv"})).out ==
          "wanted,percent,percent_all,specs,covered,specs_all,covered_all,external,to_build\n"
          "spack.lock,50,50,2,1,2,1,1,1\n"
          "zlib.lock,100,100,1,1,1,1,1,0\n"
          "total,50,50,2,1,2,1,1,1\n");
    CHECK(contains(bench.run(with(both, {"--format", "markdown"})).out, "| total | 1 | 2 |"));
    CHECK(bench.run(with(both, {"--format", "hashes"})).out == hash_of("hdf5") + "\n");
    const Run gate = bench.run(with(both, {"--fail-under", "60", "--format", "github"}));
    CHECK(gate.status == 1);
    CHECK(contains(gate.out, "fail-under 60 of spack.lock::2 files at cache@"));
    CHECK_FALSE(contains(gate.out, "zlib.lock: "));
    CHECK(contains(gate.err, "spack.lock: 50.0 % is less than --fail-under 60"));
    CHECK(bench.run(with(both, {"--fail-under", "50"})).status == 0);

    const Run mixed = bench.run({"coverage", "spack.lock", "specs.txt", "--format", "json"});
    const json of_both = json::parse(mixed.out);
    CHECK(of_both["specs"] == 4);
    CHECK(of_both["covered"] == 2);
    CHECK(of_both["files"][1]["to_build"].is_null());
    REQUIRE(of_both["missing"].size() == 2);
    CHECK(of_both["missing"][1]["wanted"] == "specs.txt");
    CHECK(of_both["missing"][1]["spec"] == "hdf5@99");
    CHECK(contains(bench.run({"coverage", "specs.txt", "specs.txt"}).out, "2 of 4 specs are"));
    CHECK(bench.run({"coverage", "-", "-"}, "zlib\n").status == 2);
}

TEST_CASE("coverage compares with an earlier snapshot, and fails if less is there") {
    const Workbench bench;
    bench.write("spack.lock", lock_text());
    bench.write("specs.txt", "zlib@1.3\n");
    const auto ingest = [&](const std::string& text, const std::string& day) {
        bench.write("index.json", text);
        REQUIRE(bench.run({"ingest", "index.json", "--tag", "cache", "--taken-at", day}).status ==
                0);
    };
    json without = json::parse(index_text());
    without["database"]["installs"].erase(hash_of("zlib"));
    ingest(index_text(), "2025-01-01");
    ingest(without.dump(), "2025-01-02");
    const Words fallen = {"coverage", "spack.lock", "--since", "cache~1"};
    const Run run = done(bench.run(fallen));
    CHECK(contains(run.out, ": 0.0 % (50.0 % at cache@2025-01-01T00:00:00Z)\n"));
    const auto drop = [&](Words words) {
        words.insert(words.end(), {"--fail-on", "drop"});
        return bench.run(words);
    };
    check_run(drop(fallen),
              {.status = 1,
               .err = {"0.0 % is less than 50.0 % at cache@2025-01-01T00:00:00Z: 0 of 2 "
                       "specs are there, 1 then"}});
    CHECK(drop({"coverage", "spack.lock", "--at", "cache~1", "--since", "cache"}).status == 0);
    CHECK(drop({"coverage", "specs.txt", "--since", "cache~1"}).status == 1);
    const Words both = {"coverage", "spack.lock", "specs.txt", "--since", "cache~1"};
    check_run(drop(both), {.status = 1,
                           .out = {"0.0 % (66.6 % at"},
                           .err = {"specs.txt: 0.0 % is less than 100.0 %"}});
    const json found = json::parse(
        bench.run({"coverage", "spack.lock", "--since", "cache~1", "--format", "json"}).out);
    CHECK(found["since"] == "cache@2025-01-01T00:00:00Z");
    CHECK(found["percent_since"] == 50);
    CHECK(found["covered_since"] == 1);
    Words as_junit = fallen;
    as_junit.insert(as_junit.end(), {"--fail-on", "drop", "--format", "junit"});
    CHECK(contains(bench.run(as_junit).out, "name=\"drop\""));
    check_run(bench.run({"coverage", "spack.lock", "--fail-on", "drop"}),
              {.status = 2, .err = {"give --since"}});
    CHECK(drop({"coverage", "spack.lock", "--since", "cache"}).status == 0);
    CHECK(contains(bench.run({"coverage", "spack.lock", "--since", "cache"}).err, "one snapshot"));
    CHECK(bench.run({"coverage", "spack.lock", "--since", "cache~1", "--fail-on", "dorp"}).status ==
          2);
}

TEST_CASE("The reports on a lock file take the newest one unless another is named") {
    const Filled<Workbench, load> bench;
    check_run(bench.run({"report", "coverage/wanted"}),
              {.out = {", lock cache@"}});  // all of the cache
    REQUIRE(bench.run({"ingest", "spack.lock", "--tag", "site"}).status == 0);
    const Run run = bench.run({"report", "coverage/wanted"});
    CHECK(contains(run.out, ", lock site@"));
    CHECK(run.err.empty());
    const json missing =
        json::parse(bench.run({"report", "coverage/missing", "--format", "json"}).out);
    REQUIRE(missing.size() == 1);
    CHECK(missing[0]["hash"] == hash_of("hdf5"));
}

TEST_CASE("snapshots lists what each snapshot is made from") {
    const Filled<Workbench, load> bench;
    REQUIRE(bench.run({"ingest", "spack.lock", "--tag", "site"}).status == 0);
    const json rows = json::parse(bench.run({"snapshots", "--format", "json"}).out);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["kind"] == "index");
    CHECK(rows[1]["kind"] == "lock");
}

TEST_CASE("coverage says the same of a lock file, of standard input, a folder and a snapshot") {
    const Filled<Workbench, load> bench;
    const json expected =
        json::parse(bench.run({"coverage", "spack.lock", "--format", "json"}).out)["missing"];
    const auto missing = [&](const std::string& wanted, const std::string& input = "") {
        return json::parse(
            done(bench.run({"coverage", wanted, "--format", "json"}, input)).out)["missing"];
    };
    CHECK(missing("-", lock_text()) == expected);
    bench.write("site/spack.lock", lock_text());
    CHECK(missing("site") == expected);
    REQUIRE(bench.run({"ingest", "spack.lock", "--tag", "site"}).status == 0);
    CHECK(missing("site") == expected);
    CHECK(missing("site@", "") == expected);
}

TEST_CASE("coverage takes what spack spec and spack find print as JSON") {
    const Filled<Workbench, load> bench;
    const json nodes = json::array(
        {node("hdf5", "1.14.3", "zlib"), node("zlib", "1.3", "glibc"), external_glibc()});
    const json spec = {{"spec", {{"_meta", {{"version", 4}}}, {"nodes", nodes}}}};
    const auto cover = [&](const std::string& input) {
        const json found =
            json::parse(done(bench.run({"coverage", "-", "--format", "json"}, input)).out);
        return json({found["specs"], found["covered"], found["external"], found["specs_all"]});
    };
    const std::string zlib =
        json(
            {{"spec", {{"_meta", {{"version", 4}}}, {"nodes", json::array({nodes[1], nodes[2]})}}}})
            .dump();
    CHECK(cover(spec.dump()) == json({2, 1, 1, 2}));
    CHECK(cover(zlib) == json({1, 1, 1, 1}));
    CHECK(cover(zlib + "\n" + spec.dump(2) + "\n") == json({2, 1, 1, 2}));
    CHECK(cover("[" + zlib + ", " + spec.dump() + "]") == json({2, 1, 1, 2}));
    CHECK(cover(nodes.dump()) == json({2, 1, 1, 2}));
    CHECK(cover("[me@login1 ~]$ spack find --json\n==> Warning: odd\n    very\n" + nodes.dump(1) +
                "\n[me@login1 ~]$ \n") == json({2, 1, 1, 2}));
    CHECK(cover(json::array({nodes[0]}).dump()) == json({1, 0, 0, 1}));  // not what it needs
    CHECK(bench.run({"prune", "--keep", "-"}, zlib).status == 0);
    for (const char* const broken :
         {"{\"spec\": 1}", "[{\"name\": \"zlib\"}]", "[]", "[{\"name\": 1", "{\"spec\": {}}"}) {
        const Run run = done(bench.run({"coverage", "-"}, broken), 3);
        CHECK(run.err.find("standard input: ") != std::string::npos);
    }
    bench.write("spec.json", zlib);
    CHECK(contains(bench.run({"ingest", "spec.json", "--tag", "x"}).err,
                   "the spec file of one binary"));
}

TEST_CASE("A keep-list of what Spack prints keeps each spec that it names") {
    const Filled<Workbench, load> bench;
    for (const std::string& tree : {"[+]  " + hash_of("zlib").substr(0, 7) + "      ^zlib@1.3\n",
                                    std::string(" -  zlib  [+] hdf5@1.12\n")}) {
        CHECK(contains(
            done(bench.run({"prune", "--keep", "-", "--list", "kept", "--format", "json"}, tree))
                .out,
            hash_of("zlib")));
    }
}

TEST_CASE("coverage takes a list of specs") {
    const Filled<Workbench, load> bench;
    bench.write("specs.txt", "zlib@1.3\nhdf5@1.14: +shared  # newer\nzlib ^musl\n");
    const Run run = done(bench.run({"coverage", "specs.txt", "--format", "json"}));
    const json found = json::parse(run.out);
    CHECK(found["specs"] == 3);
    CHECK(found["covered"] == 1);
    CHECK(found["percent_all"].is_null());
    REQUIRE(found["missing"].size() == 2);
    CHECK(found["missing"][0]["line"] == 2);
    CHECK(found["missing"][0]["nearest"] == hash_of("other"));
    const Run text = bench.run({"coverage", "-"}, "zlib\nhdf5@1.14\n");
    check_has(text.out, {"1 of 2 specs are there.", "hdf5@1.14"});
}

TEST_CASE("coverage takes a list that begins with a mark of Spack") {
    const Filled<Workbench, load> bench;
    const std::string list = "[+] zlib@1.3\n[^]  hdf5@1.14\n";
    bench.write("specs.txt", list);
    const std::string counts = ": 50.0 %\n1 of 2 specs are there.\n";
    CHECK(contains(bench.run({"coverage", "specs.txt"}).out, counts));
    CHECK(contains(bench.run({"coverage", "-"}, list).out, "standard input at cache@"));
    CHECK(contains(bench.run({"coverage", "-"}, list).out, counts));
}

TEST_CASE("coverage says which dependencies a lock file does not have") {
    const Filled<Workbench, load> bench;
    json lock = json::parse(lock_text());
    lock["concrete_specs"].erase(hash_of("zlib"));
    bench.write("pruned.lock", lock.dump());
    CHECK(contains(bench.run({"coverage", "pruned.lock"}).err,
                   "pruned.lock: 1 dependency is not in the file, the first: zlib " +
                       hash_of("zlib") + " of hdf5 " + hash_of("hdf5")));
}

TEST_CASE("coverage of nothing is an error, however it is written") {
    const Filled<Workbench, load> bench;
    const std::string lock =
        R"({"_meta": {"file-type": "spack-lockfile", "lockfile-version": 5}, "roots": [],
            "concrete_specs": {}})";
    bench.write("empty.lock", lock);
    bench.write("empty.json", R"({"database": {"version": "7", "installs":
        {")" + hash_of("gone") + R"(": {"spec": )" +
                                  node("gone", "1").dump() + R"(, "installed": false}}}})");
    bench.write("zero.lock", "");
    bench.write("empty.txt", "# nothing\n");
    REQUIRE(bench.run({"ingest", "empty.lock", "--tag", "none"}).status == 0);
    const auto refused = [&](const std::string& wanted, const std::string& name,
                             const std::string& input = "") {
        check_run(
            bench.run({"coverage", wanted, "--fail-under", "1"}, input),
            {.status = 3,
             .all_out = "",
             .err = {"cacheledger: " + name, ": asks for nothing: expected at least one spec"}});
    };
    for (const std::string name : {"empty.lock", "empty.json", "zero.lock", "empty.txt"}) {
        refused(name, name);
    }
    refused("none", "none@");
    refused("-", "standard input");
    refused("-", "standard input", lock);
}

TEST_CASE("coverage of a cache that only pages describe says what is not known") {
    const SampleBench bench;
    const json found =
        json::parse(done(bench.run({"coverage", "-", "--format", "json"},
                                   "py-safetensors\npy-safetensors ^python\npy-safetensors@99\n"))
                        .out);
    CHECK(found["covered"] == 1);
    CHECK(found["missing"].size() == 1);
    REQUIRE(found["undecided"].size() == 1);
    CHECK(found["undecided"][0]["line"] == 2);
    CHECK(found["remarks"].size() == 1);
}

TEST_CASE("coverage exits with 1 if less is there than asked") {
    const Filled<Workbench, load> bench;
    const auto status = [&](const std::string& percent) {
        return bench.run({"coverage", "spack.lock", "--fail-under", percent}).status;
    };
    CHECK(status("50") == 0);
    CHECK(status("0") == 0);
    CHECK(status("50.01") == 1);
    CHECK(status("100") == 1);
    CHECK(status("101") == 2);
    CHECK(status("-1") == 2);
    CHECK(status("much") == 2);
    CHECK(status("nan") == 2);
    const Run run = bench.run({"coverage", "spack.lock", "--fail-under", "60"});
    CHECK(contains(run.out, "50.0 %"));
    CHECK(contains(run.err, "50.0 % is less than --fail-under 60"));
    CHECK(bench.run({"coverage", "-", "--fail-under", "60"}, "zlib\nhdf5@1.14\n").status == 1);
}

TEST_CASE("coverage refuses what is no lock file and no list, in a line that names it") {
    const Filled<Workbench, load> bench;
    const auto refused = [&](const std::string& wanted, int status, const std::string& part,
                             const std::string& input = "") {
        check_run(bench.run({"coverage", wanted}, input),
                  {.status = status, .all_out = "", .err = {part}});
    };
    refused("index.json", 3,
            "index.json: expected a lock file, an install database, a spack.yaml or a list of "
            "specs; found a build-cache index");
    refused("nowhere", 2, "'nowhere': no such file, and no snapshot 'nowhere'");
    bench.write("pages/page.md", "---\n");
    refused("pages", 3, "pages: expected a lock file");
    bench.write("envs/one/spack.lock", lock_text());
    CHECK(bench.run({"coverage", "envs"}).out.starts_with("envs/one/spack.lock at cache@"));
    refused("-", 3, "standard input:2: column 6: expected a version", "zlib\nzlib@@9\n");
    refused("-", 3, "standard input: is cut off", lock_text().substr(0, 900));
    refused("-", 3, "standard input: broken JSON", "{,");
    CHECK(bench.run({"coverage"}).status == 2);
    CHECK(bench.run({"coverage", "spack.lock", "--at", "nowhere"}).status == 2);
    const Workbench empty;
    empty.write("spack.lock", lock_text());
    CHECK(empty.run({"coverage", "spack.lock"}).status == 4);
    CHECK_FALSE(empty.has("cacheledger.db"));
}

}  // namespace coverage_command_test
