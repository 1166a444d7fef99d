#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "reports/engine/server/connection.hpp"
#include "tests/reports/postgresql/lying_server.hpp"
#include "tests/reports/postgresql/published_tables.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace publish_command_test {

using namespace cacheledger;
using program::contains;

namespace {

int trials() {
    const char* const text = std::getenv("CACHELEDGER_TRIALS");
    return text == nullptr ? 12 : std::atoi(text);
}

/// Packages of many specs, of which every day has others: a publish takes a while.
void write_day(const program::Workbench& bench, int day) {
    for (const char package : std::string("abcdefgh")) {
        std::vector<program::Entry> entries;
        for (int spec = 0; spec < 400; ++spec) {
            std::string hash(32, package);
            int rest = spec + day * 40;
            for (std::size_t digit = 31; digit > 27; --digit, rest /= 26) {
                hash[digit] = static_cast<char>('a' + rest % 26);
            }
            entries.push_back(program::entry());
            entries.back()["hash"] = program::json_text(hash);
        }
        bench.write(fmt::format("day/{}.md", package),
                    program::page(std::string(1, package), program::details(entries)));
    }
    REQUIRE(bench.run({"ingest", "day", "--taken-at", fmt::format("2025-03-{:02}", day)}).status ==
            0);
}

program::Words publish_command(const std::string& url) {
    return {"publish", url, "--ledger", "site"};
}

constexpr const char* pulled = "pulled.db";

program::Words pull_command(const std::string& url) {
    return {"pull", url, "--ledger", "site", pulled};
}

/// The rows of the ledger, or of the file that was pulled.
program::Words rows_of(const program::Workbench& bench, const std::string& file) {
    const auto run = bench.run({"--db", file, "sql", "--format", "csv",
                                "SELECT snapshot, hash FROM specs ORDER BY snapshot, hash"});
    INFO(run);
    REQUIRE(run.status == 0);
    return program::lines_of(run.out);
}

/// How many specs each published snapshot has, by its own count and by presence. Equal in a state
/// that is whole.
std::string state_of(PostgresConnection& connection) {
    return value_of(
        connection,
        "SELECT string_agg(s.name || ' ' || s.specs || ' ' || (SELECT count(*) FROM \"site "
        "tables\".presence p JOIN \"site tables\".spec USING (spec_id) WHERE p.series_id = "
        "s.series_id AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > "
        "s.taken_at)), ', ' ORDER BY s.taken_at) FROM \"site tables\".snapshot s");
}

std::string whole_state(int days) {
    std::string state;
    for (int day = 1; day <= days; ++day) {
        state +=
            fmt::format("{}develop@2025-03-{:02}T00:00:00Z 3200 3200", day == 1 ? "" : ", ", day);
    }
    return state;
}

}  // namespace

#define DATABASE_OR_RETURN                                   \
    const auto* const server = postgresql_fixture::server(); \
    if (server == nullptr) {                                 \
        return;                                              \
    }                                                        \
    const std::string url = postgresql_fixture::new_database(*server)

