#include <nlohmann/json.hpp>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace prune_command_test {

using nlohmann::json;
using namespace program;

namespace {

const std::string data = paths::data;

/// The sample mirror at two moments: 7 specs in all, 4 of which are only in the first.
void load(const Workbench& bench) {
    REQUIRE(
        bench
            .run({"ingest", data + "/mirrors/earlier", "--tag", "site", "--taken-at", "2025-05-01"})
            .status == 0);
    REQUIRE(
        bench.run({"ingest", data + "/mirrors/later", "--tag", "site", "--taken-at", "2025-05-08"})
            .status == 0);
}

const std::string newest_zlib = "uoasjyd5ixrc4t5dls62nuf53rhif5rk";
const std::string newest_hdf5 = "grcfiz64r4xa7vftkmfeizbpqtrsarub";

}  // namespace

TEST_CASE("prune says what a cache would lose by a rule") {
    const Filled<Workbench, load> bench;
    const Run run = done(bench.run({"prune", "--keep", "seen within 5 days", "--format", "json"}));
    const json found = json::parse(run.out);
    CHECK(found["keep"] == json::parse(R"([{"keep": "seen within 5 days", "kept": 5, "unmatched": 0,
                           "undecided": 0}])"));
    CHECK(found["totals"][0] ==
          json::parse(R"({"what": "specs", "before": 8, "after": 5, "lost": 3})"));
    CHECK(found["lost"].size() == 3);
    CHECK(found["lost"][0]["last_seen"] == "2025-05-01T00:00:00Z");
    CHECK(found["lost"][0]["listed"] == 0);
    CHECK(found["broken"].empty());

    // The rule that names what is lost is the same, as is the table for people.
    const Run same = bench.run({"prune", "--keep", "not seen for 5 days", "--format", "json"});
    CHECK(same.out == run.out);
    const Run text = bench.run({"prune", "--keep", "seen within 5 days"});
    check_has(
        text.out,
        {"Up to site@2025-05-08T00:00:00Z: 3 of 8 builds would be lost, none of them among the "
         "5 that the newest snapshot lists.\n"
         "Kept: seen within 5 days (5)\n",
         "zlib-ng       2      1     1      180000  2.1.6"});
    CHECK(bench.run({"prune", "--keep", "seen within 7 days", "--format", "hashes"}).out.empty());
    CHECK(contains(bench.run({"prune", "--keep", "seen within 7 days"}).out,
                   "Up to site@2025-05-08T00:00:00Z: Nothing would be lost.\n"));
}

TEST_CASE("prune writes lists of hashes, of what is lost and of what is kept") {
    const Filled<Workbench, load> bench;
    bench.write("keep.txt", "# wanted\n/" + newest_hdf5 + "\n");
    const auto hashes = [&](const Words& more) {
        Words words = {"prune", "--keep", "keep.txt", "--format", "hashes"};
        words.insert(words.end(), more.begin(), more.end());
        return lines_of(bench.run(words).out);
    };
    CHECK(hashes({"--list", "kept"}) == Words{newest_hdf5});
    CHECK(hashes({}).size() == 7);
    CHECK(hashes({"--list", "broken"}) == Words{newest_hdf5});
    const Words kept = hashes({"--list", "kept", "--with-dependencies"});
    CHECK(kept.size() == 3);
    CHECK(std::find(kept.begin(), kept.end(), newest_zlib) != kept.end());
    CHECK(hashes({"--list", "broken", "--with-dependencies"}).empty());
    const Run csv = bench.run({"prune", "--keep", "keep.txt", "--format", "csv"});
    CHECK(lines_of(csv.out).size() == 8);
    CHECK(lines_of(csv.out)[0] ==
          "package,version,hash,compiler,platform,os,target,stacks,bytes,last_seen,listed,needed");
    CHECK(contains(csv.err, "7 of 8 builds would be lost"));
    CHECK(bench.run({"prune", "--keep", "keep.txt", "--format", "hashes", "--list", "stacks"})
              .status == 2);
}

TEST_CASE("prune keeps what a lock file, standard input, a snapshot or several of them have") {
    const Filled<Workbench, load> bench;
    const std::string lock = data + "/mirrors/spack.lock";
    const auto kept = [&](const Words& keeps, const std::string& input = "") {
        Words words = {"prune", "--format", "hashes", "--list", "kept"};
        for (const std::string& keep : keeps) {
            words.insert(words.end(), {"--keep", keep});
        }
        return lines_of(done(bench.run(words, input)).out).size();
    };
    CHECK(kept({lock}) == 4);
    CHECK(kept({"-"}, "hdf5\n") == 3);
    CHECK(kept({"site~1"}) == 4);
    CHECK(kept({"site~1", "newest 1"}) == 8);
    CHECK(kept({"newest 2 of site"}) == 8);
}

