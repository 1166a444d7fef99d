#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/program/screen.hpp"

namespace command_line_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

const Words all_commands = {"ingest", "snapshots", "report", "diff", "sql", "check", "forget"};

void check_done(const Run& run, const std::string& part = "") {
    INFO(run);
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    CHECK(contains(run.out, part));
}

/// One package in two snapshots of develop, at 2025-01-01 and 2025-02-01: zlib has another version
/// in the second, and cmake is new.
void ingest_two(const Workbench& bench) {
    Entry newer = entry('b');
    newer["versions"] = R"(["1.3.0"])";
    Entry cmake = entry('c');
    cmake["stacks"] = R"(["ml", "root"])";
    bench.write("a/zlib.md", page("zlib", details({entry('a')})));
    bench.write("b/zlib.md", page("zlib", details({newer})));
    bench.write("b/cmake.md", page("cmake", details({cmake})));
    check_done(bench.run({"ingest", "a", "--taken-at", "2025-01-01"}),
               "1 page, 1 spec (1 new), 1 snapshot loaded (0 unchanged), ");
    check_done(bench.run({"ingest", "b", "--taken-at", "2025-02-01T06:30:00Z"}),
               "2 pages, 2 specs (2 new), 1 snapshot loaded (0 unchanged), ");
}

const std::string first = "develop@2025-01-01T00:00:00Z";
const std::string second = "develop@2025-02-01T06:30:00Z";

std::string names(const Workbench& bench) {
    std::string all;
    for (const std::string& name : bench.query("SELECT name FROM snapshots ORDER BY name")) {
        all += all.empty() ? name : "," + name;
    }
    return all;
}

}  // namespace

// What the help says, golden_test has.
TEST_CASE("The help of each command needs no ledger, and makes none") {
    const Workbench bench;
    CHECK(bench.run({"-h"}).out == bench.run({"--help"}).out);
    for (const std::string& command : all_commands) {
        check_done(bench.run({command, "--help"}), "usage: cacheledger " + command);
    }
    check_done(bench.run({"--version"}), "cacheledger 0.");
    CHECK(fs::is_empty(bench.folder()));
}

TEST_CASE("The option --version names the program, the schema of its ledgers, and the libraries") {
    const Filled<Workbench, ingest_two> bench;
    const Run version = bench.run({"--version"});
    INFO(version);
    const Words lines = lines_of(version.out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].rfind("cacheledger ", 0) == 0);
    sqlite3* ledger = nullptr;
    sqlite3_open(bench.file("cacheledger.db").c_str(), &ledger);
    sqlite3_stmt* row = nullptr;
    sqlite3_prepare_v2(ledger, "PRAGMA user_version", -1, &row, nullptr);
    sqlite3_step(row);
    CHECK(lines[1] == "ledger schema " + std::to_string(sqlite3_column_int(row, 0)));
    sqlite3_finalize(row);
    sqlite3_close(ledger);
    CHECK(contains(lines[2], "SQLite " + std::string(sqlite3_libversion()) + ", "));
    CHECK_FALSE(contains(lines[2], " ,"));  // each has a version
}

TEST_CASE("Wrong usage is exit code 2") {
    const Filled<Workbench, ingest_two> bench;
    check_run(bench.run({}),
              {.status = 2,
               .all_out = "",
               .all_err = bench.run({"--help"}).out + "\ncacheledger: expected a command\n"});
    check_refused(bench, {{"frobnicate", "no command 'frobnicate'"},
                          {"--frobnicate", "--frobnicate"},
                          {"--db", "--db"},
                          {"ingest", "expected a file, a folder, a URL or -"},
                          {"diff " + first, "the oldest of its series"},
                          {"diff " + first + " " + second + " " + second, "one word too many"},
                          {"forget", "expected a snapshot"},
                          {"sql", "expected one of a query, - and --file FILE"}});
    for (const std::string& command : all_commands) {
        INFO(command);
        check_refused(bench.run({command, "--frobnicate"}), 2, "--frobnicate");
    }
    CHECK(names(bench) == first + "," + second);
}

TEST_CASE("Options need their values") {
    const Filled<Workbench, ingest_two> bench;
    check_refused(bench, {{"ingest a --taken-at", "taken-at"},
                          {"ingest a --tag", "tag"},
                          {"ingest a --jobs", "jobs"},
                          {"snapshots --format", "format"},
                          {"snapshots --output", "output"},
                          {"report --reports", "reports"},
                          {"report coverage/summary --at", "at"},
                          {"diff " + first + " " + second + " --kind", "kind"},
                          {"sql --file", "file"}});
    check_refused(bench.run({"sql", "SELECT 1", "--param"}), 2, "param");
}

