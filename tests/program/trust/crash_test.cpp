#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace crash_test {

// What is left of a ledger whose writer is killed, or whose disk fails, at any moment: the state
// before or the state after, and a run that can be repeated. CACHELEDGER_TRIALS=1000 tries more
// moments than the few that there is time for each day.
using namespace program;

namespace fs = std::filesystem;

namespace {

constexpr const char* database = "cacheledger.db";

int trials() {
    const char* const text = std::getenv("CACHELEDGER_TRIALS");
    return text == nullptr ? 6 : std::atoi(text);
}

/// The page of a package on the i-th day: each day it has other specs, but for two thirds.
std::string page_on_day(const std::string& package, int day, const std::string& tag) {
    std::vector<Entry> entries;
    for (int spec = 0; spec < 30; ++spec) {
        std::string hash = package + std::string(32 - package.size(), 'a');
        int rest = day * 10 + spec;
        for (std::size_t digit = 31; digit > 28; --digit, rest /= 26) {
            hash[digit] = static_cast<char>('a' + rest % 26);
        }
        entries.push_back(entry());
        entries.back()["hash"] = json_text(hash);
    }
    return page(package, details(entries), tag);
}

const Words packages{"cmake", "hdf", "hwloc", "mpich", "openmpi", "petsc", "zlib"};

void write_pages(const Workbench& bench, const std::string& folder, int day) {
    for (const std::string& package : packages) {
        bench.write(folder + "/" + package + ".md", page_on_day(package, day, "develop"));
    }
    bench.write(folder + "/dated.md", page_on_day("dated", day, "develop-2025-04-01"));
}

/// Something that the program does to a ledger, and the states between which it takes it.
struct Deed {
    std::function<void(const Workbench&)> prepare;
    Words command;
    bool in_steps = false;  ///< what is left may be in between, with some of the new snapshots
    int status_again = 0;   ///< of the command, where it is done already
    /// What else must be there. Its argument: whether the deed was done once more.
    std::function<void(const Workbench&, bool)> check_more = {};
};

Deed ingest_deed() {
    return {[](const Workbench& bench) {
                write_pages(bench, "first", 1);
                write_pages(bench, "second", 2);
                fs::remove(bench.file("second/dated.md"));
                REQUIRE(bench.run({"ingest", "first", "--taken-at", "2025-03-01"}).status == 0);
            },
            {"ingest", "second", "--taken-at", "2025-03-02"}};
}

Deed first_ingest_deed() {
    return {[](const Workbench& bench) { write_pages(bench, "first", 1); },
            {"ingest", "first", "--taken-at", "2025-03-01"}};
}

Deed replace_deed() {
    Deed deed = ingest_deed();
    deed.command = {"ingest", "second", "--taken-at", "2025-03-01", "--replace"};
    return deed;
}

Deed forget_deed() {
    Deed deed = ingest_deed();
    deed.prepare = [before = deed.prepare](const Workbench& bench) {
        before(bench);
        REQUIRE(bench.run({"ingest", "second", "--taken-at", "2025-03-02"}).status == 0);
    };
    deed.command = {"forget", "develop@2025-03-02"};
    deed.status_again = 2;  // there is nothing left to forget
    return deed;
}

Deed forget_many_deed() {
    Deed deed = forget_deed();
    deed.prepare = [before = deed.prepare](const Workbench& bench) {
        before(bench);
        REQUIRE(bench.run({"ingest", "first", "--taken-at", "2025-03-03"}).status == 0);
        REQUIRE(bench.run({"ingest", "second", "--taken-at", "2025-03-04"}).status == 0);
    };
    deed.command = {"forget", "--keep-last", "1"};
    deed.status_again = 0;
    return deed;
}

Deed compact_deed() {
    Deed deed = forget_many_deed();
    deed.prepare = [before = deed.prepare](const Workbench& bench) {
        before(bench);
        REQUIRE(bench.run({"forget", "--keep-last", "1"}).status == 0);
    };
    deed.command = {"compact"};
    return deed;
}

/// The backup is whole at any moment: the earlier one, or this. What was left beside it is removed.
void check_copy(const Workbench& bench, const std::string& copy, bool is_done) {
    CHECK(bench.run({"--db", copy, "check"}).out == "ok\n");
    const auto snapshots = [&](const std::string& ledger) {
        return bench.run({"--db", ledger, "snapshots", "--format", "csv"}).out;
    };
    const std::string now = snapshots(copy);
    if (is_done) {
        CHECK(now == snapshots(database));
        for (const auto& entry : fs::directory_iterator(bench.folder())) {
            CHECK_FALSE(contains(entry.path().filename(), ".cacheledger."));
        }
    } else if (now != snapshots(database)) {
        CHECK(lines_of(now).size() == 3);
    }
}

Deed backup_deed() {
    constexpr const char* copy = "copy-of-cacheledger.db";
    Deed deed = ingest_deed();
    deed.prepare = [before = deed.prepare](const Workbench& bench) {
        before(bench);
        REQUIRE(bench.run({"backup", copy}).status == 0);
        REQUIRE(bench.run({"ingest", "second", "--taken-at", "2025-03-02"}).status == 0);
    };
    deed.command = {"backup", copy};
    deed.check_more = [](const Workbench& bench, bool is_done) {
        check_copy(bench, copy, is_done);
    };
    return deed;
}

Deed history_deed() {
    return {[](const Workbench& bench) {
                constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z
                git_fixture::Repository repository(bench.file("repository"));
                for (int day = 0; day < 8; ++day) {
                    for (const std::string& package : packages) {
                        repository.write("_cache/develop/" + package + "/specs.md",
                                         page_on_day(package, day, "develop"));
                    }
                    repository.commit(first_time + day * 86400);
                }
            },
            {"ingest", "--history", "repository"},
            true};
}

// Not with CHECK(a == b), which would print thousands of rows.
bool is_same(const Words& one, const Words& other) {
    return one == other;
}

/// One deed, done undisturbed once, and then in copies of what there was before.
class Trial {
  public:
    explicit Trial(Deed deed) : deed_(std::move(deed)) {
        deed_.prepare(before_);
        if (before_.has(database)) {
            content_before_ = before_.content();
        }
        start_over();
        const auto begin = std::chrono::steady_clock::now();
        REQUIRE(bench_.run(deed_.command).status == 0);
        duration_ = std::chrono::steady_clock::now() - begin;
        content_after_ = bench_.content();
    }

