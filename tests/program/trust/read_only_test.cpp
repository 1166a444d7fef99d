#include <csignal>
#include <filesystem>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace read_only_test {

// A ledger that a facility keeps for users who may read it, and no more.
using namespace program;

namespace fs = std::filesystem;

namespace {

Run run_unprivileged(const Workbench& bench, const Words& command) {
    Surroundings surroundings;
    surroundings.unprivileged = true;
    return bench.start(command, surroundings)->wait();
}

/// What others may do with the folder and all that is in it.
void let_others(const Workbench& bench, fs::perms others) {
    const auto own = fs::perms::owner_all;
    fs::permissions(bench.folder(), own | fs::perms::others_exec | others);
    for (const auto& entry : fs::recursive_directory_iterator(bench.folder())) {
        if (!entry.is_symlink()) {
            fs::permissions(entry.path(), own | fs::perms::others_exec | others);
        }
    }
}

/// The owner neither, so that the test says the same where it is not run by root.
void let_nobody_write(const Workbench& bench) {
    fs::permissions(bench.folder(), fs::perms::owner_read | fs::perms::owner_exec |
                                        fs::perms::others_read | fs::perms::others_exec);
    fs::permissions(bench.file("cacheledger.db"), fs::perms::owner_read | fs::perms::others_read);
}

class Facility {
  public:
    Facility() { bench.ingest_samples(); }
    ~Facility() { fs::permissions(bench.folder(), fs::perms::owner_all); }
    Facility(const Facility&) = delete;
    Facility& operator=(const Facility&) = delete;

    Workbench bench;
};

void check_readable(const Workbench& bench) {
    for (const Words& command :
         {Words{"snapshots"}, Words{"report", "coverage/stacks"}, Words{"check"},
          Words{"diff", "develop~1", "develop"}, Words{"sql", "SELECT count(*) FROM specs"}}) {
        check_run(run_unprivileged(bench, command), {.all_err = ""});
    }
}

}  // namespace

TEST_CASE("A ledger in a read-only folder can be read") {
    const Facility facility;
    let_others(facility.bench, fs::perms::others_read);
    let_nobody_write(facility.bench);
    check_readable(facility.bench);
}

TEST_CASE("A ledger's log is there from its first ingest on, for who could not make it") {
    const Workbench bench;
    bench.write("zlib.md", page("zlib", details({entry()})));
    REQUIRE(bench.run({"ingest", "zlib.md"}).status == 0);
    CHECK(bench.read("cacheledger.db-wal").empty());
    CHECK(bench.has("cacheledger.db-shm"));
}

TEST_CASE("A copy of the file alone, in a read-only folder, can be read") {
    const Facility facility;
    let_others(facility.bench, fs::perms::others_read);
    for (const char* const beside : {"cacheledger.db-wal", "cacheledger.db-shm"}) {
        fs::remove(facility.bench.file(beside));
    }
    let_nobody_write(facility.bench);
    check_readable(facility.bench);
}

TEST_CASE("A ledger whose writer is at work can be read by who may not write") {
    const Facility facility;
    let_others(facility.bench, fs::perms::others_read);
    const auto writer = facility.bench.start_until_write(
        {"ingest", "tests/data/pages/later", "--taken-at", "2025-04-01"}, 2);
    check_readable(facility.bench);
    writer->signal(SIGCONT);
    CHECK(writer->wait().status == 0);
}

TEST_CASE("Who may not write is told, and changes nothing") {
    const Facility facility;
    let_others(facility.bench, fs::perms::others_read);
    let_nobody_write(facility.bench);
    const std::string before = facility.bench.database();
    for (const Words& command :
         {Words{"ingest", "tests/data/pages/later", "--taken-at", "2025-04-01"},
          Words{"forget", "latest"}}) {
        const Run run = run_unprivileged(facility.bench, command);
        CHECK(run.status == 4);
        CHECK(run.errors() ==
              Words{"cacheledger: cacheledger.db: the file, or its folder, can't be written to"});
    }
    CHECK(facility.bench.database() == before);
}

TEST_CASE("A ledger can't be made in a read-only folder") {
    const Workbench bench;
    bench.write("zlib.md", page("zlib", details({entry()})));
    let_others(bench, fs::perms::others_read);
    fs::permissions(bench.folder(), fs::perms::owner_read | fs::perms::owner_exec |
                                        fs::perms::others_read | fs::perms::others_exec);
    const Run run = run_unprivileged(bench, {"ingest", "zlib.md"});
    fs::permissions(bench.folder(), fs::perms::owner_all);
    CHECK(run.status == 4);
    CHECK(run.errors() == Words{"cacheledger: cacheledger.db: can't be opened; does its folder "
                                "exist, and may you use it?"});
    CHECK_FALSE(bench.has("cacheledger.db"));
}

TEST_CASE("A limit of the size of files is a full disk") {
    const Facility facility;
    Surroundings surroundings;
    surroundings.largest_file = 8192;
    const Run run = done(
        facility.bench
            .start({"ingest", "tests/data/pages/earlier", "--taken-at", "2025-04-01"}, surroundings)
            ->wait(),
        4);
    CHECK(run.errors().size() == 1);
    CHECK(facility.bench.snapshots() == 2);
    CHECK(facility.bench.run({"check"}).out == "ok\n");
}

}  // namespace read_only_test
