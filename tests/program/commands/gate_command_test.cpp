#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace gate_command_test {

using nlohmann::json;
using namespace program;

namespace {

/// 20 builds of zlib and 1 of hwloc; then hwloc is gone, and one of zlib.
void ingest_losses(const Workbench& bench, const std::string& gone = "hwloc") {
    std::vector<Entry> before;
    for (const char letter : std::string("abcdefghijklmnopqrst")) {
        before.push_back(entry(letter));
    }
    bench.write("before/zlib.md", page("zlib", details(before)));
    bench.write("before/gone.md", page(gone, details({entry('z')})));
    before.pop_back();
    before.front()["stacks"] = "[\"root\"]";
    bench.write("after/zlib.md", page("zlib", details(before)));
    REQUIRE(bench.run({"ingest", "before", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "after", "--taken-at", "2025-01-02"}).status == 0);
}

Run run_gates(const Workbench& bench, const std::string& gates, const Words& more = {}) {
    Words words = {"diff", "--summary", "--fail-on", gates};
    words.insert(words.end(), more.begin(), more.end());
    return bench.run(words);
}

/// How a parser of XML reads it: a line for each element, with its attributes and its text.
Words read_xml(const Workbench& bench, const std::string& xml) {
    bench.write("gates.xml", xml);
    const Run run = run_command(
        {"python3", "-c",
         "import json, sys, xml.etree.ElementTree as tree\n"
         "for e in tree.parse(sys.argv[1]).iter():\n"
         "    print(e.tag, json.dumps([e.get(k) for k in ('name', 'failures', 'message')]), "
         "(e.text or '').strip())",
         bench.file("gates.xml").string()});
    INFO(run << xml);
    REQUIRE(run.status == 0);
    return lines_of(run.out);
}

}  // namespace

TEST_CASE("A gate fails for a kind, a cause, or a fall of the number of specs") {
    const Workbench bench;
    ingest_losses(bench);
    const auto error = [&](const std::string& gates) {
        const Run run = done(run_gates(bench, gates), 1);
        REQUIRE(run.errors().size() == 1);
        return run.errors().at(0);
    };
    CHECK(
        error("package-removed") ==
        "cacheledger: note: --fail-on: package-removed failed: 1 package-removed: hwloc (1 spec)");
    CHECK(error("stack-left") ==
          "cacheledger: note: --fail-on: stack-left failed: 1 stack-left: hpc (1 spec)");
    CHECK(error("specs-9%") ==
          "cacheledger: note: --fail-on: specs-9% failed: 9.5 % fewer, from 21 to 19 specs");
    CHECK(
        error("copies") ==
        "cacheledger: note: --fail-on: copies failed: 0 added and 1 removed with the cause copies");
    CHECK(error("spec-removed") ==
          "cacheledger: note: --fail-on: spec-removed failed: 2 spec-removed");
    CHECK(error("package-removed,version,specs-1%") ==
          "cacheledger: note: --fail-on: package-removed failed: 1 package-removed: hwloc (1 "
          "spec); specs-1% failed: 9.5 % fewer, from 21 to 19 specs");
    for (const char* const held : {"package-added", "version", "specs-9.6%", "specs-10%", "target",
                                   "spec-added", "stack-joined", "rebuilt"}) {
        check_run(run_gates(bench, held), {.all_err = ""});
    }
    CHECK(run_gates(bench, "version", {"--fail-on", "package"}).status == 1);
    // A fall of as many percent as are allowed is no failure: 1 of 20.
    CHECK(run_gates(bench, "specs-5%", {"--package", "zlib"}).status == 0);
    CHECK(run_gates(bench, "specs-4.9%", {"--package", "zlib"}).status == 1);
    CHECK(run_gates(bench, "package-removed", {"--package", "zlib"}).status == 0);
    CHECK(run_gates(bench, "package-removed", {"--kind", "stack-left"}).status == 1);
}

TEST_CASE("An unknown gate is answered with the nearest") {
    const Workbench bench;
    ingest_losses(bench);
    const auto check = [&](const std::string& gate, const std::string& error) {
        check_run(run_gates(bench, gate), {.status = 2, .all_err = "cacheledger: " + error + "\n"});
    };
    check("package-remvoed", "no gate 'package-remvoed'; did you mean 'package-removed'?");
    check("version,verison",
          "no gate 'verison'; did you mean 'version', 'version-added', 'version-removed'?");
    check("specs-5",
          "--fail-on 'specs-5': expected specs-N%, with a number from 0 to 100: specs-5%");
    check("specs-101%",
          "--fail-on 'specs-101%': expected specs-N%, with a number from 0 to 100: specs-5%");
    const Run nothing = run_gates(bench, "package-removed,");
    CHECK(nothing.status == 2);
    check_run(bench.run({"diff", "--format", "junit"}),
              {.status = 2,
               .all_err = "cacheledger: --format junit shows the gates of --fail-on: give some\n"});
    CHECK(bench.run({"snapshots", "--format", "junit"}).status == 2);
}

