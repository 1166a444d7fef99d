#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace backup_command_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

std::string page_of(int specs) {
    std::vector<Entry> entries;
    for (int spec = 0; spec < specs; ++spec) {
        std::string hash(32, 'z');
        int rest = spec;
        for (std::size_t digit = 0; digit < 4; ++digit, rest /= 26) {
            hash[digit] = static_cast<char>('a' + rest % 26);
        }
        entries.push_back(entry());
        entries.back()["hash"] = json_text(hash);
    }
    return page("zlib", details(entries));
}

void ingest(const Workbench& bench, const std::string& day, int specs = 20) {
    bench.write("zlib.md", page_of(specs));
    REQUIRE(bench.run({"ingest", "zlib.md", "--taken-at", day}).status == 0);
}

/// The files of the folder, without those of the ledger.
Words others(const Workbench& bench) {
    Words names;
    for (const auto& entry : fs::directory_iterator(bench.folder())) {
        const std::string name = entry.path().filename();
        if (!name.starts_with("cacheledger.db") && name != "zlib.md") {
            names.push_back(name);
        }
    }
    return names;
}

void check_backup(const Workbench& bench, const std::string& name, int snapshots) {
    const Run check = bench.run({"--db", name, "check"});
    INFO(check);
    CHECK(check.out == "ok\n");
    const Run count =
        bench.run({"--db", name, "sql", "SELECT count(*) FROM snapshots", "--format", "csv"});
    CHECK(lines_of(count.out).at(1) == std::to_string(snapshots));
}

void check_refused(const Workbench& bench, const Words& words, const std::string& why) {
    const Words before = others(bench);
    const Run run = done(bench.run(words), 2);
    CHECK(run.out.empty());
    REQUIRE(run.errors().size() == 1);
    CHECK(contains(run.err, why));
    CHECK(others(bench) == before);
}

}  // namespace

TEST_CASE("backup makes one file that is the whole ledger") {
    const Workbench bench;
    ingest(bench, "2025-01-01");
    check_run(bench.run({"backup", "copy.db"}),
              {.out = {"backed up cacheledger.db to copy.db: "}, .all_err = ""});
    CHECK(others(bench) == Words{"copy.db"});
    check_backup(bench, "copy.db", 1);
    CHECK(others(bench) == Words{"copy.db"});  // no log beside it, so it is whole alone
}

TEST_CASE("A restored backup is the ledger as it was, and goes on") {
    const Workbench bench;
    ingest(bench, "2025-01-01");
    const Words content = bench.content();
    REQUIRE(bench.run({"backup", "copy.db"}).status == 0);
    ingest(bench, "2025-01-02", 30);
    for (const char* const name : {"cacheledger.db", "cacheledger.db-wal", "cacheledger.db-shm"}) {
        fs::remove(bench.file(name));
    }
    fs::copy_file(bench.file("copy.db"), bench.file("cacheledger.db"));
    CHECK(bench.content() == content);
    ingest(bench, "2025-01-03", 40);
    CHECK(bench.read("cacheledger.db-wal").empty());
    CHECK(bench.run({"check"}).out == "ok\n");
}

TEST_CASE("backup replaces an earlier one, and keeps its permissions and links to it") {
    const Workbench bench;
    ingest(bench, "2025-01-01");
    fs::create_symlink("copy.db", bench.file("link.db"));
    REQUIRE(bench.run({"backup", "link.db"}).status == 0);
    fs::permissions(bench.file("copy.db"), fs::perms::owner_read | fs::perms::owner_write);
    ingest(bench, "2025-01-02");
    REQUIRE(bench.run({"backup", "link.db"}).status == 0);
    CHECK(fs::is_symlink(bench.file("link.db")));
    CHECK(fs::status(bench.file("copy.db")).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));
    check_backup(bench, "copy.db", 2);
    // One that was opened as a ledger that is written to has files beside it.
    REQUIRE(bench.run({"--db", "copy.db", "compact"}).status == 0);
    REQUIRE(bench.has("copy.db-wal"));
    REQUIRE(bench.run({"backup", "copy.db"}).status == 0);
    CHECK_FALSE(bench.has("copy.db-wal"));
    check_backup(bench, "copy.db", 2);
}