TEST_CASE("A pattern keeps what several files name, and the line that says so stays short") {
    const Filled<Workbench, load> bench;
    for (const char* const name : {"a.txt", "b.txt", "c.txt", "d.txt"}) {
        bench.write(name, "hdf5\n");
    }
    const Run run = bench.run({"prune", "--keep", "?.txt"});
    INFO(run);
    CHECK(contains(run.out, "\nKept: a.txt (3); b.txt (3); c.txt (3); 1 more\n"));
    CHECK(json::parse(bench.run({"prune", "--keep", "?.txt", "--format", "json"}).out)["keep"]
              .size() == 4);
}

TEST_CASE("prune --drop says what is lost without some builds") {
    const Filled<Workbench, load> bench;
    const Run run = bench.run({"prune", "--drop", "hdf5", "--format", "json"});
    INFO(run);
    const json found = json::parse(run.out);
    CHECK(found["drop"] == json::parse(R"([{"drop": "hdf5", "dropped": 3, "undecided": 0}])"));
    CHECK(found["totals"][0]["lost"] == 3);
    CHECK(found["lost"][0]["package"] == "hdf5");
    CHECK(contains(bench.run({"prune", "--drop", "hdf5"}).out, "\nDropped: hdf5 (3)\n"));
    CHECK(contains(bench.run({"prune", "--keep", "newest 1", "--drop", "/" + newest_zlib}).out,
                   "\nKept: newest 1 (5). Dropped: /" + newest_zlib + " (1)\n"));
    const Run none = bench.run({"prune", "--drop", "hdf5@9"});
    CHECK(contains(none.err, "--drop 'hdf5@9': the cache has nothing of it"));
    CHECK(contains(none.out, "Nothing would be lost."));
    CHECK(bench.run({"prune", "--drop", "no-such-package"}).status == 2);
}

TEST_CASE("prune --with-dependencies does not take back what is dropped") {
    const Filled<Workbench, load> bench;
    bench.write("keep.txt", "/" + newest_hdf5 + "\n");
    // hdf5 needs two builds to link and to run, zlib-ng is one of them.
    const Run run = done(bench.run({"prune", "--keep", "keep.txt", "--drop", "/" + newest_zlib,
                                    "--with-dependencies", "--fail-on", "broken"}),
                         1);
    check_has(run.out, {"6 of 8 builds would be lost",
                        "\nKept: keep.txt (1); what these need to link and run (1). Dropped: /" +
                            newest_zlib + " (1)\n",
                        "Kept builds that need lost ones to link or run"});
    CHECK(contains(run.err, "broken failed: 1 kept spec would lack what it needs"));
    for (const std::string gate : {"broken", "listed"}) {
        CHECK(bench.run({"prune", "--drop", "zlib-ng", "--with-dependencies", "--fail-on", gate})
                  .status == 1);
    }
}

TEST_CASE("prune writes no keep-list that would let everything be deleted") {
    const Filled<Workbench, load> bench;
    Words words = {"prune", "--keep", "-", "--format", "hashes", "--list", "kept"};
    const Run empty = done(bench.run(words, "no-such-package\n"), 1);
    CHECK(empty.out.empty());
    const std::string reason =
        "cacheledger: note: nothing is kept, so there is no list: with an empty one 'spack "
        "buildcache prune' deletes all";
    CHECK(empty.errors().at(1) == reason);
    bench.write("kept.txt", "as it was\n");
    words.insert(words.end(), {"--output", "kept.txt"});
    CHECK(bench.run(words, "no-such-package\n").status == 1);
    CHECK(bench.read("kept.txt") == "as it was\n");
    Words with_gate = words;
    with_gate.insert(with_gate.end(), {"--fail-on", "package"});
    const Run gated = done(bench.run(with_gate, "no-such-package\n"), 1);
    CHECK(gated.errors().at(1) == reason);
    CHECK(contains(gated.errors().back(), "package"));
    words[6] = "broken";
    CHECK(bench.run(words, "no-such-package\n").status == 0);
}