TEST_CASE("One word too many is wrong usage") {
    const Filled<Workbench, ingest_two> bench;
    for (const std::string command : {"snapshots", "diff develop~1 develop", "sql SELECT", "check",
                                      "forget develop", "report coverage/summary"}) {
        check_refused(bench, {{command + " extra", "'extra'"}});
    }
    CHECK(names(bench) == first + "," + second);
}

TEST_CASE("Values that make no sense are wrong usage") {
    const Filled<Workbench, ingest_two> bench;
    for (const std::string time : {"", "tomorrow", "2025-13-01", "2025-02-30",
                                   "2025-01-01T25:00:00Z", "1735689600", "2025-1-1"}) {
        INFO(time);
        check_refused(bench.run({"ingest", "a", "--taken-at", time}), 2, "--taken-at");
    }
    for (const std::string jobs : {"0", "-1", "many", "100000", "99999999999999999999"}) {
        INFO(jobs);
        check_refused(bench.run({"ingest", "a", "--jobs", jobs}), 2, "jobs");
    }
    for (const std::string tag : {"", "a b", "develop@1", "a~1", "a*", "a\nb"}) {
        INFO(tag);
        check_refused(bench.run({"ingest", "a", "--tag", tag}), 2, "--tag");
    }
    for (const std::string command : {"snapshots", "check", "report"}) {
        INFO(command);
        check_refused(bench.run({command, "--format", "xml"}), 2, "'xml'");
    }
    check_refused(bench.run({"diff", first, second, "--kind", "nonsense"}), 2, "version-added");
    check_refused(bench.run({"sql", "SELECT :a", "--param", "a"}), 2, "expected name=value");
    check_refused(bench.run({"sql", "SELECT :a", "--param", "a=1", "--param", "a=2"}), 2, "twice");
    CHECK(names(bench) == first + "," + second);
}

TEST_CASE("Snapshots are named as people would") {
    const Filled<Workbench, ingest_two> bench;
    bench.write("dated/one.md", page("zlib", details({entry('a')}), "develop-2025-03-23"));
    bench.write("dated/two.md", page("zlib", details({entry('a')}), "develop-2025-03-30"));
    check_done(bench.run({"ingest", "dated"}), "2 snapshots loaded");
    const auto resolved = [&](const std::string& name) {
        const Run run =
            done(bench.run({"report", "coverage/summary", "--format", "html", "--at", name}));
        const std::string start = "<title>What the snapshot holds, at ";
        const std::size_t begin = run.out.find(start) + start.size();
        return run.out.substr(begin, run.out.find('<', begin) - begin);
    };
    CHECK(resolved(second) == second);
    CHECK(resolved("develop@2025-02-01") == second);
    CHECK(resolved("develop") == second);
    CHECK(resolved("develop~0") == second);
    CHECK(resolved("develop~1") == first);
    CHECK(resolved("develop@2025-02-01~1") == first);
    CHECK(resolved("develop-2025-03-30") == "develop-2025-03-30");
    CHECK(resolved("develop-2025-03-30~1") == "develop-2025-03-23");
    CHECK(resolved("latest") == "develop-2025-03-30");
}

TEST_CASE("Snapshot names that name none are wrong usage") {
    const Filled<Workbench, ingest_two> bench;
    bench.write("c/zlib.md", page("zlib", details({entry('d')})));
    check_done(bench.run({"ingest", "c", "--taken-at", "2025-02-01T18:00:00Z"}));
    for (const std::string name :
         {"", "v9", "develop@2024", "develop~3", "develop~x", "develop~-1", "develop~", "~1",
          "develop@2025-02-01",  // two that day
          "develop@2025-01-01'; DROP TABLE snapshot; --", "%", "*",
          "develop~99999999999999999999"}) {
        INFO(name);
        check_refused(bench.run({"diff", name, first}), 2, name.empty() ? "snapshot" : name);
        check_refused(bench.run({"report", "coverage/summary", "--at", name}), 2, name);
        check_refused(bench.run({"forget", name}), 2, name);
    }
    CHECK(bench.snapshots() == 3);
}

