#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <thread>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace missing_log_test {

// A ledger whose log is missing, since another program removed it or a copy was made without it,
// and users who may read the ledger but do not own it.
using namespace program;

using namespace std::chrono_literals;

namespace fs = std::filesystem;

namespace {

constexpr fs::perms readable =
    fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read;
constexpr fs::perms enterable = readable | fs::perms::group_exec | fs::perms::others_exec;

std::string page_with(const std::string& package, int specs) {
    std::vector<Entry> entries;
    for (int spec = 0; spec < specs; ++spec) {
        std::string hash = package + std::string(32 - package.size(), 'a');
        int rest = spec;
        for (std::size_t digit = 31; digit > 26; --digit, rest /= 26) {
            hash[digit] = static_cast<char>('a' + rest % 26);
        }
        entries.push_back(entry());
        entries.back()["hash"] = json_text(hash);
    }
    return page(package, details(entries));
}

/// What any other program does with a ledger. As the last that closes it, it removes the log.
void use(const fs::path& file, const char* sql) {
    sqlite3* handle = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &handle) == SQLITE_OK);
    CHECK(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(handle);
}

/// A ledger with one snapshot of 100 specs, in a folder of its own. Others may read all of it.
class Facility {
  public:
    Facility() {
        bench.write("first/zlib.md", page_with("zlib", 100));
        bench.write("second/zlib.md", page_with("zlib", 2000));
        fs::copy_file(paths::faults, bench.file("faults.so"));
        for (const char* const folder : {"", "first", "second"}) {
            fs::permissions(bench.file(folder), enterable);
        }
        for (const char* const file : {"first/zlib.md", "second/zlib.md", "faults.so"}) {
            fs::permissions(bench.file(file), readable);
        }
        fs::create_directory(bench.file("ledger"));
        ingest("first", "2025-03-01");
        let_others(enterable, readable);
    }
    ~Facility() { fs::permissions(bench.file("ledger"), fs::perms::owner_all); }
    Facility(const Facility&) = delete;
    Facility& operator=(const Facility&) = delete;

    fs::path file(const std::string& ending = "") const {
        return bench.file("ledger/cacheledger.db" + ending);
    }

    bool has_log() const { return fs::exists(file("-wal")) || fs::exists(file("-shm")); }

    void let_others(fs::perms folder, fs::perms files) const {
        for (const auto& entry : fs::directory_iterator(bench.file("ledger"))) {
            fs::permissions(entry.path(), files);
        }
        fs::permissions(bench.file("ledger"), folder);
    }

    /// As its owner.
    void ingest(const std::string& pages, const std::string& moment) const {
        done(bench.run({"--db", file(), "ingest", pages, "--taken-at", moment}));
    }

    void remove_log() const {
        use(file(), "SELECT count(*) FROM snapshot");
        REQUIRE_FALSE(has_log());
    }

    /// As a user who is not the owner.
    std::unique_ptr<Process> start_as_other(const Words& command,
                                            Surroundings surroundings = {}) const {
        Words words{"--db", file()};
        words.insert(words.end(), command.begin(), command.end());
        surroundings.unprivileged = true;
        return bench.start(words, surroundings);
    }

    Run run_as_other(const Words& command) const { return start_as_other(command)->wait(); }

    /// Whose the ledger is, and what is beside it.
    std::set<uid_t> owners() const {
        std::set<uid_t> owners;
        for (const auto& entry : fs::directory_iterator(bench.file("ledger"))) {
            struct stat status {};
            REQUIRE(stat(entry.path().c_str(), &status) == 0);
            owners.insert(status.st_uid);
        }
        return owners;
    }

    Workbench bench;
};

const Words count_specs{"sql", "SELECT count(*) FROM specs", "--format", "csv"};

void check_counts(const Run& run, const std::string& specs) {
    INFO(run);
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    CHECK(run.out == "count(*)\n" + specs + "\n");
}

}  // namespace

TEST_CASE("Who can't make the log sees one state, while the owner writes") {
    const Facility facility;
    facility.remove_log();
    const auto reader = facility.start_as_other(
        {"sql",
         "SELECT (SELECT count(*) FROM snapshots) AS snapshots, (WITH RECURSIVE n(i) AS (SELECT 1 "
         "UNION ALL SELECT i + 1 FROM n LIMIT 20000000) SELECT 0 * count(*) FROM n) AS wait, "
         "(SELECT count(*) FROM specs) AS specs",
         "--format", "csv"});
    std::this_thread::sleep_for(500ms);
    facility.ingest("second", "2025-03-02");
    use(facility.file(), "PRAGMA wal_checkpoint(TRUNCATE)");
    check_run(reader->wait(), {.all_out = "snapshots,wait,specs\n1,0,100\n"});
}

