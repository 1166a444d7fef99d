#include <sqlite3.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <future>
#include <iomanip>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace concurrency_test {

// Several processes and one ledger: who reads is never kept waiting by who writes, and of those who
// write one does so at a time.
using namespace program;
using namespace std::chrono_literals;

namespace {

/// Two states of the cache, the first of them in the ledger.
void prepare(const Workbench& bench) {
    bench.write("first/zlib.md", page_of_specs("zlib", 100));
    bench.write("second/zlib.md", page_of_specs("zlib", 2000));
    bench.write("third/hdf5.md", page_of_specs("hdf5", 500, 5000));
    REQUIRE(bench.run({"ingest", "first", "--taken-at", "2025-03-01"}).status == 0);
}

const Words ingest_second{"ingest", "second", "--taken-at", "2025-03-02"};
const Words ingest_third{"ingest", "third", "--taken-at", "2025-03-03"};

/// Any program that has the ledger open, in a transaction.
class Connection {
  public:
    explicit Connection(const Workbench& bench) {
        REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &handle_) == SQLITE_OK);
    }
    ~Connection() { sqlite3_close(handle_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void run(const char* sql) {
        REQUIRE(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    }

    std::string value(const char* sql) {
        std::string value;
        const auto take = [](void* to, int, char** values, char**) {
            *static_cast<std::string*>(to) = values[0];
            return 0;
        };
        REQUIRE(sqlite3_exec(handle_, sql, take, &value, nullptr) == SQLITE_OK);
        return value;
    }

  private:
    sqlite3* handle_ = nullptr;
};

std::string moment(std::time_t seconds) {
    std::ostringstream text;
    text << std::put_time(std::gmtime(&seconds), "%Y-%m-%dT%H:%M:%SZ");
    return text.str();
}

void check_sound(const Workbench& bench) {
    CHECK(bench.run({"check"}).out == "ok\n");
}

}  // namespace

TEST_CASE("Who reads keeps the state that it began with, and keeps nobody from writing") {
    const Filled<Workbench, prepare> bench;
    Connection reader(bench);
    reader.run("BEGIN");
    CHECK(reader.value("SELECT count(*) FROM specs") == "100");
    CHECK(bench.run(ingest_second).status == 0);
    CHECK(bench.run({"forget", "develop@2025-03-01"}).status == 0);
    CHECK(reader.value("SELECT count(*) FROM specs") == "100");
    CHECK(bench.query("SELECT count(*) FROM specs") == Words{"2000"});
    reader.run("END");
    CHECK(reader.value("SELECT count(*) FROM specs") == "2000");
    check_sound(bench);
}

TEST_CASE("Who reads is not kept waiting by an ingest, wherever that is") {
    const Filled<Workbench, prepare> bench;
    for (const int at : {1, 3, 10}) {
        const auto writer = bench.start_until_write(ingest_second, at);
        const auto begin = std::chrono::steady_clock::now();
        for (const Words& command :
             {Words{"snapshots"}, Words{"report", "coverage/packages"}, Words{"check"},
              Words{"diff", "latest", "latest"}, Words{"sql", "SELECT count(*) FROM specs"}}) {
            done(bench.run(command));
        }
        CHECK(std::chrono::steady_clock::now() - begin < 4s);  // less than the wait for a lock
        CHECK(bench.snapshots() == 1);
        writer->signal(SIGKILL);
        writer->wait();
    }
    CHECK(bench.run(ingest_second).status == 0);
    check_sound(bench);
}

TEST_CASE("A second writer waits a while, and says who has the lock") {
    const Filled<Workbench, prepare> bench;
    const auto first = bench.start_until_write(ingest_second, 1);
    const std::string before = bench.database();
    auto forget = std::async([&] { return bench.run({"forget", "latest"}); });
    const auto begin = std::chrono::steady_clock::now();
    const Run second = bench.run(ingest_third);
    const auto waited = std::chrono::steady_clock::now() - begin;
    INFO(second);
    CHECK(second.status == 4);
    CHECK(waited > 4s);
    CHECK(waited < 15s);
    const std::string problem = "cacheledger: cacheledger.db: in use by cacheledger, process " +
                                std::to_string(first->id()) +
                                "; waited 5 seconds, try again when it is done";
    CHECK(second.errors() == Words{problem});
    CHECK(forget.get().errors() == Words{problem});
    CHECK(bench.database() == before);
    first->signal(SIGCONT);
    CHECK(first->wait().status == 0);
    CHECK(bench.run(ingest_third).status == 0);
    CHECK(bench.snapshots() == 3);
    check_sound(bench);
}

TEST_CASE("A short wait is no failure") {
    const Filled<Workbench, prepare> bench;
    const auto first = bench.start_until_write(ingest_second, 1);
    const auto second = bench.start(ingest_third);
    std::this_thread::sleep_for(300ms);
    CHECK(second->runs());
    first->signal(SIGCONT);
    CHECK(first->wait().status == 0);
    CHECK(second->wait().status == 0);
    CHECK(bench.snapshots() == 3);
    check_sound(bench);
}

TEST_CASE("A run that waits for a moment of its own keeps nobody from writing") {
    const Filled<Workbench, prepare> bench;
    const std::time_t now = std::time(nullptr);
    for (int second = 0; second < 6; ++second) {
        CHECK(bench.run({"ingest", "first", "--taken-at", moment(now + second)}).status == 0);
    }
    const auto waiting = bench.start({"ingest", "third"});
    std::this_thread::sleep_for(500ms);
    const auto begin = std::chrono::steady_clock::now();
    CHECK(bench.run(ingest_second).status == 0);
    CHECK(std::chrono::steady_clock::now() - begin < 2s);
    CHECK(waiting->runs());
    CHECK(waiting->wait().status == 0);
}

TEST_CASE("Ingests that start at the same moment all end well, on a new ledger too") {
    for (int round = 0; round < 5; ++round) {
        const Workbench bench;
        std::vector<std::unique_ptr<Process>> processes;
        for (int i = 0; i < 4; ++i) {
            const std::string folder = "pages" + std::to_string(i);
            bench.write(folder + "/zlib.md", page_of_specs("zlib", 200, i * 100));
            processes.push_back(
                bench.start({"ingest", folder, "--taken-at", "2025-03-0" + std::to_string(i + 1)}));
        }
        for (const auto& process : processes) {
            done(process->wait());
        }
        CHECK(bench.query("SELECT name, specs FROM snapshots ORDER BY 1") ==
              Words{"develop@2025-03-01T00:00:00Z,200", "develop@2025-03-02T00:00:00Z,200",
                    "develop@2025-03-03T00:00:00Z,200", "develop@2025-03-04T00:00:00Z,200"});
        check_sound(bench);
    }
}

TEST_CASE("A first ingest that fails takes nothing from one that waits for it") {
    const Workbench bench;
    bench.write("bad/zlib.md", page_of_specs("zlib", 200) + "---\n");
    bench.write("bad/mpich.md", page("mpich", "[nothing"));
    bench.write("good/zlib.md", page_of_specs("zlib", 200));
    for (int round = 0; round < 10; ++round) {
        std::filesystem::remove(bench.file("cacheledger.db"));
        const auto bad = bench.start({"ingest", "bad"});
        const auto good = bench.start({"ingest", "good", "--taken-at", "2025-03-01"});
        CHECK(bad->wait().status == 3);
        const Run run = good->wait();
        INFO(run);
        if (run.status == 0) {
            CHECK(bench.snapshots() == 1);
            check_sound(bench);
        } else {
            CHECK(run.status == 4);
            CHECK(run.errors().size() == 1);
        }
    }
}

TEST_CASE("What others write between the commits of a history stays") {
    const Filled<Workbench, prepare> bench;
    {
        git_fixture::Repository repository(bench.file("repository"));
        for (int i = 0; i < 60; ++i) {
            repository.write("_cache/v1/zlib/specs.md",
                             page("zlib", details({entry(static_cast<char>('a' + i % 26))}), "v1"));
            repository.commit(1740787200 + i * 60);
        }
    }
    const auto history = bench.start({"ingest", "--history", "repository"});
    CHECK(bench.run(ingest_second).status == 0);
    CHECK(bench.run(ingest_third).status == 0);
    CHECK(history->wait().status == 0);
    CHECK(bench.snapshots() == 63);
    check_sound(bench);
}

TEST_CASE("Readers that come and go see whole snapshots only") {
    const Filled<Workbench, prepare> bench;
    std::set<std::string> seen;
    const auto writer = bench.start(ingest_second);
    while (writer->runs()) {
        seen.insert(
            lines_of(
                done(bench.run({"sql",
                                "SELECT group_concat(specs) || ' ' || (SELECT count(*) FROM specs) "
                                "FROM snapshots",
                                "--format", "csv"}))
                    .out)
                .at(1));
    }
    CHECK(writer->wait().status == 0);
    for (const std::string& state : seen) {
        CHECK((state == "100 100" || state == "\"100,2000 2100\""));
    }
}

}  // namespace concurrency_test