TEST_CASE("The option --db stands before and behind the command") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry()})));
    check_done(bench.run({"--db", "before.db", "ingest", "p", "--taken-at", "2025-01-01"}));
    check_done(bench.run({"ingest", "p", "--taken-at", "2025-01-01", "--db", "behind.db"}));
    check_done(bench.run({"ingest", "--db=between.db", "p", "--taken-at", "2025-01-01"}));
    CHECK_FALSE(bench.has("cacheledger.db"));
    for (const std::string file : {"before.db", "behind.db", "between.db"}) {
        check_done(bench.run({"--db", file, "snapshots"}), first);
        check_done(bench.run({"snapshots", "--db=" + file}), first);
    }
}

TEST_CASE("The database of the environment") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry()})));
    const std::map<std::string, std::string> variable = {{"CACHELEDGER_DB", "other.db"}};
    check_done(bench.run({"ingest", "p", "--taken-at", "2025-01-01"}, "", variable));
    CHECK(bench.has("other.db"));
    CHECK_FALSE(bench.has("cacheledger.db"));
    check_done(bench.run({"snapshots"}, "", variable), first);
    check_refused(bench.run({"--db", "third.db", "snapshots"}, "", variable), 4, "third.db");
    check_done(
        bench.run({"ingest", "p", "--taken-at", "2025-01-01"}, "", {{"CACHELEDGER_DB", ""}}));
    CHECK(bench.has("cacheledger.db"));
}

TEST_CASE("A database that can't be used is exit code 4") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry()})));
    bench.write("text.db", std::string(5000, 'x'));
    bench.write("short.db", "not a database\n");
    fs::create_directory(bench.file("folder.db"));
    sqlite3* other = nullptr;
    REQUIRE(sqlite3_open(bench.file("other.db").c_str(), &other) == SQLITE_OK);
    REQUIRE(sqlite3_exec(other, "CREATE TABLE theirs (x)", nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(other);

    const std::vector<Words> readers = {{"snapshots"},      {"report", "coverage/summary"},
                                        {"diff", "a", "b"}, {"sql", "SELECT 1"},
                                        {"check"},          {"forget", "develop"}};
    for (const std::string file : {"text.db", "short.db", "folder.db", "other.db"}) {
        INFO(file);
        const std::string before = file == "folder.db" ? "" : bench.read(file);
        check_refused(bench.run({"--db", file, "ingest", "p"}), 4, file);
        for (Words command : readers) {
            command.insert(command.begin(), {"--db", file});
            check_refused(bench.run(command), 4, file);
        }
        CHECK((file == "folder.db" || bench.read(file) == before));
    }
    for (Words command : readers) {
        command.insert(command.begin(), {"--db", "missing.db"});
        check_refused(bench.run(command), 4, "missing.db");
    }
    CHECK_FALSE(bench.has("missing.db"));
    check_refused(bench.run({"--db", "no/such/folder.db", "ingest", "p"}), 4, "no/such/folder.db");
    fs::create_symlink("loop.db", bench.file("loop.db"));
    for (const std::string& file : {std::string("loop.db"), std::string(5000, 'x')}) {
        check_refused(bench.run({"--db", file, "ingest", "p"}), 4, file);
        check_refused(bench.run({"--db", file, "snapshots"}), 4, file);
    }
}

TEST_CASE("What is no file is no database") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry()})));
    REQUIRE(mkfifo(bench.file("fifo").c_str(), 0600) == 0);
    REQUIRE(mknod(bench.file("socket").c_str(), S_IFSOCK | 0600, 0) == 0);
    fs::create_symlink("/dev/null", bench.file("device"));
    const auto listed = [&] {
        std::set<std::string> names;
        for (const auto& file : fs::directory_iterator(bench.folder())) {
            names.insert(file.path().filename());
        }
        return names;
    };
    const auto before = listed();
    for (const std::string kind : {"fifo", "socket", "device"}) {
        for (const Words& command : std::vector<Words>{
                 {"ingest", "p"}, {"snapshots"}, {"sql", "SELECT 1"}, {"forget", "develop"}}) {
            Words words = command;
            words.insert(words.begin(), {"--db", kind});
            const Run run = done(bench.run(words), 4);
            CHECK(run.errors() == Words{"cacheledger: " + kind + ": a " +
                                        (kind == "fifo" ? "FIFO" : kind) + ", not a database"});
        }
    }
    CHECK(listed() == before);
}

