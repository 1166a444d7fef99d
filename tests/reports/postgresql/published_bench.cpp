#include "tests/reports/postgresql/published_bench.hpp"
#include "tests/paths.hpp"

#include <stdexcept>

namespace postgresql_fixture {

namespace {

void run_well(const program::Workbench& bench, const program::Words& words) {
    const program::Run run = bench.run(words);
    if (run.status != 0) {
        throw std::runtime_error(words.front() + ": " + run.err);
    }
}

}  // namespace

PublishedBench::PublishedBench(const Server& server) : owner_url_(new_database(server)) {
    bench_.ingest_samples();
    const std::string data = std::string(paths::data) + "/mirrors/";
    run_well(bench_, {"ingest", data + "earlier", "--tag", "site", "--taken-at", "2025-03-02"});
    run_well(bench_, {"ingest", data + "later", "--tag", "site", "--taken-at", "2025-03-09"});
    run_well(bench_,
             {"ingest", data + "spack.lock", "--tag", "wanted", "--taken-at", "2025-03-10"});
    role_ = new_role(server);
    run_well(bench_, {"publish", owner_url_, "--ledger", "cache", "--grant", role_});
    url_ = as_role(owner_url_, role_);
}

program::Run PublishedBench::run_published(const program::Words& words) const {
    program::Words all = {"--db", url_, "--ledger", "cache"};
    all.insert(all.end(), words.begin(), words.end());
    return bench_.run(all, "", {{"XDG_CACHE_HOME", bench_.file("cache").string()}});
}

std::string PublishedBench::without_database(std::string text) const {
    const std::string named = " --db '" + url_ + "' --ledger cache";
    for (auto at = text.find(named); at != std::string::npos; at = text.find(named)) {
        text.erase(at, named.size());
    }
    return text;
}

}  // namespace postgresql_fixture
