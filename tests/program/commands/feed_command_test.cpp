#include <string>

#include "tests/paths.hpp"
#include "tests/program/site/site_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace feed_command_test {

// Feeds: of the command history, and in a site. tests/program/site/read_atom.py has the rules.
using namespace program;

namespace {

/// The titles of a feed that is as it must be.
Words titles_of(const std::string& feed) {
    const Run run = run_command(
        {"python3", std::string(paths::source) + "/tests/program/site/read_atom.py"}, {".", feed});
    INFO(run << feed);
    CHECK(run.status == 0);
    return lines_of(run.out);
}

/// The ids in a feed: its own, then those of its entries.
Words ids_of(const std::string& feed) {
    Words ids;
    for (const std::string& line : lines_of(feed)) {
        if (line.starts_with("<id>")) {
            ids.push_back(line);
        }
    }
    return ids;
}

/// A snapshot with one build of zlib.
void load_zlib(const Workbench& bench, const std::string& tag, const std::string& day,
               char letter) {
    const std::string folder = tag + day;
    bench.write(folder + "/zlib.md", page("zlib", details({entry(letter)}), tag));
    REQUIRE(bench.run({"ingest", folder, "--taken-at", day}).status == 0);
}

std::string feed_of(const Workbench& bench, Words arguments) {
    arguments.insert(arguments.end(), {"--format", "atom"});
    return done(bench.run(arguments)).out;
}

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

TEST_CASE("A history is a feed, from new to old, without what is only still there") {
    const SampleBench bench;
    for (const Words& asked : {Words{"history", "py-tokenizers"}, Words{"history", "%gcc"},
                               Words{"history", "--stack", "*"}}) {
        const std::string feed = feed_of(bench, asked);
        const Words titles = titles_of(feed);
        Words command = asked;
        command.insert(command.end(), {"--format", "csv"});
        std::size_t events = 0;
        for (const std::string& line : lines_of(bench.run(command).out)) {
            events += contains(line, "still there") ? 0 : 1;
        }
        INFO(feed);
        CHECK(titles.size() == events - 1);  // but for the names of the columns
        CHECK(contains(feed, "<category scheme=\"urn:cacheledger:series\" term=\"develop\"/>"));
        CHECK(feed == feed_of(bench, asked));
    }
    const std::string before = feed_of(bench, {"history", "py-tokenizers"});
    CHECK(
        contains(before, "<category scheme=\"urn:cacheledger:package\" term=\"py-tokenizers\"/>"));
    CHECK(bench.run({"history", "py-tokenizers", "--output", "out.atom"}).status == 0);
    CHECK(bench.read("out.atom") == before);
    CHECK(titles_of(bench.run({"history", "py-tokenizers@99", "--format", "atom"}).out).empty());
}

TEST_CASE("A feed keeps the names of its events when there are more") {
    const Workbench bench;
    const auto load = [&](const std::string& day, const std::string& version) {
        Entry entry = program::entry(version == "1.0" ? 'a' : 'b');
        entry["versions"] = "[\"" + version + "\"]";
        bench.write("pages/zlib.md", page("zlib", details({entry})));
        CHECK(bench.run({"ingest", "pages", "--taken-at", day}).status == 0);
    };
    load("2025-03-01", "1.0");
    const std::string one = feed_of(bench, {"history", "zlib"});
    CHECK(titles_of(one).size() == 1);
    load("2025-03-02", "<2.0>");
    const std::string two = feed_of(bench, {"history", "zlib"});
    CHECK(titles_of(two) == Words{"zlib in develop: 1.0 -> <2.0> (1 removed, 1 added)",
                                  "zlib in develop: there from the start: 1.0 (1 added)"});
    const std::string entry = one.substr(one.find("<entry>"));
    CHECK(contains(two, entry));

    const Run made = site_fixture::make(bench, {"out", "--title", "A & B"});
    INFO(made);
    const std::string feed = bench.read("out/feed.xml");
    CHECK(titles_of(feed) ==
          Words{"develop@2025-03-02T00:00:00Z: 0 new packages, 0 gone, 1 new version; "
                "1 build came, 1 went",
                "develop@2025-03-01T00:00:00Z: the first snapshot"});
    INFO(feed);
    check_has(feed,
              {"<title>A &amp; B</title>", "New versions: zlib 1.0 -&amp;gt; &amp;lt;2.0&amp;gt;",
               "<category scheme=\"urn:cacheledger:package\" term=\"zlib\"/>"});
}

TEST_CASE("The ids of feeds do not change with what else the ledger or the site has") {
    const Workbench bench;
    const auto site = [&](Words words) {
        words.insert(words.begin(), "site" + std::to_string(words.size()));
        REQUIRE(site_fixture::make(bench, words).status == 0);
        return bench.read(words.front() + "/feed.xml");
    };
    load_zlib(bench, "develop", "2025-03-01", 'a');
    const Words hash = {"history", "/aaaaaaa"};
    const Words before = ids_of(feed_of(bench, hash));
    const Words of_site = ids_of(site({}));
    REQUIRE(before.size() == 2);  // of the feed, and of one event
    REQUIRE(of_site.size() == 2);
    const Words of_name = ids_of(feed_of(bench, {"history", "zlib"}));
    CHECK(of_name != ids_of(feed_of(bench, {"history", "zlib", "--series", "develop"})));
    load_zlib(bench, "v1.0", "2025-03-02",
              'a');  // the series of the newest snapshot is another one now
    const Words after = ids_of(feed_of(bench, hash));
    CHECK(Words{after.front(), after.back()} == before);
    CHECK(after.size() == 3);
    CHECK(ids_of(feed_of(bench, {"history", "zlib"})).front() == of_name.front());
    const Words titled = ids_of(site({"--title", "Another"}));
    CHECK(Words{titled.front(), titled.back()} == of_site);
    CHECK(titled.size() == 3);
}

TEST_CASE(
    "The feed of a site has the newest snapshot of each series, each against the one before") {
    const Workbench bench;
    load_zlib(bench, "rare", "2025-01-01", 'a');
    load_zlib(bench, "rare", "2025-01-02", 'b');
    for (int day = 10; day < 32; ++day) {
        load_zlib(bench, "develop", "2025-03-" + std::to_string(day), day % 2 == 0 ? 'a' : 'b');
    }
    REQUIRE(site_fixture::make(bench, {"out"}).status == 0);
    const Words titles = titles_of(bench.read("out/feed.xml"));
    REQUIRE(titles.size() == 20);
    CHECK(titles.front().starts_with("develop@2025-03-31T00:00:00Z: "));
    CHECK(titles[18].starts_with("develop@2025-03-13T00:00:00Z: "));
    CHECK(
        titles[19] ==
        "rare@2025-01-02T00:00:00Z: 0 new packages, 0 gone, 0 new versions; 1 build came, 1 went");
    REQUIRE(site_fixture::make(bench, {"last", "--last", "1"}).status == 0);
    CHECK(titles_of(bench.read("last/feed.xml")) == Words{titles.front(), titles.back()});
}

TEST_CASE("What is compared where nothing is said is the newest series that has two snapshots") {
    const Filled<Workbench, ingest_three> bench;
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
    const Filled<Workbench, ingest_three> bench;
    check_begins(bench.run({"report", "drift/summary", "--from", second}),
                 "Drift by cause, from " + second + ", to " + third + "\n");
    check_begins(bench.run({"report", "drift/summary", "--to", "develop"}),
                 "Drift by cause, from " + first + ", to " + second + "\n");
    check_run(bench.run({"report", "drift/summary", "--to", "v1.0"}), {.status = 2});
}

TEST_CASE("A snapshot alone is compared with the one before it") {
    const Filled<Workbench, ingest_three> bench;
    check_begins(bench.run({"diff", "develop"}), pair + "\n");
    check_begins(bench.run({"why", "develop"}), pair + ": ");
    const Run oldest = done(bench.run({"diff", "v1.0"}), 2);
    CHECK(oldest.errors() == Words{"cacheledger: " + third +
                                   " is the oldest of its series: name the snapshot to compare it "
                                   "with"});
}

TEST_CASE("Every command takes the snapshot in force at a moment") {
    const Filled<Workbench, ingest_three> bench;
    const std::string january = "develop@{2025-01-15}";
    CHECK(contains(bench.run({"diff", january, "develop@{yesterday}"}).out, pair + "\n"));
    check_begins(bench.run({"why", january, "develop@{2025-02-01}"}), pair + ": ");
    check_begins(bench.run({"report", "coverage/packages", "--at", january}),
                 "Coverage by package, at " + first + "\n");
    check_begins(bench.run({"sql", "SELECT :at AS at", "--at", january, "--format", "csv"}),
                 "at\n" + first + "\n");
    bench.write("wanted", "zlib\n");
    check_begins(bench.run({"coverage", "wanted", "--at", january}), "");
    const Run covered = bench.run({"coverage", "wanted", "--at", january});
    CHECK(contains(covered.out, first));
    const Run dependents = bench.run({"dependents", "zlib", "--at", january, "--format", "json"});
    INFO(dependents);
    CHECK(contains(dependents.out, first));
    const Run early =
        done(bench.run({"report", "coverage/packages", "--at", "develop@{2024-01-01}"}), 2);
    CHECK(early.errors() == Words{"cacheledger: no snapshot at or before 2024-01-01T00:00:00Z: the "
                                  "oldest of develop is " +
                                  first});
}

TEST_CASE("The series of latest is said where several snapshots are the newest") {
    const Filled<Workbench, ingest_three> bench;
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
    const Filled<Workbench, ingest_three> bench;
    CHECK(bench.run({"specs", "zlib", "--at", "2025-02-15", "--format", "csv"}).out ==
          bench.run({"specs", "zlib", "--at", second, "--format", "csv"}).out);
    CHECK(done(bench.run({"specs", "zlib", "--at", "yesterday"})).err.find("days older") !=
          std::string::npos);
    for (const std::string moment : {"yesterday", "1.week.ago", "2025-02-15"}) {
        const Run run = done(bench.run({"forget", moment}), 2);
        CHECK(run.err.find("cacheledger forget ") != std::string::npos);
        CHECK(bench.run({"forget", moment, "--dry-run"}).status == 2);
    }
}

}  // namespace feed_command_test