TEST_CASE("What is no file is not opened beside a database, either") {
    const SampleBench bench;
    fs::create_symlink("cacheledger.db", bench.file("link.db"));
    for (const std::string ending : {"-journal", "-wal", "-shm"}) {
        const fs::path beside = bench.file("cacheledger.db" + ending);
        fs::remove(beside);
        REQUIRE(mkfifo(beside.c_str(), 0600) == 0);
        for (const std::string database : {"cacheledger.db", "link.db"}) {
            for (const std::string command : {"snapshots", "check"}) {
                check_run(bench.run({"--db", database, command}),
                          {.status = 4,
                           .err = {"cacheledger.db" + ending +
                                   ": a FIFO, where SQLite keeps a file of its own"}});
            }
        }
        fs::remove(beside);
    }
    CHECK(bench.run({"check"}).status == 0);
}

TEST_CASE("A database that is cut off or overwritten is exit code 4, or a failed check") {
    const SampleBench bench;
    const std::string whole = bench.database();
    bench.write("cut.db", whole.substr(0, whole.size() / 2));
    check_run(bench.run({"--db", "cut.db", "report", "coverage/packages"}), {.status = 4});
    std::string damaged = whole;
    std::fill(damaged.begin() + 8192, damaged.begin() + 32768, 'x');
    bench.write("damaged.db", damaged);
    const Run check = bench.run({"--db", "damaged.db", "check"});
    INFO(check);
    CHECK((check.status == 1 || check.status == 4));
}

TEST_CASE("ingest: what it says, and the same again") {
    const Filled<Workbench, ingest_two> bench;
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
          Words{first + " is in the ledger with the same content: nothing to do"});
    CHECK(contains(again.out, "1 page, 1 spec (0 new), 0 snapshots loaded (1 unchanged), "));
    CHECK(state() == before);
}

TEST_CASE("ingest: other content at the same moment is refused, unless it replaces") {
    const Filled<Workbench, ingest_two> bench;
    const std::string before = bench.database();
    const Run refused = bench.run({"ingest", "b", "--taken-at", "2025-01-01"});
    check_refused(refused, 3, first);
    check_has(refused.err, {"b/cmake.md", "--replace"});
    CHECK((bench.database() == before));
    const Run replaced = done(bench.run({"ingest", "b", "--taken-at", "2025-01-01", "--replace"}));
    CHECK(replaced.errors() == Words{first + " was replaced"});
    CHECK(bench.query("SELECT packages, specs FROM snapshots ORDER BY taken_at") ==
          Words{"2,2", "2,2"});
    CHECK(bench.run({"diff", first, second, "--exit-code"}).status == 0);
}

TEST_CASE("ingest: from standard input, from files, and with another tag") {
    const Workbench bench;
    const std::string text = page("zlib", details({entry()}));
    check_done(bench.run({"ingest", "-", "--taken-at", "2025-01-01"}, text), first);
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
    const Filled<Workbench, ingest_two> bench;
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
    const Filled<Workbench, ingest_two> bench;
    check_done(bench.run({"snapshots"}), second);
    const Run csv = bench.run({"snapshots", "--format", "csv"});
    Words rows = lines_of(csv.out);
    CHECK(rows.at(0) == "name,tag,series,taken_at,packages,specs,extent,kind,source,checked_at");
    for (std::string& row : rows) {
        row.resize(row.rfind(','));  // checked_at, the time of the run
    }
    rows.erase(rows.begin());
    CHECK(rows == Words{first + ",develop,develop,2025-01-01T00:00:00Z,1,1,whole,pages,a",
                        second + ",develop,develop,2025-02-01T06:30:00Z,2,2,whole,pages,b"});
    const Run json = bench.run({"snapshots", "--format=json"});
    CHECK(json.out.rfind("[\n{\"name\": \"" + first + "\", \"tag\": \"develop\"", 0) == 0);
    check_done(bench.run({"snapshots", "--format", "markdown"}), "| name | tag |");
    check_done(bench.run({"snapshots", "--format", "html"}), "<!DOCTYPE html>");
    CHECK(bench.run({"snapshots", "--format", "table"}).out == bench.run({"snapshots"}).out);
}