    std::chrono::duration<double> duration() const { return duration_; }

    /// Starts the program on a fresh copy, with these variables.
    std::unique_ptr<Process> start(const std::map<std::string, std::string>& environment = {}) {
        start_over();
        Surroundings surroundings;
        surroundings.environment = environment;
        return bench_.start(deed_.command, surroundings);
    }

    /// How often the undisturbed deed writes.
    int writes() {
        const std::string file = bench_.file("writes").string();
        start({{"LD_PRELOAD", paths::faults},
               {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"},
               {"CACHELEDGER_FAULT_COUNT", file}})
            ->wait();
        return std::stoi(bench_.read("writes"));
    }

    Run run_with_fault(const std::string& fault, int at) {
        return start({{"LD_PRELOAD", paths::faults},
                      {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"},
                      {"CACHELEDGER_FAULT", fault},
                      {"CACHELEDGER_FAULT_AT", std::to_string(at)}})
            ->wait();
    }

    /// What is left must be sound and whole, and the deed done again must end as the undisturbed.
    /// `done`: whether the program said that it was done, or failed; nothing where it was killed.
    void check_what_is_left(std::optional<bool> done) {
        const Words left = content_left();
        if (done && *done) {
            CHECK(is_same(left, content_after_));
        } else if (deed_.in_steps) {
            CHECK((left == content_before_ ||
                   std::includes(content_after_.begin(), content_after_.end(), left.begin(),
                                 left.end())));
        } else if (done) {
            CHECK(is_same(left, content_before_));
        } else {
            CHECK((left == content_before_ || left == content_after_));
        }
        if (deed_.check_more) {
            deed_.check_more(bench_, false);
        }
        check_run(bench_.run(deed_.command),
                  {.status = (left == content_after_ ? deed_.status_again : 0)});
        if (deed_.check_more) {
            deed_.check_more(bench_, true);
        }
        CHECK(is_same(bench_.content(), content_after_));
        CHECK(bench_.run({"check"}).out == "ok\n");
    }

  private:
    void start_over() {
        for (const auto& entry : fs::directory_iterator(bench_.folder())) {
            fs::remove_all(entry.path());
        }
        fs::copy(before_.folder(), bench_.folder(), fs::copy_options::recursive);
    }

    // Nothing where the tables are not there yet.
    Words content_left() {
        const Run check = bench_.run({"check"});
        INFO(check);
        if (content_before_.empty() && check.status == 4) {
            CHECK((contains(check.err, "no such database") || contains(check.err, "empty")));
            return {};
        }
        CHECK(check.out == "ok\n");
        return bench_.content();
    }

    Deed deed_;
    Workbench before_;
    Workbench bench_;
    std::chrono::duration<double> duration_{};
    Words content_before_;
    Words content_after_;
};

unsigned new_seed() {
    const char* const text = std::getenv("CACHELEDGER_SEED");
    return text == nullptr ? std::random_device()() : static_cast<unsigned>(std::atol(text));
}

void check_kills_at_any_time(const Deed& deed) {
    Trial trial(deed);
    const unsigned seed = new_seed();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> moment(0, 1.1);
    for (int i = 0; i < trials(); ++i) {
        const auto time = trial.duration() * moment(random);
        INFO("CACHELEDGER_SEED=" << seed << ", killed after " << time.count() << " s");
        const auto process = trial.start();
        std::this_thread::sleep_for(time);
        process->signal(SIGKILL);
        const int status = process->wait().status;
        CHECK((status == 0 || status == 128 + SIGKILL));
        trial.check_what_is_left(status == 0 ? std::optional(true) : std::nullopt);
    }
}

// The writes to be tried: evenly spread, the first and the last among them.
std::set<int> chosen_writes(int writes) {
    std::set<int> chosen;
    for (int i = 0; i < trials(); ++i) {
        chosen.insert(1 + static_cast<int>(static_cast<long>(writes - 1) * i / (trials() - 1)));
    }
    return chosen;
}

void check_kills_at_writes(const Deed& deed, const std::string& fault) {
    Trial trial(deed);
    const int writes = trial.writes();
    REQUIRE(writes > 10);
    for (const int at : chosen_writes(writes)) {
        INFO(fault << " at write " << at << " of " << writes);
        const Run run = trial.run_with_fault(fault, at);
        CHECK(run.status == 128 + SIGKILL);
        trial.check_what_is_left(std::nullopt);
    }
}

void check_failing_writes(const Deed& deed, const std::string& fault) {
    Trial trial(deed);
    const int writes = trial.writes();
    for (const int at : chosen_writes(writes)) {
        INFO(fault << " at write " << at << " of " << writes);
        const Run run = trial.run_with_fault(fault, at);
        INFO(run);
        CHECK((run.status == 0 || run.status == 4));
        if (run.status == 4) {
            CHECK(contains(run.err, database));
            CHECK(run.errors().size() == 1);
        }
        trial.check_what_is_left(run.status == 0);
    }
}

const std::vector<std::pair<std::string, std::function<Deed()>>> deeds{
    {"first ingest", first_ingest_deed}, {"ingest", ingest_deed},
    {"replace", replace_deed},           {"forget", forget_deed},
    {"history", history_deed},           {"forget many", forget_many_deed},
    {"compact", compact_deed},           {"backup", backup_deed},
};

}  // namespace

TEST_CASE("Killed at any time, the ledger is whole and the run can be repeated") {
    for (const auto& [name, deed] : deeds) {
        SECTION(name) {
            check_kills_at_any_time(deed());
        }
    }
}

TEST_CASE("Killed at any write, the ledger is whole and the run can be repeated") {
    for (const auto& [name, deed] : deeds) {
        SECTION(name) {
            check_kills_at_writes(deed(), "kill");
        }
        SECTION(name + ", half written") {
            check_kills_at_writes(deed(), "torn");
        }
    }
}

TEST_CASE("With a full disk, the ledger stays as it was") {
    for (const auto& [name, deed] : deeds) {
        SECTION(name) {
            check_failing_writes(deed(), "full");
        }
    }
}

TEST_CASE("With a write that fails, the ledger stays as it was") {
    for (const auto& [name, deed] : deeds) {
        SECTION(name) {
            check_failing_writes(deed(), "error");
        }
    }
}

}  // namespace crash_test
