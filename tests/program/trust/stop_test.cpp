#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace stop_test {

using namespace std::chrono_literals;
using namespace program;

namespace {

const std::string endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT ";

/// The program at work, with standard error in the file `err` and standard input and output a pipe
/// in which nothing is and that nobody reads.
class Running {
  public:
    Running(const Workbench& bench, const Words& words) : bench_(bench) {
        mkfifo(bench.file("pipe").c_str(), 0600);
        child_ = fork();
        if (child_ == 0) {
            start(words);
        }
        while (!catches_signals()) {
            std::this_thread::sleep_for(5ms);
        }
    }

    Run stop(int signal) {
        kill(child_, signal);
        int status = 0;
        waitpid(child_, &status, 0);
        return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), "",
                bench_.read("err")};
    }

  private:
    [[noreturn]] void start(Words words) const {
        alarm(60);
        words.insert(words.begin(), paths::program);
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        if (chdir(bench_.folder().c_str()) == 0) {
            const int pipe = open("pipe", O_RDWR);
            dup2(pipe, 0);
            dup2(pipe, 1);
            dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
            execv(arguments[0], arguments.data());
        }
        _exit(127);
    }

    /// Whether it has come to main(), by what Linux says of it; or it has ended.
    bool catches_signals() const {
        std::ifstream status("/proc/" + std::to_string(child_) + "/status");
        bool is_program = false;  // and no longer a copy of the test, with its handlers
        for (std::string line; std::getline(status, line);) {
            is_program = is_program || line == "Name:\tcacheledger";
            if (line.rfind("SigCgt:", 0) == 0) {
                return is_program &&
                       (std::stoull(line.substr(7), nullptr, 16) & (1ULL << (SIGINT - 1))) != 0;
            }
        }
        return true;
    }

    const Workbench& bench_;
    pid_t child_ = 0;
};

/// Ended by the signal, which it says in one line; nothing lies about.
void check_stopped(const Workbench& bench, const Run& run, int signal, const std::string& line) {
    INFO(run);
    CHECK(run.status == 128 + signal);
    CHECK(run.errors() == Words{"cacheledger: " + line});
    for (const auto& file : std::filesystem::directory_iterator(bench.folder())) {
        CHECK_FALSE(contains(file.path().filename().string(), ".cacheledger."));
    }
}

void wait_for(const std::string& what, const std::function<bool()>& holds) {
    INFO(what);
    for (int i = 0; i < 2000 && !holds(); ++i) {
        std::this_thread::sleep_for(10ms);
    }
    REQUIRE(holds());
}

}  // namespace

TEST_CASE("Ctrl-C and SIGTERM end a query, and leave the file of --output as it was") {
    const SampleBench bench;
    bench.write("result", "as it was\n");
    for (const int signal : {SIGINT, SIGTERM}) {
        for (const std::string columns : {"count(*) FROM n", "count(*) FROM n, spec_drift"}) {
            Running running(bench, {"sql", endless + columns, "--output", "result"});
            std::this_thread::sleep_for(50ms);
            check_stopped(bench, running.stop(signal), signal, "interrupted");
        }
    }
    CHECK(bench.read("result") == "as it was\n");
}

TEST_CASE("Ctrl-C ends what waits for its input, or for who reads its output") {
    const SampleBench bench;
    const std::string many = endless + "printf('%1000d', i) FROM n LIMIT 1000";
    for (const Words& words : std::vector<Words>{{"sql", "-"}, {"sql", many}}) {
        Running running(bench, words);
        std::this_thread::sleep_for(300ms);
        check_stopped(bench, running.stop(SIGINT), SIGINT, "interrupted");
    }
    Running running(bench, {"--db", "new.db", "ingest", "-"});
    std::this_thread::sleep_for(300ms);
    check_stopped(bench, running.stop(SIGINT), SIGINT, "interrupted; nothing of it was loaded");
    CHECK_FALSE(bench.has("new.db"));
}

TEST_CASE("Ctrl-C in an ingest loads nothing") {
    const Workbench bench;
    for (int i = 0; i < 6000; ++i) {
        const std::string package = "package-" + std::to_string(i);
        bench.write("pages/" + package + ".md", page(package, details({entry()})));
    }
    Running running(bench, {"ingest", "pages", "--jobs", "1"});
    wait_for("the database", [&] { return bench.has("cacheledger.db"); });
    check_stopped(bench, running.stop(SIGINT), SIGINT, "interrupted; nothing of it was loaded");
    CHECK_FALSE(bench.has("cacheledger.db"));
}