TEST_CASE("The option --output gives the whole file or none") {
    const Filled<Workbench, ingest_two> bench;
    const std::vector<Words> commands = {{"snapshots"},
                                         {"report"},
                                         {"report", "coverage/packages"},
                                         {"diff", first, second},
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

TEST_CASE("report: the list needs no database") {
    const Workbench bench;
    const Run list = bench.run({"report", "--all", "--format", "csv"});
    check_done(list, "coverage/gaps,Gaps between sibling stacks,--at --package --stack --percent");
    for (const auto& file : fs::recursive_directory_iterator(fs::path(paths::source) / "sql")) {
        if (file.path().extension() == ".sql") {
            const auto name = file.path()
                                  .lexically_relative(fs::path(paths::source) / "sql")
                                  .replace_extension()
                                  .generic_string();
            INFO(name);
            CHECK(contains(list.out, "\n" + name + ","));
        }
    }
    CHECK(fs::is_empty(bench.folder()));
}

TEST_CASE("report: the short list leaves out what commands answer better, and forms") {
    const Workbench bench;
    const std::string list = bench.run({"report", "--format", "csv"}).out;
    CHECK(
        contains(list, "\ncoverage/matrix,\"Packages by stack (--by stack, compiler, target)\","));
    for (const std::string name :
         {"drift/summary", "drift/why", "coverage/wanted", "coverage/missing", "audit/dependents",
          "history/series", "coverage/matrix-targets", "coverage/compilers"}) {
        INFO(name);
        CHECK_FALSE(contains(list, "\n" + name + ","));
    }
    const std::string drift = bench.run({"report", "drift", "--format", "csv"}).out;
    CHECK(lines_of(drift).size() == 17);
    CHECK(contains(drift, "\ndrift/why,"));
    CHECK(bench.run({"report"}).err.empty());
    CHECK(contains(run_on_screen(bench, {"report"}, 80).out, "--all lists 36 more"));
    CHECK(contains(bench.run({"help", "drift/why"}).out, "The command why answers this, too."));
}

TEST_CASE("report: --by chooses the form") {
    const Filled<Workbench, ingest_two> bench;
    const auto of = [&](Words words) {
        words.insert(words.begin(), "report");
        return done(bench.run(words)).out;
    };
    CHECK(of({"coverage/matrix", "--by", "target"}) == of({"coverage/matrix-targets"}));
    CHECK(of({"coverage/matrix", "--by=compiler", "--stack", "ml"}) ==
          of({"coverage/matrix-compilers", "--stack", "ml"}));
    CHECK(of({"coverage/matrix", "--by", "stack"}) == of({"coverage/matrix"}));
    CHECK(of({"coverage/systems", "--by", "target"}) == of({"coverage/targets"}));
    CHECK(of({"coverage", "systems", "--by", "compiler"}) == of({"coverage/compilers"}));
    check_refused(bench.run({"report", "coverage/matrix", "--by", "os"}), 2,
                  "coverage/matrix has: stack, compiler, target");
    check_refused(bench.run({"report", "coverage/packages", "--by", "os"}), 2, "--by");
}

TEST_CASE("report: parameters as options and as --param") {
    const Filled<Workbench, ingest_two> bench;
    const auto csv = [&](Words words) {
        words.insert(words.begin(), "report");
        words.insert(words.end(), {"--format", "csv"});
        Words rows = lines_of(done(bench.run(words)).out);
        rows.erase(rows.begin());
        for (std::string& row : rows) {
            row = row.substr(0, row.find(','));
        }
        return rows;
    };
    const std::string name = "coverage/packages";
    CHECK(csv({name}) == Words{"cmake", "zlib"});
    CHECK(csv({name, "--at", first}) == Words{"zlib"});
    CHECK(csv({name, "--param", "at=" + first}) == Words{"zlib"});
    CHECK(csv({name, "--package", "c*"}) == Words{"cmake"});
    CHECK(csv({name, "--param", "package=c*"}) == Words{"cmake"});
    CHECK(csv({name, "--stack", "ml"}) == Words{"cmake"});
    CHECK(csv({name, "--stack=ml", "--package=z*"}).empty());
    CHECK(csv({"drift/packages"}) == Words{"package-added"});
    CHECK(csv({"drift/packages", "--from", second, "--to", first}) == Words{"package-removed"});
    CHECK(csv({"drift/packages", "--from", first, "--to", first}).empty());
    CHECK(csv({name, "--package", "' OR 1=1 --*"}).empty());
    check_refused(bench, {{"report " + name + " --param nonsense=1", "nonsense"},
                          {"report " + name + " --nonsense 1", "nonsense"},
                          {"report coverage/gaps --percent many", "percent"},
                          {"report coverage/packages --at v9", "v9"},
                          {"report coverage/pakages", "did you mean 'coverage/packages'"},
                          {"report stacks", "did you mean"},
                          {"report something-else-altogether", "no report"}});
}

TEST_CASE("report: every one runs in every format") {
    const Filled<Workbench, ingest_two> bench;
    for (const std::string& line :
         lines_of(bench.run({"report", "--all", "--format", "csv"}).out)) {
        const std::string name = line.substr(0, line.find(','));
        for (const std::string format : {"table", "csv", "json", "markdown", "html"}) {
            if (name != "report") {  // the header
                const Run run = bench.run({"report", name, "--format", format});
                INFO(name << " " << format << "\n" << run);
                CHECK(run.status == 0);
                CHECK(run.err.empty());
                CHECK_FALSE(run.out.empty());
            }
        }
    }
}

TEST_CASE("report: the first snapshot of a series has none before it") {
    const Filled<Workbench, ingest_two> bench;
    check_refused(bench.run({"report", "drift/summary", "--to", first}), 2, "0 before " + first);
}

TEST_CASE("report: a folder of one's own") {
    const Filled<Workbench, ingest_two> bench;
    bench.write("own/mine/newest.sql",
                "-- title: My own\n-- What I want to know.\n"
                "-- param: at snapshot = latest   the snapshot\n"
                "-- param: least integer = 1      at least so many\n\n"
                "SELECT package, count(*) AS n FROM specs WHERE snapshot = :at\n"
                "GROUP BY package HAVING n >= :least ORDER BY package\n");
    check_done(bench.run({"report", "--reports", "own"}), "mine/newest");
    check_done(bench.run({"report", "--reports", "own"}), "coverage/gaps");
    const Run run = bench.run({"report", "mine/newest", "--reports", "own", "--format", "csv"});
    CHECK(run.out == "package,n\ncmake,1\nzlib,1\n");
    const Run few =
        bench.run({"report", "mine/newest", "--least", "2", "--reports", "own", "--format", "csv"});
    CHECK(few.out == "package,n\n");
    check_run(bench.run({"report", "mine/newest", "--reports", "own", "--help"}),
              {.out = {"usage: cacheledger report mine/newest", "My own", "What I want to know.",
                       "--least"},
               .all_err = ""});
    check_refused(bench.run({"report", "mine/newest"}), 2, "mine/newest");
    check_refused(bench.run({"report", "--reports", "no-such-folder"}), 2, "no-such-folder");

    bench.write("bad/broken.sql", "-- title: Broken\n-- Says nothing.\n\nSELECT nonsense\n");
    const Run broken = bench.run({"report", "broken", "--reports", "bad"});
    check_refused(broken, 2, "bad/broken.sql:4:8: no such column: nonsense");
    bench.write("bad/broken.sql", "-- title: Broken\n-- Says nothing.\n\nDELETE FROM snapshot\n");
    check_refused(bench.run({"report", "broken", "--reports", "bad"}), 2, "only reading");
    bench.write("bad/broken.sql", "SELECT 1\n");
    check_refused(bench.run({"report", "broken", "--reports", "bad"}), 2, "bad/broken.sql:1: ");
    CHECK(bench.snapshots() == 2);
}

TEST_CASE("diff: formats") {
    const Filled<Workbench, ingest_two> bench;
    const Run table = bench.run({"diff", first, second});
    check_done(table, first + " -> " + second);
    CHECK(contains(table.out, "package-added"));
    const Run json = bench.run({"diff", first, second, "--format", "json"});
    CHECK(json.out.rfind("{", 0) == 0);
    for (const std::string& part :
         {"\"from\": \"" + first + "\"", "\"to\": \"" + second + "\"",
          std::string("{\"kind\": \"package-added\", \"count\": 1}"),
          std::string("{\"kind\": \"version-removed\", \"count\": 1}"),
          std::string("{\"kind\": \"spec-added\", \"count\": 2}"),
          std::string("{\"cause\": \"version\", \"added\": 1, \"removed\": 1}"),
          std::string("{\"kind\": \"version-added\", \"package\": \"zlib\"")}) {
        INFO(part << "\n" << json);
        CHECK(contains(json.out, part));
    }
    const Run csv = bench.run({"diff", first, second, "--format", "csv"});
    CHECK(csv.out.rfind("kind,package,", 0) == 0);
    CHECK(lines_of(csv.out).size() == 4);
    const Run markdown = bench.run({"diff", first, second, "--format", "markdown"});
    CHECK(contains(markdown.out, "\n| kind | package |"));
    check_done(bench.run({"diff", first, second, "--format", "html"}), "<title>" + first);
}

TEST_CASE("diff: filters and --exit-code") {
    const Filled<Workbench, ingest_two> bench;
    const auto kinds = [&](Words words) {
        words.insert(words.begin(), {"diff", first, second, "--format", "csv"});
        Words rows = lines_of(done(bench.run(words)).out);
        rows.erase(rows.begin());
        for (std::string& row : rows) {
            row = row.substr(0, row.find(','));
        }
        std::sort(rows.begin(), rows.end());
        return rows;
    };
    CHECK(kinds({}) == Words{"package-added", "version-added", "version-removed"});
    CHECK(kinds({"--kind", "version-added"}) == Words{"version-added"});
    CHECK(kinds({"--package", "c*"}) == Words{"package-added"});
    CHECK(kinds({"--stack", "ml"}) == Words{"package-added"});
    CHECK(kinds({"--stack", "hpc"}) == Words{"version-added", "version-removed"});
    CHECK(kinds({"--stack", "hpc", "--package", "c*"}).empty());

    const auto status = [&](Words words) {
        words.insert(words.begin(), "diff");
        words.push_back("--exit-code");
        return bench.run(words).status;
    };
    CHECK(bench.run({"diff", first, second}).status == 0);
    CHECK(status({first, second}) == 1);
    CHECK(status({second, first, "--format", "json"}) == 1);
    CHECK(status({first, first}) == 0);
    CHECK(status({first, second, "--package", "nothing"}) == 2);
    CHECK(status({first, second, "--package", "nothing*"}) == 0);
    CHECK(status({first, second, "--package", "c*"}) == 1);
    CHECK(status({first, second, "--kind", "version-added"}) == 1);
    CHECK(status({first, second, "--kind", "target-changed"}) == 0);
    CHECK(status({first, "v9"}) == 2);
}

TEST_CASE("diff: --all shows every row of a long section") {
    const Workbench bench;
    bench.write("none/zlib.md", page("zlib", details({entry('a')})));
    bench.write("many/zlib.md", page("zlib", details({entry('a')})));
    for (char letter = 'b'; letter <= 'z'; ++letter) {
        const std::string name = std::string("package-") + letter;
        bench.write("many/" + name + ".md", page(name, details({entry(letter)})));
    }
    check_done(bench.run({"ingest", "none", "--taken-at", "2025-01-01"}));
    check_done(bench.run({"ingest", "many", "--taken-at", "2025-01-02"}));
    const Run cut = bench.run({"diff", "develop~1", "develop"});
    CHECK_FALSE(contains(cut.out, "package-z"));
    CHECK(contains(cut.out, "--all"));
    check_done(bench.run({"diff", "develop~1", "develop", "--all"}), "package-z");
    check_done(bench.run({"diff", "develop~1", "develop", "--format", "csv"}), "package-z");
    check_done(bench.run({"diff", "develop~1", "develop", "--output", "file"}));
}

TEST_CASE("sql: a query from the command line, standard input or a file") {
    const Filled<Workbench, ingest_two> bench;
    const std::string text = "SELECT package FROM specs WHERE version = '1.3.0'";
    const std::string expected = "package\nzlib\n";
    CHECK(bench.run({"sql", text, "--format", "csv"}).out == expected);
    CHECK(bench.run({"sql", "-", "--format", "csv"}, text + ";\n").out == expected);
    bench.write("query.sql", "-- a comment\n" + text + "\n");
    CHECK(bench.run({"sql", "--file", "query.sql", "--format", "csv"}).out == expected);
    check_refused(bench.run({"sql", text, "--file", "query.sql"}), 2, "expected one of");
    check_refused(
        bench, {{"sql --file missing.sql", "missing.sql"}, {"sql --file a", "a: can't be read"}});
    bench.write("query.sql", "SELECT\n  nonsense\n");
    check_refused(bench.run({"sql", "--file", "query.sql"}), 2, "query.sql:2:3: ");
    check_refused(bench.run({"sql", ""}), 2, "no statement");
    check_refused(bench.run({"sql", "-"}), 2, "no statement");
    check_refused(bench.run({"sql", "SELECT 1; SELECT 2"}), 2, "one statement");
}

TEST_CASE("sql: parameters are bound") {
    const Filled<Workbench, ingest_two> bench;
    const Run run =
        bench.run({"sql", "SELECT :n + 1 AS n, typeof(:n) AS t, :text AS text", "--param", "n=41",
                   "--param", "text=it's = 'quoted'; DROP TABLE spec", "--format", "csv"});
    CHECK(run.out == "n,t,text\n42,integer,it's = 'quoted'; DROP TABLE spec\n");
    check_refused(bench.run({"sql", "SELECT :n"}), 2, ":n");
    check_refused(bench.run({"sql", "SELECT 1", "--param", "n=1"}), 2, ":n");
    check_refused(bench.run({"sql", "SELECT ?"}), 2, "names");
}

TEST_CASE("sql: nothing can be written") {
    const Filled<Workbench, ingest_two> bench;
    const std::string before = bench.database();
    const Words writers = {
        "INSERT INTO package (name) VALUES ('x')",
        "UPDATE spec SET hash = 'x'",
        "DELETE FROM snapshot",
        "DELETE FROM snapshot RETURNING name",
        "UPDATE snapshot SET name = 'x' RETURNING name",
        "DROP TABLE snapshot",
        "DROP VIEW specs",
        "CREATE TABLE mine (x)",
        "CREATE TEMP TABLE mine (x)",
        "ALTER TABLE spec RENAME TO other",
        "ATTACH 'new.db' AS new",
        "ATTACH 'cacheledger.db' AS again; DELETE FROM again.snapshot",
        "VACUUM",
        "VACUUM INTO 'copy.db'",
        "REINDEX",
        "ANALYZE",
        "BEGIN",
        "PRAGMA user_version = 99",
        "PRAGMA application_id = 1",
        "PRAGMA journal_mode = WAL",
        "PRAGMA writable_schema = ON",
        "SELECT 1; DELETE FROM snapshot",
        "WITH x AS (SELECT 1) DELETE FROM snapshot",
        "EXPLAIN DELETE FROM snapshot; DELETE FROM snapshot",
        "SELECT writefile('written', 'x')",
        "SELECT load_extension('mine')",
    };
    for (const std::string& text : writers) {
        const Run run = bench.run({"sql", text});
        INFO(text << "\n" << run);
        // A pragma may answer with the value that stays; all others are refused.
        CHECK((run.status == 2 || run.status == 4 || text.rfind("PRAGMA", 0) == 0));
        CHECK((bench.database() == before));
        CHECK((run.status == 0 || run.out.empty()));
    }
    for (const std::string file : {"new.db", "copy.db", "written"}) {
        INFO(file);
        CHECK_FALSE(bench.has(file));
    }
    check_done(bench.run({"check"}), "ok");
}

TEST_CASE("check: exit code 1 when something is wrong") {
    const Filled<Workbench, ingest_two> bench;
    check_done(bench.run({"check"}), "ok\n");
    const Run sound = bench.run({"check", "--format", "json"});
    CHECK(sound.out == "[]\n");
    CHECK(contains(sound.err, R"({"step": "integrity", "seconds": )"));
    CHECK(bench.run({"check", "--format", "csv"}).out == "problem\n");

    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database, "UPDATE snapshot SET specs = specs + 1", nullptr, nullptr,
                         nullptr) == SQLITE_OK);
    sqlite3_close(database);
    check_run(bench.run({"check"}), {.status = 1, .out = {first}});
    CHECK(bench.run({"check", "--format", "json"}).status == 1);
}

