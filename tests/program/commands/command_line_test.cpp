#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/program/two_snapshots.hpp"

namespace command_line_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

const Words all_commands = {"ingest", "snapshots", "report", "diff", "sql", "check", "forget"};

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
    const Filled<Workbench, ingest_two_states> bench;
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
    const Filled<Workbench, ingest_two_states> bench;
    check_run(bench.run({}),
              {.status = 2,
               .all_out = "",
               .all_err = bench.run({"--help"}).out + "\ncacheledger: expected a command\n"});
    check_refused(bench, {{"frobnicate", "no command 'frobnicate'"},
                          {"--frobnicate", "--frobnicate"},
                          {"--db", "--db"},
                          {"ingest", "expected a file, a folder, a URL or -"},
                          {"diff " + first_snapshot, "the oldest of its series"},
                          {"diff " + first_snapshot + " " + second_snapshot + " " + second_snapshot,
                           "one word too many"},
                          {"forget", "expected a snapshot"},
                          {"sql", "expected one of a query, - and --file FILE"}});
    for (const std::string& command : all_commands) {
        INFO(command);
        check_refused(bench.run({command, "--frobnicate"}), 2, "--frobnicate");
    }
    CHECK(snapshot_names(bench) == first_snapshot + "," + second_snapshot);
}

TEST_CASE("Options need their values") {
    const Filled<Workbench, ingest_two_states> bench;
    check_refused(bench, {{"ingest a --taken-at", "taken-at"},
                          {"ingest a --tag", "tag"},
                          {"ingest a --jobs", "jobs"},
                          {"snapshots --format", "format"},
                          {"snapshots --output", "output"},
                          {"report --reports", "reports"},
                          {"report coverage/summary --at", "at"},
                          {"diff " + first_snapshot + " " + second_snapshot + " --kind", "kind"},
                          {"sql --file", "file"}});
    check_refused(bench.run({"sql", "SELECT 1", "--param"}), 2, "param");
}

TEST_CASE("One word too many is wrong usage") {
    const Filled<Workbench, ingest_two_states> bench;
    for (const std::string command : {"snapshots", "diff develop~1 develop", "sql SELECT", "check",
                                      "forget develop", "report coverage/summary"}) {
        check_refused(bench, {{command + " extra", "'extra'"}});
    }
    CHECK(snapshot_names(bench) == first_snapshot + "," + second_snapshot);
}

TEST_CASE("Values that make no sense are wrong usage") {
    const Filled<Workbench, ingest_two_states> bench;
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
    check_refused(bench.run({"diff", first_snapshot, second_snapshot, "--kind", "nonsense"}), 2,
                  "version-added");
    check_refused(bench.run({"sql", "SELECT :a", "--param", "a"}), 2, "expected name=value");
    check_refused(bench.run({"sql", "SELECT :a", "--param", "a=1", "--param", "a=2"}), 2, "twice");
    CHECK(snapshot_names(bench) == first_snapshot + "," + second_snapshot);
}

TEST_CASE("Snapshots are named as people would") {
    const Filled<Workbench, ingest_two_states> bench;
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
    CHECK(resolved(second_snapshot) == second_snapshot);
    CHECK(resolved("develop@2025-02-01") == second_snapshot);
    CHECK(resolved("develop") == second_snapshot);
    CHECK(resolved("develop~0") == second_snapshot);
    CHECK(resolved("develop~1") == first_snapshot);
    CHECK(resolved("develop@2025-02-01~1") == first_snapshot);
    CHECK(resolved("develop-2025-03-30") == "develop-2025-03-30");
    CHECK(resolved("develop-2025-03-30~1") == "develop-2025-03-23");
    CHECK(resolved("latest") == "develop-2025-03-30");
}

TEST_CASE("Snapshot names that name none are wrong usage") {
    const Filled<Workbench, ingest_two_states> bench;
    bench.write("c/zlib.md", page("zlib", details({entry('d')})));
    check_done(bench.run({"ingest", "c", "--taken-at", "2025-02-01T18:00:00Z"}));
    for (const std::string name :
         {"", "v9", "develop@2024", "develop~3", "develop~x", "develop~-1", "develop~", "~1",
          "develop@2025-02-01",  // two that day
          "develop@2025-01-01'; DROP TABLE snapshot; --", "%", "*",
          "develop~99999999999999999999"}) {
        INFO(name);
        check_refused(bench.run({"diff", name, first_snapshot}), 2,
                      name.empty() ? "snapshot" : name);
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
        check_done(bench.run({"--db", file, "snapshots"}), first_snapshot);
        check_done(bench.run({"snapshots", "--db=" + file}), first_snapshot);
    }
}

TEST_CASE("The database of the environment") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry()})));
    const std::map<std::string, std::string> variable = {{"CACHELEDGER_DB", "other.db"}};
    check_done(bench.run({"ingest", "p", "--taken-at", "2025-01-01"}, "", variable));
    CHECK(bench.has("other.db"));
    CHECK_FALSE(bench.has("cacheledger.db"));
    check_done(bench.run({"snapshots"}, "", variable), first_snapshot);
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

}  // namespace command_line_test