TEST_CASE("The command says what it published, checks it, and drops it") {
    DATABASE_OR_RETURN;
    const program::Workbench bench;
    write_day(bench, 1);
    auto run = bench.run(publish_command(url));
    CHECK(run.status == 0);
    CHECK(contains(run.out, "published site: "));
    write_day(bench, 2);
    program::Words dry_run = publish_command(url);
    dry_run.insert(dry_run.end(), {"--dry-run", "--format", "csv"});
    run = bench.run(dry_run);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "table,inserted,updated,deleted\n"));
    CHECK(contains(run.out, "\nsnapshot,1,0,0\n"));
    program::Words check = publish_command(url);
    check.emplace_back("--check");
    CHECK(bench.run(check).status == 1);
    run = bench.run(publish_command(url));
    CHECK(contains(run.out, "published site (all rows were compared): "));
    CHECK(bench.run(publish_command(url)).out == "nothing to publish: site has this state\n");
    program::Words resync = publish_command(url);
    resync.emplace_back("--resync");
    CHECK(bench.run(resync).out ==
          "nothing to publish: site has this state (all rows were compared)\n");
    CHECK(bench.run(check).status == 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    write_day(bench, 2);  // the same again
    CHECK(bench.run(check).status == 1);
    CHECK(contains(bench.run(publish_command(url)).out,
                   "published site: 0 rows inserted, 1 updated"));
    CHECK(bench.run(check).status == 0);
    CHECK(bench.run(publish_command(url)).out == "nothing to publish: site has this state\n");
    program::Words drop = publish_command(url);
    drop.emplace_back("--drop");
    CHECK(bench.run(drop).out == "removed site\n");
    CHECK(bench.run(drop).status == 2);
    CHECK(bench.run({"publish", url}).status == 2);
    CHECK(bench.run({"publish", "x.db", "--ledger", "site"}).status == 2);
    CHECK(
        bench.run({"publish", "postgresql://me:secret@127.0.0.1:1/x", "--ledger", "site"}).status ==
        4);
}

TEST_CASE("A publish that is killed leaves the state before it, and the next one completes") {
    DATABASE_OR_RETURN;
    const program::Workbench bench;
    std::mt19937 random(std::random_device{}());
    write_day(bench, 1);
    PostgresConnection reader(url);
    bool is_published = false;
    for (int trial = 0, day = 1; trial < trials(); ++trial) {
        const auto process = bench.start(publish_command(url));
        std::this_thread::sleep_for(std::chrono::milliseconds(
            std::uniform_int_distribution<int>(10, is_published ? 120 : 400)(random)));
        process->signal(SIGKILL);
        process->wait();
        if (is_published) {
            const std::string state = state_of(reader);
            CHECK((state == whole_state(day) || state == whole_state(day - 1)));
        }
        if (trial % 3 == 2) {
            CHECK(bench.run(publish_command(url)).status == 0);
            CHECK(state_of(reader) == whole_state(day));
            is_published = true;
            write_day(bench, ++day);
        }
    }
}

TEST_CASE("Two that publish at once both end well") {
    DATABASE_OR_RETURN;
    const program::Workbench bench;
    PostgresConnection reader(url);
    for (int day = 1; day <= 3; ++day) {
        write_day(bench, day);
        const auto one = bench.start(publish_command(url));
        const auto other = bench.start(publish_command(url));
        const auto first = one->wait();
        const auto second = other->wait();
        INFO(first << second);
        CHECK(first.status == 0);
        CHECK(second.status == 0);
        CHECK(contains(first.out + second.out, "nothing to publish"));
        CHECK(state_of(reader) == whole_state(day));
    }
}

TEST_CASE("A pull that is killed leaves the file before it, and the next one completes") {
    DATABASE_OR_RETURN;
    const program::Workbench bench;
    const auto seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    program::Words before;
    for (int day = 1; day <= 3; ++day) {
        write_day(bench, day);
        REQUIRE(bench.run(publish_command(url)).status == 0);
        const auto now = rows_of(bench, "cacheledger.db");
        for (int trial = 0; trial < trials() / 3; ++trial) {
            const auto process = bench.start(pull_command(url));
            std::this_thread::sleep_for(std::chrono::milliseconds(
                std::uniform_int_distribution<int>(10, day == 1 ? 400 : 200)(random)));
            process->signal(SIGKILL);
            process->wait();
            if (bench.has(pulled)) {
                const auto rows = rows_of(bench, pulled);
                CHECK((rows == before || rows == now));
            } else {
                CHECK(before.empty());
            }
        }
        REQUIRE(bench.run(pull_command(url)).status == 0);
        CHECK((rows_of(bench, pulled) == now));
        CHECK(bench.run({"--db", pulled, "check"}).status == 0);
        before = now;
    }
}

