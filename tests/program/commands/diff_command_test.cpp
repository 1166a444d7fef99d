#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/program/screen.hpp"

namespace diff_command_test {

using nlohmann::json;
using namespace program;

namespace {

constexpr const char* letters = "abcdefghijklmnopqrstuvwxyz";

/// An entry whose hash is the two letters and then the first one.
Entry spec(char first, char second, const std::string& version = "1.0",
           const std::string& target = "x86_64_v3") {
    Entry made = entry(first);
    std::string hash(32, first);
    hash[1] = second;
    made["hash"] = json_text(hash);
    made["versions"] = "[" + json_text(version) + "]";
    made["target"] = json_text(target);
    return made;
}

/// Between two snapshots `many` has 21 versions less and 25 builds of another version more, each
/// for its own target, and hdf5 is new, with 3 builds; zlib has one of 2 builds left.
void ingest_changes(const Workbench& bench) {
    std::vector<Entry> before;
    std::vector<Entry> after;
    for (int i = 0; i < 25; ++i) {
        const std::string target = std::string("t") + letters[i];
        if (i < 21) {
            before.push_back(spec('b', letters[i], "1." + std::to_string(i)));
        }
        after.push_back(spec('c', letters[i], "2.0", target));
    }
    bench.write("before/many.md", page("many", details(before)));
    bench.write("before/zlib.md", page("zlib", details({spec('d', 'a'), spec('d', 'b', "1.1")})));
    bench.write("after/many.md", page("many", details(after)));
    bench.write("after/hdf5.md", page("hdf5", details({spec('e', 'a'), spec('e', 'b', "1.1"),
                                                       spec('e', 'c', "1.1", "zen4")})));
    bench.write("after/zlib.md", page("zlib", details({spec('d', 'a')})));
    REQUIRE(bench.run({"ingest", "before", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "after", "--taken-at", "2025-01-02"}).status == 0);
}

Run run_diff(const Workbench& bench, Words words) {
    words.insert(words.begin(), "diff");
    return bench.run(words);
}

json json_of(const Workbench& bench, Words words) {
    words.insert(words.end(), {"--format", "json"});
    return json::parse(done(run_diff(bench, words)).out);
}

/// What the view spec_drift counts.
int count(const Workbench& bench, const std::string& where) {
    return std::stoi(bench
                         .query("SELECT count(*) FROM spec_drift WHERE from_snapshot = "
                                "'develop@2025-01-01T00:00:00Z' AND to_snapshot = "
                                "'develop@2025-01-02T00:00:00Z' AND " +
                                where)
                         .at(0));
}

int sum_of_causes(const json& diff, const char* side) {
    int sum = 0;
    for (const auto& row : diff.at("causes")) {
        sum += row.at(side).get<int>();
    }
    return sum;
}

}  // namespace

TEST_CASE("A diff begins with a sentence, and with what concerns most builds") {
    const Filled<Workbench, ingest_changes> bench;
    const Run run = run_diff(bench, {});
    const Words lines = lines_of(run.out);
    INFO(run);
    REQUIRE(lines.size() > 20);
    CHECK(lines[0] == "develop@2025-01-01T00:00:00Z -> develop@2025-01-02T00:00:00Z");
    CHECK(lines[1] ==
          "1 new version (25 builds); 22 versions gone (22 builds); 1 new package (3 builds). 23 "
          "builds before, 29 after.");
    CHECK(lines[6] == "-------  -----  -------");
    CHECK(lines[7] == "version     25       22");
    CHECK(lines[8] == "package      3        0");
    CHECK(lines[10] == "total       28       22");
    CHECK(run.out.find("Versions gained") < run.out.find("Packages gained"));
}

TEST_CASE("Versions of a package that changed are one row, the oldest of many left out") {
    const Filled<Workbench, ingest_changes> bench;
    const Run run = run_diff(bench, {});
    INFO(run);
    check_has(run.out, {"Versions that changed: 1 package\n"
                        "package  change                         step   added  removed\n"
                        "-------  -----------------------------  -----  -----  -------\n"
                        "many     1.20 and 20 older ones -> 2.0  major     25       21\n",
                        "Versions gained and lost: 1 version-removed\n"});
}

TEST_CASE("A long list of changes is in groups, and --all has its rows") {
    const Filled<Workbench, ingest_changes> bench;
    const Run run = run_diff(bench, {"--kind", "version-removed"});
    INFO(run);
    CHECK(contains(run.out,
                   "Versions gained and lost: 22 version-removed, by package\n"
                   "kind             package  versions  specs\n"
                   "---------------  -------  --------  -----\n"
                   "version-removed  many           21     21\n"
                   "version-removed  zlib            1      1\n"
                   "(--all shows all 22 rows)\n"));
    const Run all = run_diff(bench, {"--kind", "version-removed", "--all"});
    INFO(all);
    CHECK(contains(all.out,
                   "Versions gained and lost: 22 version-removed\n"
                   "kind             package  version  specs\n"
                   "---------------  -------  -------  -----\n"
                   "version-removed  many     1.0          1\n"));
    CHECK_FALSE(contains(all.out, "--all"));
}

TEST_CASE("diff of two builds shows in what they and all that they need differ") {
    const Workbench bench;
    const std::string mirrors = std::string(paths::data) + "/mirrors";
    bench.run({"ingest", mirrors + "/earlier", "--tag", "site", "--taken-at", "2025-05-01"});
    bench.run({"ingest", mirrors + "/later", "--tag", "site", "--taken-at", "2025-05-08"});
    const auto hashes =
        bench.query("SELECT min(hash) FROM specs WHERE package = 'hdf5' GROUP BY tag || taken_at");
    REQUIRE(hashes.size() == 2);
    const Words builds = {"/" + hashes[0], "/" + hashes[1]};
    const Run run = done(bench.run({"diff", builds[0], builds[1]}));
    CHECK(run.out == bench.run({"why", builds[0], builds[1]}).out);
    CHECK(contains(run.out, "1  zlib-ng  version: 2.1.6 -> 2.2.4"));
    const Run csv = bench.run({"diff", builds[0], builds[1], "--format", "csv", "--exit-code"});
    CHECK(csv.status == 1);
    CHECK(csv.out.starts_with("depth,package,change,before,after\n0,hdf5,"));
    CHECK(bench.run({"diff", builds[0], builds[0], "--exit-code"}).status == 0);
    CHECK(contains(bench.run({"diff", builds[0], builds[1], "--summary"}).err,
                   "--summary is for snapshots, not for two builds"));
}

TEST_CASE("The summary of a diff has counts and no lists") {
    const Filled<Workbench, ingest_changes> bench;
    CHECK_FALSE(contains(run_diff(bench, {"--summary"}).out, "by kind"));
    const Run run = run_diff(bench, {"--summary", "--all"});
    INFO(run);
    CHECK(contains(run.out,
                   "Changes, by kind\n"
                   "kind             rows  specs\n"
                   "---------------  ----  -----\n"
                   "version-added       1     25\n"
                   "version-removed    22     22\n"
                   "package-added       1      3\n"));
    CHECK_FALSE(contains(run.out, "hdf5"));
    CHECK(json_of(bench, {"--summary"}).at("changes").empty());
    CHECK(run_diff(bench, {"--summary", "--format", "csv"}).out.starts_with("kind,count\n"));
    CHECK_FALSE(contains(run_diff(bench, {"--summary", "--format", "markdown"}).out, "hdf5"));
}

TEST_CASE("The JSON of a diff has its sentence, and the numbers of builds that are asked") {
    const Filled<Workbench, ingest_changes> bench;
    const json all = json_of(bench, {});
    CHECK(all.at("sentence").get<std::string>().starts_with("1 new version (25 builds)"));
    CHECK(all.at("from_specs") == 23);
    CHECK(all.at("to_specs") == 29);
    const json some = json_of(bench, {"--package", "zlib", "--package", "hdf5@1.1"});
    CHECK(some.at("from_specs") == 2);
    CHECK(some.at("to_specs") == 3);
}

TEST_CASE("A diff lists and counts the builds that are asked") {
    const Filled<Workbench, ingest_changes> bench;
    const auto check = [&](const Words& words, const std::string& where) {
        const json diff = json_of(bench, words);
        INFO(where);
        CHECK(sum_of_causes(diff, "added") == count(bench, "change = 'added' AND " + where));
        CHECK(sum_of_causes(diff, "removed") == count(bench, "change = 'removed' AND " + where));
    };
    check({}, "1");
    check({"--target", "zen4"}, "target = 'zen4'");
    check({"--target", "x86_64_v3"}, "target = 'x86_64_v3'");
    check({"--compiler", "gcc", "--os", "ubuntu24.04"}, "compiler GLOB 'gcc@*'");
    check({"--package", "zlib", "--package", "h*"}, "package IN ('zlib', 'hdf5')");
    check({"--package", "zlib@1.1", "--package", "hdf5 target=zen4"},
          "(package = 'zlib' AND version = '1.1' OR package = 'hdf5' AND target = 'zen4')");
    check({"--package", "many@1.5:1.7"}, "version IN ('1.5', '1.6', '1.7')");
    CHECK(run_diff(bench, {"--target", "zen4", "--exit-code"}).status == 1);
    CHECK(run_diff(bench, {"--package", "zlib@1.0", "--exit-code"}).status == 0);
    check_run(run_diff(bench, {"--target", "zen44"}),
              {.status = 2, .all_err = "cacheledger: no target 'zen44'; did you mean 'zen4'?\n"});
}

TEST_CASE("Several kinds of changes can be asked") {
    const Filled<Workbench, ingest_changes> bench;
    const auto kinds = [&](const Words& words) {
        std::map<std::string, int> found;
        const json diff = json_of(bench, words);
        for (const auto& row : diff.at("changes")) {
            ++found[row.at("kind")];
        }
        return found;
    };
    CHECK(kinds({"--kind", "version-added", "--kind", "package-added"}) ==
          std::map<std::string, int>{{"version-added", 1}, {"package-added", 1}});
    CHECK(kinds({"--kind", "version-removed"}) ==
          std::map<std::string, int>{{"version-removed", 22}});
    check_run(run_diff(bench, {"--kind", "version-added", "--kind", "package-aded"}),
              {.status = 2, .err = {"did you mean 'package-added'?"}});
}

TEST_CASE("The kinds that are asked do not change what the sentence says") {
    const Workbench bench;
    Entry moved = spec('d', 'a');
    bench.write("before/zlib.md", page("zlib", details({moved, spec('e', 'a', "1.1")})));
    moved["stacks"] = "[\"root\"]";
    bench.write("after/zlib.md", page("zlib", details({moved, spec('e', 'b', "1.2")})));
    REQUIRE(bench.run({"ingest", "before", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "after", "--taken-at", "2025-01-02"}).status == 0);
    const auto lines = [&](const Words& words) { return lines_of(run_diff(bench, words).out); };
    const Words all = lines({});
    const Words some = lines({"--kind", "version-added"});
    CHECK(
        all.at(1) ==
        "1 new version (1 build); 1 version gone (1 build); 1 build left the stack hpc and is now "
        "in no stack.");
    CHECK(some.at(1) == all.at(1));
    CHECK(some.at(2) == "Only changes of the kind version-added are listed: 1 of 3.");
    CHECK(std::ranges::count(all, "Versions that changed: 1 package") == 1);
    CHECK(std::ranges::count(some, "Versions gained and lost: 1 version-added") == 1);
}

TEST_CASE("A diff by package does not say that it counts moves") {
    const Filled<Workbench, ingest_changes> bench;
    CHECK(contains(run_diff(bench, {"--by", "package"}).out,
                   "\nBuilds added and removed, by cause\n"));
    CHECK(contains(run_diff(bench, {"--by", "stack"}).out,
                   "\nBuilds added, removed and moved, by cause\n"));
}

TEST_CASE("A diff by package says where builds only moved between stacks") {
    const Workbench bench;
    Entry moved = spec('d', 'a');
    bench.write("before/zlib.md", page("zlib", details({moved})));
    moved["stacks"] = "[\"root\", \"other\"]";
    bench.write("after/zlib.md", page("zlib", details({moved})));
    REQUIRE(bench.run({"ingest", "before", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "after", "--taken-at", "2025-01-02"}).status == 0);
    CHECK(run_diff(bench, {"--by", "package"}).err ==
          "cacheledger: note: no package has more or fewer builds; --by stack counts those that "
          "moved\n");
    CHECK(run_diff(bench, {"--by", "stack"}).err.empty());
}

TEST_CASE("A diff shows the causes by package and by stack") {
    const Filled<Workbench, ingest_changes> bench;
    const json by_package = json_of(bench, {"--by", "package"}).at("by");
    REQUIRE(by_package.size() == 3);
    CHECK(by_package[0].at("package") == "many");
    for (const auto& row : by_package) {
        const std::string where = "package = '" + row.at("package").get<std::string>() + "'";
        CHECK(row.at("added") == count(bench, "change = 'added' AND " + where));
        CHECK(row.at("removed") == count(bench, "change = 'removed' AND " + where));
    }
    CHECK(json_of(bench, {"--by", "stack"}).at("by").size() == 1);
    CHECK(json_of(bench, {"--by", "package", "--target", "zen4"}).at("by").size() == 1);
    const Run table = run_diff(bench, {"--by", "package"});
    INFO(table);
    check_has(table.out, {"1 new version (25 builds)", "many"});
    CHECK_FALSE(contains(table.out, "Versions gained"));
    CHECK(lines_of(run_diff(bench, {"--by", "package", "--format", "csv"}).out).size() == 4);
    check_run(run_diff(bench, {"--by", "pakage"}),
              {.status = 2, .err = {"did you mean 'package'?"}});
    CHECK(run_diff(bench, {"--by", "package", "--summary"}).status == 2);
}

TEST_CASE("A diff and its headline fit screens of 60, 80 and 200 columns") {
    const Filled<Workbench, ingest_changes> bench;
    for (const Words& words : {Words{"diff"}, Words{"diff", "--all"}, Words{"diff", "--summary"},
                               Words{"diff", "--by", "package"}, Words{"diff", "--by", "stack"},
                               Words{"why"}, Words{"diff", "develop", "develop~1"}}) {
        for (const int width : {60, 80, 200}) {
            const Run run = done(run_on_screen(bench, words, width));
            for (const std::string& line : lines_of(run.out)) {
                const auto wide = std::ranges::count_if(
                    line, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; });
                CHECK(wide <= width + (line.starts_with("\x1b") ? 8 : 0));
            }
        }
    }
}

}  // namespace diff_command_test