TEST_CASE("Who may not read the ledger may not read a new backup of it") {
    const Workbench bench;
    ingest(bench, "2025-01-01");
    fs::permissions(bench.file("cacheledger.db"), fs::perms::owner_read | fs::perms::owner_write);
    REQUIRE(bench.run({"backup", "copy.db"}).status == 0);
    CHECK(fs::status(bench.file("copy.db")).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("backup refuses to replace anything else") {
    const Workbench bench;
    ingest(bench, "2025-01-01");
    bench.write("text", "not a database");
    check_refused(bench, {"backup", "text"}, "text: there already, and no ledger");
    CHECK(bench.read("text") == "not a database");
    REQUIRE(bench.run({"--db", "other.db", "ingest", "zlib.md"}).status == 0);
    check_refused(bench, {"backup", "other.db"}, "another ledger");
    REQUIRE(bench.run({"backup", "copy.db"}).status == 0);
    REQUIRE(
        bench.run({"--db", "copy.db", "ingest", "zlib.md", "--taken-at", "2025-02-01"}).status ==
        0);
    check_refused(bench, {"backup", "copy.db"}, "has what this ledger has not");
    bench.write("new.db-wal", "of another");
    check_refused(bench, {"backup", "new.db"}, "new.db-wal");
    check_refused(bench, {"backup"}, "expected the name of a file");
    check_refused(bench, {"backup", ""}, "expected the name of a file");
    check_refused(bench, {"backup", "-"}, "not a file");
    check_refused(bench, {"backup", "/dev/null"}, "not a file");
    check_refused(bench, {"backup", "."}, "a folder");
    check_refused(bench, {"backup", "none/copy.db"}, "No such file or directory");
    bench.write("made", "");
    CHECK(bench.run({"backup", "made"}).status == 0);  // an empty file, as mktemp makes it
}

TEST_CASE("backup never writes to the ledger itself") {
    const Workbench bench;
    ingest(bench, "2025-01-01");
    const std::string before = bench.database();
    fs::create_symlink("cacheledger.db", bench.file("link.db"));
    fs::create_hard_link(bench.file("cacheledger.db"), bench.file("hard.db"));
    for (const char* const name : {"cacheledger.db", "./cacheledger.db", "link.db", "hard.db",
                                   "cacheledger.db-wal", "cacheledger.db-journal"}) {
        check_refused(bench, {"backup", name}, "the ledger itself");
    }
    CHECK(bench.database() == before);
}

TEST_CASE("backup of no ledger is an error") {
    const Workbench bench;
    CHECK(bench.run({"backup", "copy.db"}).status == 4);
    bench.write("cacheledger.db", "");
    CHECK(bench.run({"backup", "copy.db"}).status == 4);
    CHECK_FALSE(bench.has("copy.db"));
}

TEST_CASE("A backup is one state, whatever is written while it is made") {
    const Workbench bench;
    ingest(bench, "2025-01-01", 20000);  // more than is copied at once
    const auto backup = bench.start_until_write({"backup", "copy.db"}, 300);
    ingest(bench, "2025-01-02", 100);
    REQUIRE(bench.run({"forget", "develop~1"}).status == 0);
    backup->signal(SIGCONT);
    const Run run = done(backup->wait());
    check_backup(bench, "copy.db", 1);
    CHECK(contains(bench.run({"--db", "copy.db", "snapshots"}).out, "2025-01-01"));
    CHECK(bench.query("SELECT specs FROM snapshots") == Words{"100"});
}

TEST_CASE("A slow backup does not replace a newer one that came meanwhile") {
    const Workbench bench;
    ingest(bench, "2025-01-01", 2000);
    const auto slow = bench.start_until_write({"backup", "copy.db"}, 30);
    ingest(bench, "2025-01-02", 100);
    REQUIRE(bench.run({"backup", "copy.db"}).status == 0);
    slow->signal(SIGCONT);
    check_run(slow->wait(), {.status = 2, .err = {"copy.db: there already, and"}});
    CHECK(others(bench) == Words{"copy.db"});
    check_backup(bench, "copy.db", 2);
}

TEST_CASE("What an interrupted or killed backup leaves is removed") {
    const Workbench bench;
    ingest(bench, "2025-01-01", 2000);
    const auto interrupted = bench.start_until_write({"backup", "copy.db"}, 30);
    interrupted->signal(SIGINT);
    interrupted->signal(SIGCONT);
    const Run run = interrupted->wait();
    INFO(run);
    CHECK(run.status == 128 + SIGINT);
    CHECK(contains(run.err, "interrupted; no backup was made"));
    CHECK(others(bench).empty());

    const auto killed = bench.start_until_write({"backup", "copy.db"}, 30);
    CHECK(others(bench).size() == 1);
    const auto other = bench.start_until_write({"backup", "copy.db"}, 30);
    CHECK(others(bench).size() == 2);  // that of a run at work is left alone
    killed->signal(SIGKILL);
    killed->wait();
    CHECK(others(bench).size() == 2);
    other->signal(SIGCONT);
    CHECK(other->wait().status == 0);
    REQUIRE(bench.run({"backup", "copy.db"}).status == 0);
    CHECK(others(bench) == Words{"copy.db"});
    check_backup(bench, "copy.db", 1);
}

TEST_CASE("A plain backup is for tools with another SQLite, and no ledger") {
    const Workbench bench;
    ingest(bench, "2025-01-01");
    REQUIRE(bench.run({"backup", "--plain", "tools.db"}).status == 0);
    check_run(
        bench.run({"--db", "tools.db", "snapshots"}),
        {.status = 4, .err = {"tools.db: a copy for other tools (backup --plain), not a ledger"}});
    CHECK(bench.run({"backup", "tools.db"}).status == 2);
    ingest(bench, "2025-01-02", 30);
    CHECK(bench.run({"backup", "--plain", "tools.db"}).status == 0);  // an earlier one is replaced
    CHECK(bench.run({"backup", "--plain", "zlib.md"}).status == 2);
}

}  // namespace backup_command_test
