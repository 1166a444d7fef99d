#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace compact_command_test {

using program::contains;
using program::Run;
using program::Words;
using program::Workbench;

namespace fs = std::filesystem;

namespace {

std::string page_of(const std::string& package, int specs) {
    std::vector<program::Entry> entries;
    for (int spec = 0; spec < specs; ++spec) {
        std::string hash(32, package[0]);
        int rest = spec;
        for (std::size_t digit = 0; digit < 4; ++digit, rest /= 26) {
            hash[digit] = static_cast<char>('a' + rest % 26);
        }
        entries.push_back(program::entry());
        entries.back()["hash"] = program::json_text(hash);
    }
    return program::page(package, program::details(entries));
}

/// A ledger of which a snapshot was removed.
void prepare(const Workbench& bench) {
    bench.write("large/zlib.md", page_of("zlib", 4000));
    bench.write("small/hdf5.md", page_of("hdf5", 20));
    REQUIRE(bench.run({"ingest", "large", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "small", "--taken-at", "2025-01-02"}).status == 0);
    REQUIRE(bench.run({"forget", "develop~1"}).status == 0);
}

/// Another program that has the ledger open.
class Stranger {
  public:
    explicit Stranger(const Workbench& bench) {
        REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &handle_) == SQLITE_OK);
    }
    ~Stranger() { sqlite3_close(handle_); }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;

    void run(const char* sql) {
        REQUIRE(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    }

  private:
    sqlite3* handle_ = nullptr;
};

std::uintmax_t bytes(const Workbench& bench) {
    return fs::file_size(bench.file("cacheledger.db"));
}

/// The states of the ledger, and the ids of other rows.
Words states_and_ids(const Workbench& bench) {
    Words rows = bench.query(
        "SELECT json_array(state_id, token) FROM ledger_state UNION ALL "
        "SELECT json_array('spec', spec_id, hash) FROM spec UNION ALL "
        "SELECT json_array('snapshot', snapshot_id, name) FROM snapshot UNION ALL "
        "SELECT json_array('page', page_id, hex(digest)) FROM page");
    return rows;
}

}  // namespace

TEST_CASE("compact gives the bytes of what was removed back to the disk") {
    const Workbench bench;
    prepare(bench);
    const Words content = bench.content();
    const Words states = states_and_ids(bench);
    const std::uintmax_t before = bytes(bench);
    const Run run = bench.run({"compact"});
    INFO(run);
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    CHECK(contains(run.out, "compacted cacheledger.db: "));
    CHECK(bytes(bench) * 2 < before);
    CHECK(bench.read("cacheledger.db-wal").empty());
    CHECK(bench.content() == content);
    CHECK(states_and_ids(bench) == states);
    CHECK(bench.run({"check"}).out == "ok\n");
    const std::uintmax_t small = bytes(bench);
    CHECK(bench.run({"compact"}).status == 0);
    CHECK(bytes(bench) == small);
}

TEST_CASE("The program depends on no row number that compact may change") {
    const Workbench bench;
    prepare(bench);
    // VACUUM keeps the numbers of rows that a column names, and there are none WITHOUT ROWID.
    CHECK(bench.query("SELECT t.name FROM pragma_table_list t WHERE t.schema = 'main' "
                      "AND t.type = 'table' AND t.wr = 0 AND t.name NOT LIKE 'sqlite%' "
                      "AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) c "
                      "WHERE c.pk = 1 AND c.type = 'INTEGER')") == Words{});
}

TEST_CASE("compact of a ledger that somebody reads or writes changes nothing, and says who does") {
    const Workbench bench;
    prepare(bench);
    const std::uintmax_t before = bytes(bench);
    for (const char* const begin : {"BEGIN; SELECT count(*) FROM spec", "BEGIN IMMEDIATE"}) {
        Stranger stranger(bench);
        stranger.run(begin);
        const Run run = bench.run({"compact"});
        INFO(run);
        CHECK(run.status == 4);
        REQUIRE(run.errors().size() == 1);
        CHECK(contains(run.err, "cacheledger.db: in use by "));
        CHECK(contains(run.err, "process " + std::to_string(getpid())));
        CHECK(bytes(bench) == before);
        CHECK(bench.run({"check"}).out == "ok\n");
    }
    {
        Stranger idle(bench);
        idle.run("SELECT count(*) FROM spec");
        CHECK(bench.run({"compact"}).status == 0);
    }
    CHECK(bytes(bench) < before);
}

TEST_CASE("Who begins to read while the ledger is compacted is not held up") {
    const Workbench bench;
    prepare(bench);
    const Words content = bench.content();
    const auto compacting = bench.start_until_write({"compact"}, 30);
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Stranger> reader(std::in_place, bench);
    reader->run("BEGIN; SELECT count(*) FROM spec");
    CHECK(bench.content() == content);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(3));
    compacting->signal(SIGCONT);
    const Run run = compacting->wait();
    INFO(run);
    CHECK(run.status == 4);
    CHECK(run.errors().size() == 1);
    CHECK(contains(run.err, "compacted, but "));
    CHECK(contains(run.err, "process " + std::to_string(getpid())));
    const std::uintmax_t before = bytes(bench);
    reader.reset();
    CHECK(bench.content() == content);
    REQUIRE(bench.run({"ingest", "small", "--taken-at", "2025-01-03"}).status == 0);
    CHECK(bytes(bench) * 2 < before);
    CHECK(bench.read("cacheledger.db-wal").empty());
    CHECK(bench.run({"check"}).out == "ok\n");
}

TEST_CASE("compact of no ledger is an error") {
    const Workbench bench;
    CHECK(bench.run({"compact"}).status == 4);
    bench.write("cacheledger.db", "");
    const Run empty = bench.run({"compact"});
    CHECK(empty.status == 4);
    CHECK(contains(empty.err, "empty"));
    bench.write("cacheledger.db", "no database");
    CHECK(bench.run({"compact"}).status == 4);
    CHECK(bench.run({"compact", "word"}).status == 2);
}

TEST_CASE("compact of a ledger without snapshots works") {
    const Workbench bench;
    prepare(bench);
    REQUIRE(bench.run({"forget", "latest"}).status == 0);
    CHECK(bench.run({"compact"}).status == 0);
    CHECK(bench.run({"check"}).out == "ok\n");
}

}  // namespace compact_command_test
