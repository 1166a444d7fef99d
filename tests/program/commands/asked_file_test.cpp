#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace asked_file_test {

using nlohmann::json;
using namespace program;

namespace {

const std::string mirrors = std::string(paths::data) + "/mirrors/";

/// Two mirrors and a lock file, whose hashes are known: 4, 5 and 6 specs (tests/data/mirrors).
const std::string earlier = mirrors + "earlier";
const std::string later = mirrors + "later";
const std::string lock = mirrors + "spack.lock";

void ingest(const Workbench& bench, const std::string& path, const std::string& moment) {
    const Run run = done(bench.run({"ingest", path, "--tag", "site", "--taken-at", moment}));
}

/// The answer, which must be the same as that about the snapshots of the ledger.
json answer(const Workbench& bench, Words words) {
    words.insert(words.end(), {"--format", "json"});
    return json::parse(done(bench.run(words)).out);
}

/// The same without the names, which each answer gives as they were typed.
json unnamed(json answer) {
    answer.erase("from");
    answer.erase("to");
    answer.erase("sentence");
    answer.erase("remarks");
    return answer;
}

void write_lock(const Workbench& bench, const std::string& name) {
    bench.write(name, read_file(lock));
}

}  // namespace

TEST_CASE("Two files are compared without a ledger, and none is made") {
    const Workbench bench;
    const json files = answer(bench, {"diff", earlier, later});
    CHECK(!bench.has("cacheledger.db"));
    const Words screen = lines_of(bench.run({"diff", earlier, later}).out);
    CHECK(screen.at(0) == earlier + " (A) -> " + later + " (B)");
    CHECK(contains(screen.at(1), "in A, 5 in B."));
    CHECK(contains(files["sentence"].get<std::string>(), "in " + later));
    CHECK(files["from"] == earlier);
    CHECK(files["to"] == later);
    CHECK(files["from_specs"] == 4);
    CHECK(files["to_specs"] == 5);

    ingest(bench, earlier, "2025-05-01");
    ingest(bench, later, "2025-05-08");
    const std::string before = bench.database();
    CHECK(unnamed(answer(bench, {"diff", "site~1", "site"})) == unnamed(files));
    CHECK(unnamed(answer(bench, {"diff", "site~1", later})) == unnamed(files));
    CHECK(unnamed(answer(bench, {"diff", earlier, "site"})) == unnamed(files));
    CHECK(unnamed(answer(bench, {"why", "site~1", "site"})) ==
          unnamed(answer(bench, {"why", earlier, later})));
    CHECK(answer(bench, {"report", "drift/summary", "--from", "site~1", "--to", "site"}) ==
          answer(bench, {"report", "drift/summary", "--from", earlier, "--to", later}));
    CHECK(bench.database() == before);
    CHECK(bench.snapshots() == 2);
}

TEST_CASE("Roots that moved to another group are named") {
    const Workbench bench;
    const auto write = [&](const std::string& name, const std::string& group) {
        json content = json::parse(read_file(lock));
        content["_meta"]["lockfile-version"] = 7;
        for (json& root : content["roots"]) {
            root["group"] = "apps";
        }
        content["roots"].front()["group"] = group;
        bench.write(name, content.dump());
        return content["roots"].front()["spec"].get<std::string>();
    };
    write("before.lock", "apps");
    const std::string root = write("after.lock", "tools");
    const Run run = bench.run({"diff", "before.lock", "after.lock"});
    INFO(run);
    CHECK(contains(run.out, "1 root moved to another group: " + root + " from apps to tools."));
    // A file of before groups says nothing of them.
    CHECK(!contains(bench.run({"diff", lock, "after.lock"}).out, "group"));

    const Run loaded = done(bench.run({"ingest", "after.lock", "--tag", "env"}));
    const json groups = answer(bench, {"sql", "SELECT DISTINCT root_group FROM roots ORDER BY 1"});
    CHECK(groups == json::parse(R"([{"root_group":"apps"},{"root_group":"tools"}])"));
}

