
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/program/two_snapshots.hpp"

namespace ingest_command_test {

using namespace program;

namespace fs = std::filesystem;

TEST_CASE("ingest: what it says, and the same again") {
    const Filled<Workbench, ingest_two_states> bench;
    // The file itself has the time of the last run (series.checked_at), in seconds.
    const auto state = [&] {
        Words rows = bench.query("SELECT token FROM ledger_state ORDER BY state_id");
        for (const Words& more : {bench.query("SELECT * FROM specs ORDER BY snapshot, hash"),
                                  bench.query("SELECT * FROM findings")}) {
            rows.insert(rows.end(), more.begin(), more.end());
        }
        return rows;
    };
    const Words before = state();
    const Run again = done(bench.run({"ingest", "a", "--taken-at", "2025-01-01"}));
    CHECK(again.errors() ==
          Words{first_snapshot + " is in the ledger with the same content: nothing to do"});
    CHECK(contains(again.out, "1 page, 1 spec (0 new), 0 snapshots loaded (1 unchanged), "));
    CHECK(state() == before);
}

TEST_CASE("ingest: other content at the same moment is refused, unless it replaces") {
    const Filled<Workbench, ingest_two_states> bench;
    const std::string before = bench.database();
    const Run refused = bench.run({"ingest", "b", "--taken-at", "2025-01-01"});
    check_refused(refused, 3, first_snapshot);
    check_has(refused.err, {"b/cmake.md", "--replace"});
    CHECK((bench.database() == before));
    const Run replaced = done(bench.run({"ingest", "b", "--taken-at", "2025-01-01", "--replace"}));
    CHECK(replaced.errors() == Words{first_snapshot + " was replaced"});
    CHECK(bench.query("SELECT packages, specs FROM snapshots ORDER BY taken_at") ==
          Words{"2,2", "2,2"});
    CHECK(bench.run({"diff", first_snapshot, second_snapshot, "--exit-code"}).status == 0);
}

TEST_CASE("ingest: from standard input, from files, and with another tag") {
    const Workbench bench;
    const std::string text = page("zlib", details({entry()}));
    check_done(bench.run({"ingest", "-", "--taken-at", "2025-01-01"}, text), first_snapshot);
    CHECK(bench.query("SELECT path FROM pages") == Words{"-"});
    bench.write("a page.anything", page("cmake", details({entry('b')}), "v0.21.0"));
    bench.write("-dash.md", page("gmake", details({entry('c')}), "v0.22.0"));
    check_done(bench.run({"ingest", "a page.anything", "--taken-at", "2025-01-02"}),
               "v0.21.0@2025-01-02T00:00:00Z");
    check_done(bench.run({"ingest", "--taken-at", "2025-01-02", "--", "-dash.md"}),
               "v0.22.0@2025-01-02T00:00:00Z");
    check_done(bench.run({"ingest", "-", "--tag", "mine-2025-01-05"}, text), "mine-2025-01-05");
    check_done(bench.run({"ingest", "a page.anything", "-", "--tag", "own", "--taken-at",
                          "2025-01-03", "--jobs", "3"},
                         text),
               "2 pages");
    CHECK(bench.snapshots() == 5);
}

TEST_CASE("ingest: one snapshot for each tag, dated ones at their date") {
    const Workbench bench;
    bench.write("p/a.md", page("zlib", details({entry('a')}), "develop-2025-03-30"));
    bench.write("p/b.txt", page("zlib", details({entry('b')}), "v0.21.0"));
    bench.write("p/deep/er/c.md", page("cmake", details({entry('c')}), "v0.21.0"));
    bench.write("p/readme.md", "# Not a page\n");
    bench.write("p/page.html", page("hdf5", details({entry('d')}), "v0.21.0"));
    check_done(bench.run({"ingest", "p", "--taken-at", "2025-04-01T01:02:03Z"}),
               "3 pages, 3 specs (3 new), 2 snapshots loaded (0 unchanged), ");
    CHECK(bench.query("SELECT name, series, packages, specs FROM snapshots ORDER BY name") ==
          Words{"develop-2025-03-30,develop-*,1,1", "v0.21.0@2025-04-01T01:02:03Z,v0.21.0,2,2"});
}

TEST_CASE("ingest: the moment of the pages") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry()})));
    check_done(bench.run({"ingest", "p", "--taken-at", "2025-01-01T06:00:00+02:00"}),
               "develop@2025-01-01T04:00:00Z");
    check_done(bench.run({"ingest", "p", "--taken-at=2024-02-29"}), "develop@2024-02-29T00:00:00Z");
    check_done(bench.run({"ingest", "p"}), "1 snapshot loaded");
    check_done(bench.run({"ingest", "p"}), "1 snapshot loaded");
    CHECK(bench.query("SELECT count(DISTINCT taken_at) FROM snapshots") == Words{"4"});
    CHECK(bench.query("SELECT count(*) FROM changes") == Words{"1"});
}