TEST_CASE("forget: as if it had never been there") {
    const Filled<Workbench, ingest_two> bench;
    check_done(bench.run({"forget", "develop~1"}), "forgot " + first);
    CHECK(names(bench) == second);
    check_done(bench.run({"check"}), "ok");
    CHECK(bench.query("SELECT count(*) FROM changes WHERE change = 'added'") == Words{"2"});
    check_refused(bench.run({"forget", first}), 2, first);
    check_done(bench.run({"forget", "latest"}), "forgot " + second);
    CHECK(bench.snapshots() == 0);
    check_refused(bench.run({"forget", "latest"}), 2, "the ledger is empty");
    check_done(bench.run({"snapshots", "--format", "json"}), "[]\n");
    check_done(bench.run({"ingest", "a", "--taken-at", "2025-01-01"}), first);
}

TEST_CASE("A full disk is said, not passed over") {
    if (!fs::exists("/dev/full")) {
        WARN("there is no /dev/full");
        return;
    }
    const Filled<Workbench, ingest_two> bench;
    const Run run =
        run_command({"/bin/sh", "-c", "exec \"$0\" snapshots > /dev/full", paths::program},
                    {bench.folder(), "", {}, false});
    INFO(run);
    CHECK(run.status != 0);
    CHECK(contains(run.err, "can't be written"));
}

}  // namespace command_line_test
