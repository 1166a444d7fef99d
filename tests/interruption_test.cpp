#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "git_fixture.hpp"
#include "program.hpp"

using namespace std::chrono_literals;
using program::Words;

namespace {

constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z

/// The page of zlib of the i-th commit: it shares most specs with the one before.
std::string page_of_many(int i, const std::string& tag) {
    std::vector<program::Entry> entries;
    for (int spec = 0; spec < 60; ++spec) {
        std::string hash(32, tag == "develop" ? 'm' : 'd');
        int rest = i * 20 + spec;
        for (std::size_t digit = 0; digit < 4; ++digit, rest /= 26) {
            hash[digit] = static_cast<char>('a' + rest % 26);
        }
        entries.push_back(program::entry());
        entries.back()["hash"] = program::json_text(hash);
    }
    return program::page("zlib", program::details(entries), tag);
}

/// So many commits that a run can be ended on the way.
void fill(git_fixture::Repository& repository, int commits) {
    const std::string dated = "develop-2025-03-02";
    for (int i = 0; i < 400; ++i) {
        const std::string package = std::to_string(i) + "-package";
        repository.write("_cache/" + package + ".md", program::page(package, "[]"));
    }
    for (int i = 0; i < commits; ++i) {
        repository.write("_cache/develop/zlib/specs.md", page_of_many(i, "develop"));
        if (i % 20 == 0) {
            repository.write("_cache/" + dated + "/zlib/specs.md", page_of_many(i, dated));
        }
        repository.commit(first_time + i * 60);
    }
}

/// The program, started to be killed.
class Victim {
  public:
    Victim(const program::Workbench& bench, const Words& words) : child_(fork()) {
        if (child_ == 0) {
            const int nothing = open("/dev/null", O_WRONLY);
            if (chdir(bench.folder().c_str()) == 0 && dup2(nothing, 1) == 1 &&
                dup2(nothing, 2) == 2) {
                execl(CACHELEDGER_PROGRAM, CACHELEDGER_PROGRAM, words[0].c_str(), words[1].c_str(),
                      words[2].c_str(), static_cast<char*>(nullptr));
            }
            _exit(127);
        }
    }

    bool runs() { return !ended_ && !(ended_ = waitpid(child_, &status_, WNOHANG) != 0); }

    /// Whether it was killed, and had not ended before.
    bool kill() {
        if (!ended_) {
            ::kill(child_, SIGKILL);
            waitpid(child_, &status_, 0);
        }
        ended_ = true;
        return WIFSIGNALED(status_);
    }

  private:
    pid_t child_;
    bool ended_ = false;
    int status_ = 0;
};

/// Not yet, where the tables are still being made.
bool has_snapshots(const program::Workbench& bench) {
    const auto run = bench.run({"sql", "SELECT 1 FROM snapshots LIMIT 1", "--format", "csv"});
    return run.status == 0 && program::lines_of(run.out).size() == 2;
}

/// The content of a ledger.
Words content(const program::Workbench& bench) {
    Words all;
    for (const char* const query :
         {"SELECT name, taken_at, packages, specs, extent, source FROM snapshots",
          "SELECT snapshot, hash, change FROM changes",
          "SELECT snapshot, path, digest FROM pages WHERE package = 'zlib'",
          "SELECT count(*), count(DISTINCT hash) FROM spec_variants",
          "SELECT snapshot, path, kind FROM findings"}) {
        const Words rows = bench.query(query);
        all.insert(all.end(), rows.begin(), rows.end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

TEST_CASE("A history that is killed on the way goes on where it was") {
    const program::Workbench pages;
    git_fixture::Repository repository(pages.file("pages"));
    fill(repository, 240);
    const program::Workbench undisturbed;
    const program::Workbench killed;
    const Words load{"ingest", "--history", repository.path()};
    auto whole = std::async(std::launch::async, [&] { return undisturbed.run(load); });
    const auto kill_after = [&](std::chrono::milliseconds time) {
        Victim victim(killed, load);
        std::this_thread::sleep_for(time);
        return victim.kill();
    };
    CHECK(kill_after(5ms));  // while the database is made
    Victim victim(killed, load);
    while (victim.runs() && !has_snapshots(killed)) {
        std::this_thread::sleep_for(100ms);
    }
    // Where the machine is so fast that it has ended, what follows has nothing to do.
    victim.kill();
    CHECK(has_snapshots(killed));
    kill_after(50ms);
    kill_after(200ms);
    CHECK(killed.run(load).status == 0);
    CHECK(whole.get().status == 0);
    CHECK(killed.run({"check"}).status == 0);
    CHECK(content(killed) == content(undisturbed));
}
