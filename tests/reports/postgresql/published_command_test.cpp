#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "tests/paths.hpp"
#include "tests/reports/postgresql/published_bench.hpp"
#include "tests/support/catch.hpp"

namespace published_command_test {

// The commands that ask a ledger say the same of a file and of what was published of it.
using postgresql_fixture::PublishedBench;
using program::Run;
using program::Words;

namespace {

/// Runs a command on both, and compares all that it says.
void compare(const PublishedBench& both, const Words& words) {
    const Run expected = both.run(words);
    const Run run = both.run_published(words);
    std::string line;
    for (const std::string& word : words) {
        line += word + " ";
    }
    INFO(line);
    CHECK(run.status == expected.status);
    CHECK(run.out == expected.out);
    CHECK(both.without_database(run.err) == expected.err);
}

/// For a parameter without a default, a value that the ledger has.
Words required(const std::string& parameters) {
    Words words;
    const auto takes = [&](const std::string& name) {
        return (parameters + " ").find("--" + name + " ") != std::string::npos;
    };
    for (const auto& [name, value] :
         {std::pair("spec", "zlib-ng"), std::pair("lock", "wanted"), std::pair("other", "e4s*")}) {
        if (takes(name)) {
            words.insert(words.end(), {std::string("--") + name, value});
        }
    }
    if (takes("other")) {
        words.insert(words.end(), {"--stack", "ml-linux-x86_64-rocm"});
    }
    return words;
}

}  // namespace

TEST_CASE("Commands say the same of a published ledger") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench both(*server);
    const std::vector<Words> commands = {
        {"snapshots"},
        {"specs", "hdf5"},
        {"specs", "hdf5", "--at", "site~1"},
        {"specs", "--limit", "7", "--at", "develop"},
        {"specs", "--format", "csv"},
        {"specs", "hdf5", "%gcc"},
        {"specs", "hdf5", "^zlib-ng@2.2"},
        {"specs", "hdf5", "%nvhpc"},
        {"specs", "target=x86_64_v3", "--at", "develop"},
        {"specs", "py-tokenizers %gcc@13", "--limit", "3", "--at", "develop"},
        {"specs", "py-tokenizers@0.20 target=zen4", "--at", "develop"},
        {"specs", "/grcfiz6"},
        {"specs", "/iazcpnf"},
        {"specs", "/iazcpnf", "--format", "json"},
        {"specs", "nothing"},
        {"specs", "hdf5", "--stack", "none*"},
        {"history", "hdf5"},
        {"history", "py-ml-dtypes", "--series", "develop"},
        {"history", "/lmptodo"},
        {"history", "zlib-ng", "--format", "json"},
        {"history", "nothing"},
        {"history", "%gcc@13"},
        {"history", "--stack", "ml-linux-*", "--series", "develop"},
        {"diff"},
        {"diff", "develop~1", "develop"},
        {"diff", "develop~1", "develop", "--format", "json"},
        {"diff", "site~1", "site", "--format", "json"},
        {"diff", "develop", "site"},
        {"diff", "develop", "--target", "x86_64_v3", "--by", "package"},
        {"diff", "site", "--package", "hdf5+mpi", "--summary"},
        {"diff", "nowhere"},
        {"why"},
        {"why", "site~1", "site", "--all"},
        {"why", "develop"},
        {"why", "/iazcpnf", "/grcfiz6", "--format", "json"},
        {"why", "site", "--package", "netcdf-c"},
        {"report", "coverage/targets", "--at", "develop", "--target", "x86_64_v3:"},
        {"report", "coverage/packages", "--package", "py-*", "--at", "develop"},
        {"report", "coverage/packages", "--package", "zlib-ng %gcc"},
        {"report", "drift/summary", "--from", "develop~1", "--to", "develop"},
        {"report", "drift/specs", "--from", "site~1", "--to", "site", "--format", "json"},
        {"report", "drift/summary", "--from", "develop~1", "--to", "develop", "--stack", "e4s*"},
        {"report", "drift/variants", "--package", "hdf5 target=x86_64_v3"},
        {"report", "coverage/targets", "--compiler", "nothing"},
        {"report", "coverage/targets", "--at", "nothing"},
        {"report", "coverage/stale", "--days", "9223372036854775807"},
        {"report", "history/growth", "--format", "svg"},
        {"report", "coverage/targets", "--at", "develop", "--sql"},
        {"dependents", "zlib-ng", "--at", "site"},
        {"coverage", std::string(paths::data) + "/mirrors/spack.lock", "--at", "site"},
        {"prune", "--keep", "develop"},
        {"check"},
        {"sql", "SELECT package, count(*) AS n FROM latest_specs GROUP BY package"},
        {"diff", std::string(paths::data) + "/mirrors/spack.lock", "wanted"},
    };
    for (const Words& words : commands) {
        compare(both, words);
    }
}

TEST_CASE("A report is printed for PostgreSQL from a file and from a published ledger") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench both(*server);
    Words words = {"report", "coverage/packages", "--package", "zlib-ng %gcc", "--sql",
                   "--for",  "postgresql"};
    const Run published = both.run_published(words);
    const std::string path = "SET search_path = \"cache tables\", \"cache\";\n";
    CHECK(published.out == path + both.run(words).out);
    words.insert(words.end(), {"--ledger", "cache"});
    CHECK(both.run(words).out == published.out);
    cacheledger::PostgresConnection reader(both.url());
    CHECK_NOTHROW(reader.run(published.out));
    CHECK(both.run({"report", "drift/why", "--sql", "--for", "postgresql"}).status == 2);
    CHECK(both.run({"report", "coverage/targets", "--for", "postgresql"}).status == 2);
    CHECK(both.run({"report", "coverage/targets", "--sql", "--for", "mysql"}).status == 2);
    CHECK(both.run({"report", "coverage/targets", "--sql", "--ledger", "cache"}).status == 2);
}

TEST_CASE("Every report says the same of a published ledger") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench both(*server);
    const Words lines = program::lines_of(both.run({"report", "--all", "--format", "csv"}).out);
    CHECK(lines.size() > 45);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::string name = lines[i].substr(0, lines[i].find(','));
        const std::string parameters = lines[i].substr(lines[i].rfind(',') + 1);
        for (const char* const snapshot : {"develop", "site"}) {
            Words words = {"report", name, "--format", "json"};
            for (const char* const option : {"--at", "--to"}) {
                if ((parameters + " ").find(std::string(option) + " ") != std::string::npos) {
                    words.insert(words.end(), {option, snapshot});
                }
            }
            const Words more = required(parameters);
            words.insert(words.end(), more.begin(), more.end());
            compare(both, words);
        }
    }
}

}  // namespace published_command_test