TEST_CASE("prune says how much of lock files would be there, and fails if it is too little") {
    const Filled<Workbench, load> bench;
    const std::string lock = data + "/mirrors/spack.lock";
    bench.write("keep.txt", "hdf5\n");
    const Words words = {"prune", "--keep", "keep.txt", "--lock", lock};
    const auto with = [&](Words more) {
        more.insert(more.begin(), words.begin(), words.end());
        return bench.run(more);
    };
    const json found = json::parse(with({"--format", "json"}).out);
    CHECK(found["coverage"][0]["specs"] == 5);
    CHECK(found["coverage"][0]["before"] == 4);
    CHECK(found["coverage"][0]["after"] == 1);
    CHECK(with({"--fail-under", "0"}).status == 0);
    check_run(
        with({"--fail-under", "50"}),
        {.status = 1, .err = {"fail-under 50 failed: of " + lock + " 20.0 % would be there"}});
    check_run(with({"--fail-on", "broken,package", "--format", "github"}),
              {.status = 1, .out = {"::error title=cacheledger prune%3A broken::"}});
    CHECK(contains(with({"--fail-on", "specs-99%", "--format", "junit"}).out, "failures=\"0\""));
    CHECK(
        with({"--fail-on", "specs-99%", "--format", "github"})
            .out.starts_with("::notice title=cacheledger prune::site@2025-05-08T00:00:00Z: 5 of 8 "
                             "builds would be lost, 3 of them among "));
    CHECK(with({"--fail-on", "brokn"}).status == 2);
    CHECK(with({"--format", "junit"}).status == 2);
}

TEST_CASE("prune refuses what it can't do, in a line") {
    const Filled<Workbench, load> bench;
    bench.write("empty.txt", "# nothing\n");
    const auto error_of = [&](const Words& words, int status) {
        const Run run = bench.run(words);
        INFO(run);
        CHECK(run.status == status);
        CHECK(run.out.empty());
        CHECK(lines_of(run.err).size() == 1);
        return run.err;
    };
    Run no_effect = bench.run({"prune", "--keep", "newest 1", "--dry-run"});
    CHECK(no_effect.out == bench.run({"prune", "--keep", "newest 1"}).out);
    CHECK(contains(no_effect.err, "note: --dry-run has no effect: prune never deletes\n"));
    CHECK_FALSE(contains(bench.run({"prune", "--help"}).out, "dry-run"));
    CHECK(contains(error_of({"prune"}, 2), "expected --keep with a file, a rule"));
    CHECK(contains(error_of({"prune", "--keep", "nowhere.txt"}, 2),
                   "--keep 'nowhere.txt': no such file, no rule ('seen within 14 days'"));
    CHECK(
        contains(error_of({"prune", "--keep", "sen within 14 days"}, 2), "no such file, no rule"));
    CHECK(contains(error_of({"prune", "--keep", "seen within 14 apples"}, 2), "expected an age"));
    CHECK(contains(error_of({"prune", "--keep", "stack e5s"}, 2), "e5s"));
    CHECK(contains(error_of({"prune", "--keep", "empty.txt"}, 3), "empty.txt"));
    CHECK(contains(error_of({"prune", "--keep", "newest 1", "--fail-under", "1"}, 2), "--lock"));
    CHECK(contains(error_of({"prune", "--keep", "newest 1", "--lock", "no.lock"}, 2),
                   "--lock 'no.lock': no such file"));
}

TEST_CASE("prune says which lines of a list match nothing") {
    const Filled<Workbench, load> bench;
    bench.write("keep.txt", "hdf5@1.14.3\nnothing-like-this\n/aaaaaaa\n");
    check_run(bench.run({"prune", "--keep", "keep.txt"}),
              {.err = {"keep.txt:2: nothing-like-this: the cache has nothing that matches",
                       "keep.txt:3: /aaaaaaa: the cache has nothing that matches"}});
}

TEST_CASE("prune of a ledger that knows no cache is an error") {
    const Workbench locks;
    REQUIRE(locks.run({"ingest", data + "/mirrors/spack.lock", "--tag", "lock"}).status == 0);
    CHECK(locks.run({"prune", "--keep", "newest 1"}).status == 2);
    CHECK(contains(locks.run({"prune", "--keep", "newest 1", "--at", "lock"}).err,
                   "is no snapshot of a cache"));
    const Workbench nothing;
    CHECK(nothing.run({"prune", "--keep", "newest 1"}).status == 4);
}

TEST_CASE("prune asks of the series of the newest snapshot, or of those that --series names") {
    const Filled<Workbench, load> bench;
    REQUIRE(bench.run({"ingest", data + "/pages/earlier", "--taken-at", "2025-02-10"}).status == 0);
    const auto first_line = [&](const Words& more) {
        Words command = {"prune", "--keep", "seen within 1 day"};
        command.insert(command.end(), more.begin(), more.end());
        return lines_of(done(bench.run(command)).out).at(0);
    };
    CHECK(contains(first_line({}), "Up to site@2025-05-08T00:00:00Z: 3 of 8 builds"));
    CHECK(contains(first_line({"--series", "dev*"}),
                   "Up to develop@2025-02-10T00:00:00Z: Nothing would be lost."));
    CHECK(contains(first_line({"--series", "*"}), ": 3 of 59 builds"));
    CHECK(bench.run({"prune", "--keep", "newest 1", "--series", "x*"}).status == 2);
}

}  // namespace prune_command_test