TEST_CASE("ingest: --partial leaves the other packages as they are") {
    const Filled<Workbench, ingest_two_states> bench;
    Entry newest = entry('d');
    newest["versions"] = R"(["1.4.0"])";
    bench.write("c/zlib.md", page("zlib", details({newest})));
    check_done(bench.run({"ingest", "c", "--partial", "--taken-at", "2025-03-01"}));
    const std::string of_last =
        "SELECT package, version FROM specs WHERE snapshot LIKE 'develop@2025-03-01%' ORDER BY 1";
    CHECK(bench.query(of_last) == Words{"cmake,1.2.3", "zlib,1.4.0"});
    check_done(bench.run({"ingest", "c", "--taken-at", "2025-04-01"}));
    CHECK(bench.query("SELECT package FROM specs WHERE snapshot LIKE 'develop@2025-04%'") ==
          Words{"zlib"});
    check_done(bench.run({"check"}), "ok");
}

TEST_CASE("snapshots: in every format") {
    const Filled<Workbench, ingest_two_states> bench;
    check_done(bench.run({"snapshots"}), second_snapshot);
    const Run csv = bench.run({"snapshots", "--format", "csv"});
    Words rows = lines_of(csv.out);
    CHECK(rows.at(0) == "name,tag,series,taken_at,packages,specs,extent,kind,source,checked_at");
    for (std::string& row : rows) {
        row.resize(row.rfind(','));  // checked_at, the time of the run
    }
    rows.erase(rows.begin());
    CHECK(rows ==
          Words{first_snapshot + ",develop,develop,2025-01-01T00:00:00Z,1,1,whole,pages,a",
                second_snapshot + ",develop,develop,2025-02-01T06:30:00Z,2,2,whole,pages,b"});
    const Run json = bench.run({"snapshots", "--format=json"});
    CHECK(json.out.rfind("[\n{\"name\": \"" + first_snapshot + "\", \"tag\": \"develop\"", 0) == 0);
    check_done(bench.run({"snapshots", "--format", "markdown"}), "| name | tag |");
    check_done(bench.run({"snapshots", "--format", "html"}), "<!DOCTYPE html>");
    CHECK(bench.run({"snapshots", "--format", "table"}).out == bench.run({"snapshots"}).out);
}

TEST_CASE("The option --output gives the whole file or none") {
    const Filled<Workbench, ingest_two_states> bench;
    const std::vector<Words> commands = {{"snapshots"},
                                         {"report"},
                                         {"report", "coverage/packages"},
                                         {"diff", first_snapshot, second_snapshot},
                                         {"sql", "SELECT 1 AS one"},
                                         {"check"}};
    for (const Words& command : commands) {
        for (const std::string format : {"table", "csv", "json", "markdown"}) {
            Words words = command;
            words.insert(words.end(), {"--format", format});
            const Run shown = bench.run(words);
            words.insert(words.end(), {"--output", "result"});
            const Run run = bench.run(words);
            INFO(command[0] << " " << format << "\n" << run);
            CHECK(run.status == 0);
            CHECK(run.out.empty());
            CHECK(bench.read("result") == shown.out);
        }
    }
    bench.write("result", "what was there\n");
    check_refused(bench.run({"sql", "SELECT nonsense", "--output", "result"}), 2, "nonsense");
    // Fails behind the first row.
    check_refused(bench.run({"sql", "SELECT abs(value) FROM json_each('[1,-9223372036854775808]')",
                             "--output", "result"}),
                  2, "overflow");
    CHECK(bench.read("result") == "what was there\n");
    check_refused(bench.run({"snapshots", "--output", "no/such/result"}), 2, "no/such/result");
    check_refused(bench.run({"snapshots", "--output", "a"}), 2, "a: can't be written");
    Words left;
    for (const auto& file : fs::directory_iterator(bench.folder())) {
        left.push_back(file.path().filename().string());
    }
    std::sort(left.begin(), left.end());
    CHECK(left ==
          Words{"a", "b", "cacheledger.db", "cacheledger.db-shm", "cacheledger.db-wal", "result"});
}

}  // namespace ingest_command_test