TEST_CASE("Gates are in JSON, JUnit and GitHub's workflow commands") {
    const Workbench bench;
    ingest_losses(bench);
    const std::string gates = "package-removed,version,specs-9%";
    const Run as_json = run_gates(bench, gates, {"--format", "json"});
    CHECK(as_json.status == 1);
    const json expected = json::parse(R"x([
        {"gate": "package-removed", "outcome": "failed",
         "message": "1 package-removed: hwloc (1 spec)"},
        {"gate": "version", "outcome": "passed", "message": "none"},
        {"gate": "specs-9%", "outcome": "failed",
         "message": "9.5 % fewer, from 21 to 19 specs"}])x");
    CHECK(json::parse(as_json.out).at("gates") == expected);
    CHECK_FALSE(json::parse(bench.run({"diff", "--format", "json"}).out).contains("gates"));

    const std::string pair = "develop@2025-01-01T00:00:00Z -> develop@2025-01-02T00:00:00Z";
    const Run junit = run_gates(bench, gates, {"--format", "junit"});
    CHECK(junit.status == 1);
    const Words elements = {
        R"x(testsuites ["cacheledger", "2", null] )x",
        R"x(testsuite ["cacheledger diff )x" + pair + R"x(", "2", null] )x",
        R"x(testcase ["package-removed", null, null] )x",
        R"x(failure [null, null, "1 package-removed: hwloc (1 spec)"] )x"
        "1 package-removed: hwloc (1 spec)",
        R"x(testcase ["version", null, null] )x",
        R"x(system-out [null, null, null] none)x",
        R"x(testcase ["specs-9%", null, null] )x",
        R"x(failure [null, null, "9.5 % fewer, from 21 to 19 specs"] )x"
        "9.5 % fewer, from 21 to 19 specs",
        "system-out [null, null, null] 1 package gone (1 build); 1 fewer copy of a build that is "
        "still there; 1 build left the stack hpc and is now in no stack. 21 builds before, 19 "
        "after.",
    };
    CHECK(read_xml(bench, junit.out) == elements);

    const Run github = run_gates(bench, gates, {"--format", "github"});
    CHECK(github.status == 1);
    CHECK(lines_of(github.out) == Words{"::error title=cacheledger diff%3A package-removed::" +
                                            pair + ": 1 package-removed: hwloc (1 spec)",
                                        "::error title=cacheledger diff%3A specs-9%25::" + pair +
                                            ": 9.5 %25 fewer, from 21 to 19 specs"});
    const Run fine = run_gates(bench, "version", {"--format", "github"});
    CHECK(fine.status == 0);
    CHECK(lines_of(fine.out).size() == 1);
    CHECK(fine.out.starts_with("::notice title=cacheledger diff::" + pair + ": 1 package gone"));
}

TEST_CASE("The gate of coverage has the same formats") {
    const Workbench bench;
    ingest_losses(bench);
    bench.write("wanted", "zlib\nhwloc\n");
    const auto run = [&](const std::string& least, const std::string& format) {
        return bench.run({"coverage", "wanted", "--fail-under", least, "--format", format});
    };
    const Run junit = run("60", "junit");
    CHECK(junit.status == 1);
    const std::string message = "50.0 % is less than --fail-under 60: 1 of 2 specs are there";
    CHECK(read_xml(bench, junit.out).at(3) ==
          "failure [null, null, \"" + message + "\"] " + message);
    CHECK(run("60", "github").out ==
          "::error title=cacheledger coverage%3A fail-under 60::wanted at "
          "develop@2025-01-02T00:00:00Z: 50.0 %25 is less than --fail-under 60: 1 of 2 specs are "
          "there\n");
    CHECK(run("50", "github").out ==
          "::notice title=cacheledger coverage::wanted at develop@2025-01-02T00:00:00Z: 50.0 %25: "
          "1 of 2 specs are there.\n");
    CHECK(read_xml(bench, junit.out).back() ==
          "system-out [null, null, null] 50.0 %: 1 of 2 specs are there.");
    CHECK(run("50", "github").status == 0);
    const Run as_json = run("60", "json");
    CHECK(json::parse(as_json.out).at("gates").at(0).at("outcome") == "failed");
    CHECK(bench.run({"coverage", "wanted", "--format", "github"}).status == 2);
}

TEST_CASE("Hostile names do no harm to JUnit and workflow commands") {
    const Words hostile = {
        "<failure message=\"x\">]]>&amp;&#0;",
        "a\n::error::pwned",
        "a\r\n##[error]pwned%0A::stop-commands::x",
        "\x1b[31mred\x07",
        "\xef\xbf\xbe\xef\xbf\xbf end",
        "'\"--><!--",
    };
    for (const std::string& name : hostile) {
        const Workbench bench;
        ingest_losses(bench, name);
        const Run junit = done(run_gates(bench, "package-removed", {"--format", "junit"}), 1);
        const Words elements = read_xml(bench, junit.out);
        CHECK(elements.size() == 5);
        const Run github = done(run_gates(bench, "package-removed", {"--format", "github"}), 1);
        CHECK(lines_of(github.out).size() == 1);
        CHECK(
            github.out.starts_with("::error title=cacheledger diff%3A package-removed::develop@"));
        CHECK(std::ranges::count_if(github.out, [](char c) {
                  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
              }) == 1);
    }
}

TEST_CASE("A gate on the number of specs leaves out packages that only one snapshot observed") {
    const Workbench bench;
    ingest_losses(bench);
    REQUIRE(bench.run({"ingest", "after", "--tag", "v1", "--partial", "--taken-at", "2025-01-02"})
                .status == 0);
    const Run run =
        done(bench.run({"diff", "develop~1", "v1", "--summary", "--fail-on", "specs-4.99%"}), 1);
    CHECK(contains(run.err, "5.0 % fewer, from 20 to 19 specs"));
    CHECK(bench.run({"diff", "develop~1", "v1", "--summary", "--fail-on", "specs-5%"}).status == 0);
}

}  // namespace gate_command_test
