#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace kept_log_test {

// A log that a run could not empty at its end, because somebody read.
using namespace program;

using namespace std::chrono_literals;

namespace fs = std::filesystem;

namespace {

/// Any program that reads the state that the ledger has now, until it is destroyed.
class Reader {
  public:
    explicit Reader(const Workbench& bench) {
        REQUIRE(sqlite3_open_v2(bench.file("cacheledger.db").c_str(), &handle_,
                                SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
        REQUIRE(sqlite3_exec(handle_, "BEGIN; SELECT count(*) FROM snapshot", nullptr, nullptr,
                             nullptr) == SQLITE_OK);
    }
    ~Reader() { sqlite3_close(handle_); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

  private:
    sqlite3* handle_ = nullptr;
};

void ingest(const Workbench& bench, char letter) {
    bench.write("zlib.md", page("zlib", details({entry(letter)})));
    const std::string day = std::string("2025-03-0") + static_cast<char>('1' + letter - 'a');
    REQUIRE(bench.run({"ingest", "zlib.md", "--taken-at", day}).status == 0);
}

std::string log_of(const Workbench& bench) {
    return bench.read("cacheledger.db-wal");
}

/// Read by another process: closing the file here would release the locks of a Reader.
std::string file_of(const Workbench& bench) {
    return run_command({"cat", bench.file("cacheledger.db").string()}).out;
}

/// Two snapshots in the file, and the third in its log. `backup.db` has the first alone.
void keep_log(const Workbench& bench) {
    bench.write("early.db", "");
    ingest(bench, 'a');
    bench.write("backup.db", file_of(bench));
    ingest(bench, 'b');
    const Reader reader(bench);
    ingest(bench, 'c');
    REQUIRE_FALSE(log_of(bench).empty());
}

/// Whether the file system tells when a file was made.
bool has_birth_times(const Workbench& bench) {
    struct statx about {};
    const bool tells = statx(AT_FDCWD, bench.folder().c_str(), 0, STATX_BTIME, &about) == 0 &&
                       (about.stx_mask & STATX_BTIME) != 0;
    if (!tells) {
        WARN("the file system does not tell when a file was made");
    }
    return tells;
}

int snapshots_in_file_alone(const Workbench& bench) {
    bench.write("alone.db", file_of(bench));
    return std::stoi(lines_of(bench
                                  .run({"--db", "alone.db", "sql", "SELECT count(*) FROM snapshots",
                                        "--format", "csv"})
                                  .out)
                         .at(1));
}

/// Runs a command, and checks that it leaves the file and its log as they are.
Run run_without_change(const Workbench& bench, const Words& command) {
    const std::string file = file_of(bench);
    const std::string log = log_of(bench);
    Run run = bench.run(command);
    INFO(run);
    CHECK((file_of(bench) == file));
    CHECK((log_of(bench) == log));
    return run;
}

void execute(const Workbench& bench, const char* sql) {
    sqlite3* handle = nullptr;
    int keep = 1;
    REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &handle) == SQLITE_OK);
    sqlite3_file_control(handle, nullptr, SQLITE_FCNTL_PERSIST_WAL, &keep);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    CHECK(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(handle);
}

}  // namespace

TEST_CASE("A log that a reader kept is moved into the file by the next command of its owner") {
    const Workbench bench;
    if (!has_birth_times(bench)) {
        return;
    }
    ingest(bench, 'a');
    {
        const Reader reader(bench);
        ingest(bench, 'b');
        CHECK(run_without_change(bench, {"snapshots"}).err.empty());
    }
    CHECK(run_without_change(bench, {"check"}).out == "ok\n");
    CHECK(run_without_change(bench, {"backup", "copy.db"}).status == 0);
    CHECK(snapshots_in_file_alone(bench) == 1);
    const Run run = done(bench.run({"snapshots"}));
    CHECK(run.err.empty());
    CHECK(log_of(bench).empty());
    CHECK(bench.has("cacheledger.db-shm"));
    CHECK(snapshots_in_file_alone(bench) == 2);
    CHECK(bench.run({"check"}).out == "ok\n");
}

TEST_CASE("Of a log that somebody still reads in part, no part is moved") {
    const Workbench bench;
    if (!has_birth_times(bench)) {
        return;
    }
    ingest(bench, 'a');
    auto first = std::make_unique<Reader>(bench);
    ingest(bench, 'b');
    auto second = std::make_unique<Reader>(bench);
    ingest(bench, 'c');
    first.reset();
    CHECK(run_without_change(bench, {"snapshots"}).status == 0);
    CHECK(snapshots_in_file_alone(bench) == 1);
    second.reset();
    CHECK(bench.run({"snapshots"}).status == 0);
    CHECK(snapshots_in_file_alone(bench) == 3);
    CHECK(log_of(bench).empty());
}

TEST_CASE("A backup in the place of a ledger is left as it is, beside the log of that ledger") {
    const Filled<Workbench, keep_log> bench;
    const fs::path file = bench.file("cacheledger.db");
    const fs::path log = bench.file("cacheledger.db-wal");
    const fs::path backup = bench.file("backup.db");
    const auto copy_over = [](const fs::path& from, const fs::path& to) {
        fs::copy_file(from, to, fs::copy_options::overwrite_existing);
    };
    SECTION("cp") {
        copy_over(backup, file);
    }
    SECTION("cp -p") {
        copy_over(backup, file);
        fs::last_write_time(file, fs::last_write_time(log) - 24h);
    }
    SECTION("mv") {
        fs::rename(backup, file);
    }
    SECTION("mv of a file that was made before the log") {
        copy_over(backup, bench.file("early.db"));
        fs::rename(bench.file("early.db"), file);
    }
    SECTION("cp by a clock that was set back: the log seems to be newer") {
        copy_over(backup, file);
        fs::last_write_time(log, fs::file_time_type::clock::now() + 24h);
    }
    run_without_change(bench, {"snapshots"});
    run_without_change(bench, {"check"});
}

TEST_CASE("A refused ledger is left as it is, with its log") {
    const Filled<Workbench, keep_log> bench;
    for (const char* const change : {"PRAGMA user_version = 99", "PRAGMA application_id = 1"}) {
        execute(bench, change);
        CHECK(run_without_change(bench, {"snapshots"}).status == 4);
    }
}

TEST_CASE("Who is not the owner leaves a log as it is that a reader kept") {
    const Filled<Workbench, keep_log> bench;
    fs::permissions(bench.folder(), fs::perms::all);
    for (const char* const ending : {"", "-wal", "-shm"}) {
        fs::permissions(bench.file(std::string("cacheledger.db") + ending), fs::perms::all);
    }
    // The permissions made the file newer than its log.
    fs::last_write_time(bench.file("cacheledger.db-wal"), fs::file_time_type::clock::now() + 1s);
    if (geteuid() == 0) {
        const std::string before = file_of(bench);
        Surroundings other;
        other.unprivileged = true;
        CHECK(bench.start({"snapshots"}, other)->wait().status == 0);
        CHECK((file_of(bench) == before));
    }
    CHECK(bench.run({"snapshots"}).status == 0);
    CHECK(log_of(bench).empty() == has_birth_times(bench));
}

}  // namespace kept_log_test