TEST_CASE("Ctrl-C in a history keeps the commits that are done") {
    const Workbench bench;
    git_fixture::Repository repository(bench.file("pages"));
    for (int i = 0; i < 400; ++i) {
        const std::string package = "package-" + std::to_string(i);
        repository.write("_cache/develop/" + package + "/specs.md",
                         page(package, details({entry()})));
    }
    constexpr int commits = 300;
    for (int i = 0; i < commits; ++i) {
        Entry entry = program::entry();
        entry["hash"] = json_text(std::string(30, 'b') + static_cast<char>('a' + i / 26) +
                                  static_cast<char>('a' + i % 26));
        repository.write("_cache/develop/zlib/specs.md", page("zlib", details({entry})));
        repository.commit(1740787200 + i * 60);
    }
    const Words load = {"ingest", "--history", "pages"};
    int kept = 0;
    for (auto time = 50ms; kept == 0 && time < 10s; time *= 2) {  // later, until some are done
        Running running(bench, load);
        std::this_thread::sleep_for(time);
        const Run run = done(running.stop(SIGINT), 130);
        REQUIRE(run.errors().size() == 1);
        CHECK(contains(run.err,
                       " of 300 new commits are in the ledger; run the same command again to "
                       "continue"));
        kept = std::stoi(run.err.substr(std::string("cacheledger: interrupted; ").size()));
    }
    CHECK(kept > 0);
    CHECK(bench.snapshots() == kept);
    CHECK(bench.run(load).status == 0);
    CHECK(bench.snapshots() == commits);
    CHECK(bench.run({"check"}).status == 0);
}

TEST_CASE("An ignored Ctrl-C stays ignored, and a reader that goes away ends the program quietly") {
    const SampleBench bench;
    const auto shell = [&](const std::string& script) {
        return run_command({"/bin/sh", "-c", script, paths::program},
                           {bench.folder(), "", {}, false});
    };
    // The limit ends it, not the signal.
    check_run(shell("trap '' INT; \"$0\" sql \"" + endless +
                    "count(*) FROM n\" --timeout 1 & sleep 0.5; kill -INT $!; wait $!"),
              {.status = 2, .err = {"--timeout"}});
    const Run head = shell("\"$0\" sql \"" + endless + "i FROM n LIMIT 100000\" | head -1");
    INFO(head);
    CHECK(head.out == "     i\n");
    CHECK(head.err.empty());
}

TEST_CASE("A time limit and Ctrl-C end a single call that takes hours, too") {
    const SampleBench bench;
    const std::string one_call =
        "WITH a(x) AS (SELECT hex(zeroblob(10000000))) "
        "SELECT instr(x || '1', substr(x, 1, 9000000) || '2') FROM a";
    const Run run = done(bench.run({"sql", one_call, "--timeout", "0.5"}), 2);
    CHECK(run.errors() == Words{"cacheledger: query: stopped after 0.5 seconds (--timeout); ask "
                                "for less, or give it more time"});
    Running running(bench, {"sql", one_call});
    std::this_thread::sleep_for(1s);
    CHECK(running.stop(SIGINT).status == 128 + SIGINT);
}

TEST_CASE("sql and report take a time limit") {
    const SampleBench bench;
    bench.write("result", "as it was\n");
    for (const std::string columns :
         {"count(*) FROM n", "i FROM n ORDER BY i", "count(*) FROM n, spec_drift"}) {
        const Run run = done(
            bench.run({"sql", endless + columns, "--timeout", "0.2", "--output", "result"}), 2);
        CHECK(run.out.empty());
        CHECK(run.errors() == Words{"cacheledger: query: stopped after 0.2 seconds (--timeout); "
                                    "ask for less, or give it more time"});
    }
    bench.write("reports/endless.sql", "-- title: Endless\n" + endless + "count(*) FROM n\n");
    check_run(bench.run({"report", "endless", "--reports", "reports", "--timeout", "0.2",
                         "--output", "result"}),
              {.status = 2, .err = {"endless: stopped after 0.2 seconds"}});
    CHECK(bench.read("result") == "as it was\n");
    CHECK(bench.run({"sql", "SELECT 1", "--timeout", "60"}).status == 0);
    for (const std::string wrong : {"0", "-1", "x", "", "nan", "inf", "1e9", "1s"}) {
        const Run run = bench.run({"sql", "SELECT 1", "--timeout=" + wrong});
        INFO(wrong << "\n" << run);
        CHECK(run.status == 2);
        CHECK(run.errors().size() == 1);
    }
}

TEST_CASE("sql takes a limit of rows, and says when there were more") {
    const SampleBench bench;
    const auto limited = [&](const std::string& query, const std::string& limit) {
        return bench.run({"sql", query, "--limit", limit, "--format", "csv"});
    };
    check_run(limited(endless + "i FROM n", "2"),
              {.all_out = "i\n1\n2\n",
               .all_err = "cacheledger: there are more rows than these 2 (--limit)\n"});
    const Run all = limited("SELECT 1 AS i UNION SELECT 2", "2");
    CHECK(all.out == "i\n1\n2\n");
    CHECK(all.err.empty());
    const Run unlimited = limited("SELECT 1 AS i UNION SELECT 2", "0");
    CHECK(unlimited.out == "i\n1\n2\n");
    CHECK(unlimited.err.empty());
    for (const std::string wrong : {"-1", "1.5", "x", "", "99999999999999999999"}) {
        CHECK(limited("SELECT 1", wrong).status == 2);
    }
}

}  // namespace stop_test
