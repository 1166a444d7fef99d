#include <chrono>
#include <csignal>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace interruption_test {

using namespace program;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z

/// The page of zlib of the i-th commit: it shares most specs with the one before.
std::string page_of_many(int i, const std::string& tag) {
    std::vector<Entry> entries;
    for (int spec = 0; spec < 60; ++spec) {
        std::string hash(32, tag == "develop" ? 'm' : 'd');
        int rest = i * 20 + spec;
        for (std::size_t digit = 0; digit < 4; ++digit, rest /= 26) {
            hash[digit] = static_cast<char>('a' + rest % 26);
        }
        entries.push_back(entry());
        entries.back()["hash"] = json_text(hash);
    }
    return page("zlib", details(entries), tag);
}

/// So many commits that a run can be ended on the way.
void fill(git_fixture::Repository& repository, int commits) {
    const std::string dated = "develop-2025-03-02";
    for (int i = 0; i < 400; ++i) {
        const std::string package = std::to_string(i) + "-package";
        repository.write("_cache/" + package + ".md", page(package, "[]"));
    }
    for (int i = 0; i < commits; ++i) {
        repository.write("_cache/develop/zlib/specs.md", page_of_many(i, "develop"));
        if (i % 20 == 0) {
            repository.write("_cache/" + dated + "/zlib/specs.md", page_of_many(i, dated));
        }
        repository.commit(first_time + i * 60);
    }
}

/// Not yet, where the tables are still being made.
bool has_snapshots(const Workbench& bench) {
    const auto run = bench.run({"sql", "SELECT 1 FROM snapshots LIMIT 1", "--format", "csv"});
    return run.status == 0 && lines_of(run.out).size() == 2;
}

}  // namespace

TEST_CASE("A history that is killed on the way goes on where it was") {
    const Workbench pages;
    git_fixture::Repository repository(pages.file("pages"));
    fill(repository, 240);
    const Workbench undisturbed;
    const Workbench killed;
    const Words load{"ingest", "--history", repository.path()};
    auto whole = std::async(std::launch::async, [&] { return undisturbed.run(load); });
    const auto kill_after = [&](std::chrono::milliseconds time) {
        const auto victim = killed.start(load);
        std::this_thread::sleep_for(time);
        victim->signal(SIGKILL);
        return victim->wait().status == 128 + SIGKILL;
    };
    CHECK(kill_after(5ms));  // while the database is made
    const auto victim = killed.start(load);
    while (victim->runs() && !has_snapshots(killed)) {
        std::this_thread::sleep_for(100ms);
    }
    // Where the machine is so fast that it has ended, what follows has nothing to do.
    victim->signal(SIGKILL);
    victim->wait();
    CHECK(has_snapshots(killed));
    kill_after(50ms);
    kill_after(200ms);
    CHECK(killed.run(load).status == 0);
    CHECK(whole.get().status == 0);
    CHECK(killed.run({"check"}).status == 0);
    CHECK((killed.content() == undisturbed.content()));
}

}  // namespace interruption_test