TEST_CASE("A target that the program does not know stands above the parents that inputs give it") {
    const Workbench bench;
    const auto record = [](char letter, const std::string& target) {
        return fmt::format(
            R"("{0}":{{"spec":{{"name":"zlib","version":"1.3","arch":{{"platform":"linux",)"
            R"("platform_os":"rhel9","target":{1}}},"namespace":"builtin","parameters":{{}},)"
            R"("package_hash":"x","hash":"{0}"}},"in_buildcache":true}})",
            std::string(32, letter), target);
    };
    const auto index = [](const std::string& records) {
        return R"({"database":{"version":"8","installs":{)" + records + "}}}";
    };
    const std::string zen7 = R"({"name":"zen7","vendor":"AMD","features":["avx512f"],)"
                             R"("generation":0,"parents":["zen5"],"cpupart":""})";
    const std::string zen9 = R"({"name":"zen9","vendor":"AMD","features":["avx512f"],)"
                             R"("generation":0,"parents":["zen7"],"cpupart":""})";
    bench.write("one.json", index(record('a', zen7) + "," + record('b', R"("x86_64_v3")") + "," +
                                  record('c', R"("zen4")")));
    bench.write("two.json", index(record('d', zen9)));

    const auto hashes = [&](const Words& words) {
        std::string letters;
        for (const json& row : answer(bench, words)) {
            letters += row["hash"].get<std::string>().front();
        }
        std::ranges::sort(letters);
        return letters;
    };
    CHECK(hashes({"specs", "target=x86_64_v4:", "--at", "one.json"}) == "ac");
    CHECK(hashes({"specs", "target=zen7:", "--at", "one.json"}) == "a");
    CHECK(bench.run({"specs", "target=zen8:", "--at", "one.json"}).status == 2);
    for (const Words& order : {Words{"one", "two"}, Words{"two", "one"}}) {
        const std::string ledger = order.front() + ".db";
        std::string moment = "2026-01-01";
        for (const std::string& name : order) {
            const Run run = done(bench.run(
                {"--db", ledger, "ingest", name + ".json", "--tag", name, "--taken-at", moment}));
        }
        CHECK(hashes({"--db", ledger, "specs", "target=zen5:", "--at", "two"}) == "d");
        CHECK(hashes({"--db", ledger, "specs", "target=zen7:", "--at", "one"}) == "a");
        CHECK(answer(bench, {"--db", ledger, "sql",
                             "SELECT runs, steps FROM target_order WHERE target = 'zen9' AND "
                             "steps BETWEEN 1 AND 3 ORDER BY steps"}) ==
              json::parse(R"([{"runs":"zen7","steps":1},{"runs":"zen5","steps":2},)"
                          R"({"runs":"zen4","steps":3}])"));
    }
    // What it runs most of comes first.
    bench.write("wanted.txt", "zlib@1.3 target=zen5\n");
    const json missing = answer(bench, {"coverage", "wanted.txt", "--at", "one.json"})["missing"];
    REQUIRE(missing.size() == 1);
    CHECK(missing[0]["nearest"] == std::string(32, 'c'));
}

TEST_CASE("Each question about one snapshot takes a file") {
    const Workbench bench;
    write_lock(bench, "spack.lock");
    const json specs = answer(bench, {"specs", "hdf5", "--at", "spack.lock"});
    REQUIRE(specs.size() == 2);
    CHECK(specs[0]["snapshot"] == "spack.lock");
    CHECK(specs[0]["version"] == "1.14.5");
    CHECK(answer(bench, {"dependents", "zlib-ng", "--at", "./spack.lock"})["all"] == 3);
    CHECK(answer(bench, {"coverage", "spack.lock", "--at", later})["covered"] == 4);
    CHECK(answer(bench, {"coverage", "spack.lock", "--at", "spack.lock"})["percent"] == 100.0);
    CHECK(answer(bench, {"report", "coverage/summary", "--at", later})[0]["specs"] == 5);
    check_run(bench.run({"specs", "--at", "-"}, bench.read("spack.lock")),
              {.out = {" builds at -"}});
}

