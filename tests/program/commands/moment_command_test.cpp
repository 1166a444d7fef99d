#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace moment_command_test {

using program::details;
using program::entry;
using program::lines_of;
using program::page;
using program::Run;
using program::Words;
using program::Workbench;

namespace {

void ingest(const Workbench& bench, const std::string& moment, char letter,
            const std::string& tag = "develop") {
    bench.write(moment + tag + "/zlib.md", page("zlib", details({entry(letter)}), tag));
    REQUIRE(bench.run({"ingest", moment + tag, "--taken-at", moment}).status == 0);
}

/// Two snapshots of develop, then a newer one of v1.0 alone.
void ingest_three(const Workbench& bench) {
    ingest(bench, "2025-01-01", 'a');
    ingest(bench, "2025-02-01", 'b');
    ingest(bench, "2025-03-01", 'c', "v1.0");
}

const std::string first = "develop@2025-01-01T00:00:00Z";
const std::string second = "develop@2025-02-01T00:00:00Z";
const std::string pair = first + " -> " + second;
const std::string third = "v1.0@2025-03-01T00:00:00Z";
const std::string other_series = "cacheledger: note: " + third +
                                 " has no snapshot before it; compared is the newest series that "
                                 "has two, develop: " +
                                 pair;

void check_begins(const Run& run, const std::string& start, const Words& errors = {}) {
    INFO(run);
    CHECK(run.status == 0);
    CHECK(run.out.substr(0, start.size()) == start);
    CHECK(run.errors() == errors);
}

}  // namespace

TEST_CASE("What is compared where nothing is said is the newest series that has two snapshots") {
    const Workbench bench;
    ingest_three(bench);
    check_begins(bench.run({"diff"}), pair + "\n", {other_series});
    check_begins(bench.run({"why"}), pair + ": ", {other_series});
    check_begins(bench.run({"report", "drift/summary"}),
                 "Drift by cause, from " + first + ", to " + second + "\n", {other_series});
    check_begins(bench.run({"report", "sizes/drift"}),
                 "Bytes that came and went, by cause, from " + first + ", to " + second + "\n",
                 {other_series});
    ingest(bench, "2025-03-02", 'd', "v1.0");
    const std::string newest = third + " -> v1.0@2025-03-02T00:00:00Z";
    check_begins(bench.run({"diff"}), newest + "\n");
}

TEST_CASE("What is said of one end of a comparison holds") {
    const Workbench bench;
    ingest_three(bench);
    check_begins(bench.run({"report", "drift/summary", "--from", second}),
                 "Drift by cause, from " + second + ", to " + third + "\n");
    check_begins(bench.run({"report", "drift/summary", "--to", "develop"}),
                 "Drift by cause, from " + first + ", to " + second + "\n");
    const Run alone = bench.run({"report", "drift/summary", "--to", "v1.0"});
    INFO(alone);
    CHECK(alone.status == 2);
}

TEST_CASE("A snapshot alone is compared with the one before it") {
    const Workbench bench;
    ingest_three(bench);
    check_begins(bench.run({"diff", "develop"}), pair + "\n");
    check_begins(bench.run({"why", "develop"}), pair + ": ");
    const Run oldest = bench.run({"diff", "v1.0"});
    INFO(oldest);
    CHECK(oldest.status == 2);
    CHECK(oldest.errors() == Words{"cacheledger: " + third +
                                   " is the oldest of its series: name the snapshot to compare it "
                                   "with"});
}

TEST_CASE("Every command takes the snapshot in force at a moment") {
    const Workbench bench;
    ingest_three(bench);
    const std::string january = "develop@{2025-01-15}";
    CHECK(program::contains(bench.run({"diff", january, "develop@{yesterday}"}).out, pair + "\n"));
    check_begins(bench.run({"why", january, "develop@{2025-02-01}"}), pair + ": ");
    check_begins(bench.run({"report", "coverage/packages", "--at", january}),
                 "Coverage by package, at " + first + "\n");
    check_begins(bench.run({"sql", "SELECT :at AS at", "--at", january, "--format", "csv"}),
                 "at\n" + first + "\n");
    bench.write("wanted", "zlib\n");
    check_begins(bench.run({"coverage", "wanted", "--at", january}), "");
    const Run covered = bench.run({"coverage", "wanted", "--at", january});
    CHECK(program::contains(covered.out, first));
    const Run dependents = bench.run({"dependents", "zlib", "--at", january, "--format", "json"});
    INFO(dependents);
    CHECK(program::contains(dependents.out, first));
    const Run early = bench.run({"report", "coverage/packages", "--at", "develop@{2024-01-01}"});
    INFO(early);
    CHECK(early.status == 2);
    CHECK(early.errors() == Words{"cacheledger: no snapshot at or before 2024-01-01T00:00:00Z: the "
                                  "oldest of develop is " +
                                  first});
}

TEST_CASE("The series of latest is said where several snapshots are the newest") {
    const Workbench bench;
    ingest_three(bench);
    check_begins(bench.run({"report", "coverage/packages"}), "Coverage by package, at " + third);
    ingest(bench, "2025-03-01", 'd', "v0.9");
    ingest(bench, "2025-03-01", 'e');
    const std::string newest = "develop@2025-03-01T00:00:00Z";
    const Words note = {"cacheledger: note: latest is " + newest +
                        ", of the series develop; of the same moment: v0.9@2025-03-01T00:00:00Z, " +
                        third};
    check_begins(bench.run({"report", "coverage/packages"}), "Coverage by package, at " + newest,
                 note);
    check_begins(bench.run({"report", "coverage/packages", "--at", "latest"}),
                 "Coverage by package, at " + newest, note);
    check_begins(bench.run({"diff", "latest~1", "latest"}), second + " -> " + newest, note);
    check_begins(bench.run({"diff"}), second + " -> " + newest, note);
    check_begins(bench.run({"report", "coverage/packages", "--at", "develop"}),
                 "Coverage by package, at " + newest);
}

TEST_CASE("A moment alone names the newest snapshot then, but nothing to forget") {
    const Workbench bench;
    ingest_three(bench);
    CHECK(bench.run({"specs", "zlib", "--at", "2025-02-15", "--format", "csv"}).out ==
          bench.run({"specs", "zlib", "--at", second, "--format", "csv"}).out);
    const Run old = bench.run({"specs", "zlib", "--at", "yesterday"});
    INFO(old);
    CHECK(old.status == 0);
    CHECK(old.err.find("days older") != std::string::npos);
    for (const std::string moment : {"yesterday", "1.week.ago", "2025-02-15"}) {
        const Run run = bench.run({"forget", moment});
        INFO(run);
        CHECK(run.status == 2);
        CHECK(run.err.find("cacheledger forget ") != std::string::npos);
        CHECK(bench.run({"forget", moment, "--dry-run"}).status == 2);
    }
}

}  // namespace moment_command_test