TEST_CASE("What a database of before left beside its place is not taken for the pulled one's") {
    DATABASE_OR_RETURN;
    const program::Workbench bench;
    write_day(bench, 1);
    REQUIRE(bench.run(publish_command(url)).status == 0);
    REQUIRE(bench.run(pull_command(url)).status == 0);
    const std::string log = std::string(pulled) + "-wal";
    {
        SQLite::Database before(bench.file(pulled), SQLite::OPEN_READWRITE);
        before.exec("PRAGMA wal_autocheckpoint = 0; DELETE FROM presence; DELETE FROM spec");
        std::filesystem::copy_file(bench.file(log), bench.file("kept"));
    }
    std::filesystem::remove(bench.file(pulled));
    std::filesystem::rename(bench.file("kept"), bench.file(log));
    REQUIRE(bench.run(pull_command(url)).status == 0);
    CHECK(bench.run({"--db", pulled, "check"}).status == 0);
    CHECK((rows_of(bench, pulled) == rows_of(bench, "cacheledger.db")));
}

TEST_CASE("Two that pull at once both end well") {
    DATABASE_OR_RETURN;
    const program::Workbench bench;
    for (int day = 1; day <= 3; ++day) {
        write_day(bench, day);
        REQUIRE(bench.run(publish_command(url)).status == 0);
        const auto one = bench.start(pull_command(url));
        const auto other = bench.start(pull_command(url));
        const program::Words question = {"snapshots", "--db", url, "--ledger", "site"};
        const auto asked = bench.start(question);
        const auto asked_too = bench.start(question);
        for (const auto* const process : {&one, &other, &asked, &asked_too}) {
            const auto run = (*process)->wait();
            INFO(run);
            CHECK(run.status == 0);
        }
        CHECK((rows_of(bench, pulled) == rows_of(bench, "cacheledger.db")));
        CHECK(bench.run(question).out == bench.run({"snapshots"}).out);
    }
}

TEST_CASE("Who reads all the time sees whole states, and never waits") {
    DATABASE_OR_RETURN;
    const program::Workbench bench;
    write_day(bench, 1);
    REQUIRE(bench.run(publish_command(url)).status == 0);
    std::atomic<bool> is_over = false;
    std::vector<std::string> seen;
    std::thread polling([&] {
        PostgresConnection reader(url);
        reader.run("SET lock_timeout = '100ms'");
        while (!is_over) {
            const std::string state = state_of(reader);
            if (seen.empty() || seen.back() != state) {
                seen.push_back(state);
            }
        }
    });
    for (int day = 2; day <= 4; ++day) {
        write_day(bench, day);
        CHECK(bench.run(publish_command(url)).status == 0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    is_over = true;
    polling.join();
    REQUIRE(seen.size() == 4);
    for (int day = 1; day <= 4; ++day) {
        CHECK(seen[static_cast<std::size_t>(day - 1)] == whole_state(day));
    }
}

TEST_CASE("A command is left by one signal, whatever the server does") {
    const program::Workbench bench;
    write_day(bench, 1);
    using namespace postgresql_fixture;
    for (const LyingServer::Answer& answer :
         std::vector<LyingServer::Answer>{{}, {"", message('N', std::string("MHello\0\0", 8))}}) {
        const LyingServer server(answer);
        for (const program::Words& words :
             {publish_command(server.url()), pull_command(server.url()),
              program::Words{"--db", server.url(), "--ledger", "site", "specs", "zlib"}}) {
            const auto process = bench.start(words);
            std::this_thread::sleep_for(std::chrono::milliseconds(500));
            const auto begin = std::chrono::steady_clock::now();
            process->signal(SIGTERM);
            const auto run = process->wait();
            INFO(run);
            CHECK(run.status == 128 + SIGTERM);
            CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(8));
        }
    }
}

}  // namespace publish_command_test