TEST_CASE("The newest snapshot is never a file") {
    const Workbench bench;
    ingest(bench, earlier, "2025-05-01");
    CHECK(answer(bench, {"diff", "latest", later})["from"] == "site@2025-05-01T00:00:00Z");
    CHECK(answer(bench, {"diff", later, "latest"})["to"] == "site@2025-05-01T00:00:00Z");
    CHECK(contains(bench.run({"report", "drift/summary", "--from", later}).out,
                   ", to site@2025-05-01T00:00:00Z"));
}

TEST_CASE("A snapshot comes before a file of its name, and a note says so") {
    const Workbench bench;
    ingest(bench, earlier, "2025-05-01");
    write_lock(bench, "site");
    write_lock(bench, "site~1");
    const Run run = bench.run({"specs", "--at", "site"});
    INFO(run);
    CHECK(contains(run.out, "4 builds at site@2025-05-01"));
    CHECK(run.err ==
          "cacheledger: note: site is a snapshot of the ledger here; ./site is the file\n");
    CHECK(contains(bench.run({"specs", "--at", "./site"}).out, " builds at ./site\n"));
    CHECK(contains(bench.run({"specs", "--at", "./site~1"}).out, " builds at ./site~1\n"));
}

TEST_CASE("What is neither a snapshot nor a file is refused") {
    const Workbench bench;
    write_lock(bench, "spack.lock");
    const auto check = [&](const Words& words, int status, const std::string& problem) {
        check_run(bench.run(words), {.status = status, .all_out = "", .err = {problem}});
    };
    check({"diff", "spack.lock", "new"}, 2,
          "no file 'new', and no ledger cacheledger.db that could have such a snapshot");
    check({"diff", "spack.lock", "new.lock"}, 3, "new.lock: no such file or folder");
    check({"diff", "old", "new"}, 4, "cacheledger.db: no such database");
    bench.write("other.json", "{\"x\": 1}");
    const Run loaded = bench.run({"ingest", "other.json", "--tag", "x"});
    check({"diff", "other.json", "spack.lock"}, 3, loaded.err);
    check({"report", "coverage/summary", "--at", "spack.lock", "--sql"}, 2, "--sql");

    ingest(bench, earlier, "2025-05-01");
    check({"diff", "spack.lock", "sit"}, 2, "no snapshot 'sit'; did you mean 'site'?");
    check({"diff", "site/x", "site"}, 2, "no snapshot 'site/x'; did you mean 'site'?");
}

TEST_CASE("A file with several snapshots is refused, and the message says how to choose") {
    const Workbench bench;
    bench.write("pages/a/zlib.md", page("zlib", details({entry('a')}), "develop"));
    const Run one = bench.run({"specs", "--at", "pages"});
    INFO(one);
    CHECK(contains(one.out, "zlib"));
    bench.write("pages/b/hdf5.md", page("hdf5", details({entry('b')}), "v1.0"));
    check_run(bench.run({"specs", "--at", "pages"}),
              {.status = 2,
               .err = {"pages: expected pages of one tag; found some of develop and some of v1.0",
                       "cacheledger ingest pages"}});

    bench.write("manifest.json",
                R"({"v1": [{"label": "root", "url": "a.json"}], "v2": [{"label": "root", "url": )"
                R"("b.json"}]})");
    check_run(bench.run({"specs", "--at", "manifest.json"}),
              {.status = 2,
               .err = {"manifest.json: expected one snapshot; the manifest has 2 refs",
                       "cacheledger ingest manifest.json --ref v1"}});
}

}  // namespace asked_file_test
