#include <chrono>
#include <csignal>
#include <thread>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace stop_thread_test {

// The thread that looks whether a query ends when it should, under the thread sanitizer: what that
// has to say is on standard error, too.

using namespace std::chrono_literals;
using program::Words;

TEST_CASE("A signal that ends a query is seen by the thread that waits for it") {
    const program::Workbench bench;
    bench.write("zlib.md", program::page("zlib", program::details({program::entry()})));
    REQUIRE(bench.run({"ingest", "zlib.md"}).status == 0);
    for (const int signal : {SIGINT, SIGTERM}) {
        const auto query = bench.start({"sql",
                                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                                        "FROM n) SELECT count(*) FROM n",
                                        "--timeout", "50"});
        std::this_thread::sleep_for(2s);  // a program under a sanitizer takes its time to begin
        query->signal(signal);
        const program::Run run = query->wait();
        INFO(run);
        CHECK(run.status == 128 + signal);
        CHECK(run.errors() == Words{"cacheledger: interrupted"});
    }
}

}  // namespace stop_thread_test
