#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/old_page.hpp"
#include "tests/support/program/program.hpp"

namespace old_page_command_test {

using old_page::Files;
using program::contains;
using program::Run;
using program::Words;
using program::Workbench;

namespace {

/// A site with a page of each old generation, and later ones for some of their specs.
struct Site : Workbench {
    Site() {
        put("early/_cache/zlib", old_page::g0("zlib", {{hash('a')}, {hash('b')}}));
        put("early/_cache/hwloc", old_page::g0b("hwloc", {{hash('h')}}));
        put("middle/_cache/develop/zlib",
            old_page::g1("zlib", "develop", {{hash('a')}, {hash('b')}}));
        program::Entry entry = program::entry('a');
        entry["versions"] = R"(["1.0"])";
        entry["compiler"] = R"("gcc@=9.3.0")";
        entry["os"] = R"("ubuntu20.04")";
        entry["target"] = R"("x86_64")";
        write("late/_cache/develop/zlib/specs.md",
              program::page("zlib", program::details({entry})));
    }

    static std::string hash(char letter) { return std::string(32, letter); }

    void put(const std::string& folder, const Files& files) const {
        for (const auto& [name, text] : files) {
            write(folder + "/" + name, text);
        }
    }
    Run ingest(const std::string& folder, const std::string& moment) const {
        return run({"ingest", folder, "--taken-at", moment});
    }
    /// The lines of a report as CSV, without its header.
    Words report(const Words& words) const {
        Words arguments = {"report"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        arguments.insert(arguments.end(), {"--format", "csv"});
        const Run done = run(arguments);
        INFO(done);
        REQUIRE(done.status == 0);
        Words lines = program::lines_of(done.out);
        lines.erase(lines.begin());
        return lines;
    }
};

}  // namespace

TEST_CASE("The oldest pages are loaded, and loaded once") {
    const Site site;
    const Run first = site.ingest("early", "2022-03-01");
    INFO(first);
    CHECK(first.status == 0);
    CHECK(contains(first.out, "2 pages, 3 specs (3 new), 1 snapshot loaded"));
    CHECK(contains(first.out, "untagged@2022-03-01T00:00:00Z"));
    const Words all_specs = {"sql", "SELECT * FROM specs ORDER BY hash", "--format", "csv"};
    const std::string before = site.run(all_specs).out;
    const Run again = site.ingest("early", "2022-03-01");
    INFO(again);
    CHECK(again.status == 0);
    CHECK(contains(again.out, "0 snapshots loaded (1 unchanged)"));
    CHECK(site.run(all_specs).out == before);
    CHECK(site.run({"check"}).out == "ok\n");
}

TEST_CASE("A spec file that is missing is told by page, line and name") {
    const Site site;
    std::filesystem::remove(site.file("early/_cache/zlib/spec-1.json"));
    const Run run = site.ingest("early", "2022-03-01");
    INFO(run);
    CHECK(run.status == 3);
    CHECK(run.errors() == Words{"cacheledger: early/_cache/zlib/index.md:8: spec-1.json, which it "
                                "lists, is not beside it"});
    CHECK(site.snapshots() == 0);
}

TEST_CASE("A page may not name files of other folders") {
    const Site site;
    Files files = old_page::g0("zlib", {{site.hash('a')}});
    std::string& text = files["index.md"];
    text.replace(text.find("spec-0.json"), 11, "../hwloc/spec-0.json");
    site.put("early/_cache/zlib", files);
    const Run run = site.ingest("early", "2022-03-01");
    INFO(run);
    CHECK(run.status == 3);
    CHECK(run.errors() ==
          Words{"cacheledger: early/_cache/zlib/index.md:7: ../hwloc/spec-0.json, which it lists, "
                "is not the name of a file beside it"});
}

TEST_CASE("An old page can't come from standard input") {
    const Site site;
    const Run run = site.run({"ingest", "-"}, site.read("early/_cache/zlib/index.md"));
    INFO(run);
    CHECK(run.status == 3);
    CHECK(run.errors() == Words{"cacheledger: -:7: spec-0.json, which it lists, can't be read: "
                                "nothing is beside standard input"});
}

TEST_CASE("An old page that lost its first line is no other text") {
    const Site site;
    std::string text = site.read("early/_cache/zlib/index.md");
    text.erase(0, 4);
    site.write("early/_cache/zlib/index.md", text);
    const Run run = site.ingest("early", "2022-03-01");
    INFO(run);
    CHECK(run.status == 3);
    CHECK(contains(run.err, "early/_cache/zlib/index.md:1: expected front matter"));
}

TEST_CASE("Coverage reports count no stack where stacks are not known") {
    const Site site;
    REQUIRE(site.ingest("early", "2022-03-01").status == 0);
    REQUIRE(site.ingest("late", "2023-06-01").status == 0);  // which knows the stack hpc
    const auto report = [&](const std::string& name, Words more) {
        more.insert(more.begin(), {name, "--at", "untagged"});
        return site.report(more);
    };
    CHECK(report("coverage/stacks", {}).empty());
    CHECK(report("coverage/matrix", {}).empty());
    CHECK(report("coverage/gaps", {}).empty());
    CHECK(report("coverage/packages", {"--stack", "hpc"}).empty());
    // packages, versions, specs, looks, stacks, systems, targets, compilers, specs without
    // compiler, specs in no stack
    CHECK(report("coverage/summary", {}) == Words{"2,2,3,2,,1,1,1,0,"});
    CHECK(report("coverage/versions", {}).size() == 2);
    CHECK(report("coverage/variants", {"--package", "zlib"}).size() == 1);
}

TEST_CASE("A spec of an old page and of a later one is one spec, and its stacks no drift") {
    const Site site;
    REQUIRE(site.ingest("middle", "2022-06-01").status == 0);
    REQUIRE(site.ingest("late", "2023-06-01").status == 0);
    CHECK(site.query("SELECT count(*) FROM spec") == Words{"2"});
    CHECK(site.report({"drift/stacks"}).empty());
    CHECK(site.report({"drift/specs"}).size() == 1);
    CHECK(site.query("SELECT hash, change FROM changes WHERE taken_at GLOB '2023*'") ==
          Words{site.hash('b') + ",removed"});
    CHECK(site.query("SELECT stacks FROM specs WHERE taken_at GLOB '2023*'") ==
          Words{"\"hpc,root\""});
    CHECK(site.run({"diff", "develop~1", "develop", "--kind", "stack-joined", "--format", "csv"})
              .out.find("stack-joined,") == std::string::npos);
    CHECK(site.run({"check"}).out == "ok\n");
}

}  // namespace old_page_command_test