TEST_CASE("Whom the owner's writing overtakes sees what was written") {
    const Facility facility;
    facility.remove_log();
    Surroundings surroundings;
    surroundings.environment = {{"LD_PRELOAD", facility.bench.file("faults.so")},
                                {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"},
                                {"CACHELEDGER_FAULT", "stop"},
                                {"CACHELEDGER_FAULT_AT", "1"}};
    const auto reader = facility.start_as_other(count_specs, surroundings);
    if (reader->waits_stopped()) {  // with the first of its copy
        facility.ingest("second", "2025-03-02");
        use(facility.file(), "PRAGMA wal_checkpoint(TRUNCATE)");
        reader->signal(SIGCONT);
        check_counts(reader->wait(), "2100");
    } else {
        CHECK(geteuid() != 0);  // the tests' own user is the owner, and makes the log
    }
}

TEST_CASE("Who is not the owner leaves nothing beside the ledger") {
    const Facility facility;
    facility.let_others(fs::perms::all, readable);
    for (const Words& command : {Words{"snapshots"}, Words{"check"}, count_specs}) {
        facility.remove_log();
        check_run(facility.run_as_other(command), {.all_err = ""});
        CHECK(facility.owners().size() == 1);
    }
    facility.remove_log();
    if (geteuid() == 0) {
        const std::string before = read_file(facility.file());
        for (const Words& command :
             {Words{"forget", "latest"}, Words{"ingest", "second", "--taken-at", "2025-03-02"}}) {
            const Run run = done(facility.run_as_other(command), 4);
            CHECK(run.errors() == Words{"cacheledger: " + facility.file().string() +
                                        ": the file, or its folder, can't be written to"});
            CHECK(facility.owners().size() == 1);
        }
        CHECK(read_file(facility.file()) == before);
    }
}

TEST_CASE("A copy of the file and its log, without the log's index, can be read") {
    const Facility facility;
    sqlite3* reader = nullptr;
    REQUIRE(sqlite3_open(facility.file().c_str(), &reader) == SQLITE_OK);
    REQUIRE(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM snapshot", nullptr, nullptr,
                         nullptr) == SQLITE_OK);
    facility.ingest("second", "2025-03-02");
    const Facility copy;
    for (const char* const beside : {"", "-wal"}) {
        fs::copy_file(facility.file(beside), copy.file(beside),
                      fs::copy_options::overwrite_existing);
    }
    sqlite3_close(reader);
    REQUIRE(fs::file_size(copy.file("-wal")) > 0);
    fs::remove(copy.file("-shm"));
    copy.let_others(fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                        fs::perms::others_exec,
                    readable);
    check_counts(copy.run_as_other(count_specs), "2100");
    CHECK_FALSE(fs::exists(copy.file("-shm")));
}

TEST_CASE("A ledger without its log can be read through a symbolic link") {
    const Facility facility;
    facility.remove_log();
    fs::create_directory(facility.bench.file("links"));
    fs::permissions(facility.bench.file("links"), fs::perms::all);
    const std::string link = facility.bench.file("links/ledger.db");
    fs::create_symlink(facility.file(), link);
    Words command = count_specs;
    command.insert(command.end(), {"--db", link});
    Surroundings surroundings;
    surroundings.unprivileged = true;
    check_counts(facility.bench.start(command, surroundings)->wait(), "100");
}

TEST_CASE("Who has no room for a copy is told what to do") {
    const Facility facility;
    facility.remove_log();
    facility.let_others(fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                            fs::perms::others_exec,
                        readable);
    Surroundings surroundings;
    surroundings.environment = {{"TMPDIR", facility.bench.file("no-such-folder")}};
    const Run run = done(facility.start_as_other(count_specs, surroundings)->wait(), 4);
    CHECK(run.errors() ==
          Words{"cacheledger: " + facility.file().string() +
                ": its log is not there, and a copy to read from can't be made (No such "
                "file or directory); set TMPDIR to a folder with room for it, or let the "
                "database's owner run any command, which makes the log"});
}

TEST_CASE("What is wrong with a ledger is told by its own name, be it read from a copy") {
    const Facility facility;
    const std::string name = facility.file();
    facility.remove_log();
    std::string content = read_file(name);
    const auto problem = [&] {
        const Run run = facility.run_as_other(count_specs);
        CHECK(run.status == 4);
        CHECK(run.errors().size() == 1);
        return run.err;
    };
    use(name, "PRAGMA user_version = 99");
    REQUIRE_FALSE(facility.has_log());
    CHECK(contains(problem(), "cacheledger: " + name + ": written by a newer"));
    std::fill(content.begin() + 8192, content.end(), 'x');
    facility.bench.write("ledger/cacheledger.db", content);
    CHECK(contains(problem(), "cacheledger: " + name + ": the database is damaged ("));
}

TEST_CASE("Who shares a ledger by its group shares the log, whoever made it") {
    constexpr unsigned group = 4242;
    const Facility facility;
    if (geteuid() != 0) {
        WARN("only root can make a user of another group");
        return;
    }
    REQUIRE(chown(facility.file().c_str(), geteuid(), group) == 0);
    REQUIRE(chown(facility.bench.file("ledger").c_str(), geteuid(), group) == 0);
    fs::permissions(facility.bench.file("ledger"), fs::perms::group_write, fs::perm_options::add);
    fs::permissions(facility.file(), fs::perms::group_write, fs::perm_options::add);
    Surroundings surroundings;
    surroundings.groups = {group};
    const Words command{"ingest", "second", "--taken-at", "2025-03-02"};

    const Run before = done(facility.start_as_other(command, surroundings)->wait(),
                            4);  // the log was made when the group could not write
    CHECK(before.errors() == Words{"cacheledger: " + facility.file("-wal").string() +
                                   ": can't be written to; give it the owner, group and "
                                   "permissions of " +
                                   facility.file().string()});

    facility.remove_log();
    done(facility.start_as_other(command, surroundings)->wait());
    for (const char* const beside : {"-wal", "-shm"}) {
        struct stat status {};
        REQUIRE(stat(facility.file(beside).c_str(), &status) == 0);
        CHECK(status.st_gid == group);
        CHECK((status.st_mode & S_IWGRP) != 0);
    }
}

}  // namespace missing_log_test
