#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "tests/paths.hpp"
#include "tests/reports/postgresql/published_bench.hpp"
#include "tests/support/catch.hpp"

namespace dashboard_test {

// The queries of the documents run on a published ledger, by a role that only reads.
using cacheledger::PostgresConnection;
using postgresql_fixture::PublishedBench;
using program::lines_of;

namespace {

/// The texts between ```sql and ``` of a document.
std::vector<std::string> queries_of(const std::string& document) {
    std::vector<std::string> queries;
    bool is_inside = false;
    for (const std::string& line :
         lines_of(program::read_file(std::string(paths::source) + "/docs/" + document))) {
        if (line == "```sql") {
            is_inside = true;
            queries.emplace_back();
        } else if (line == "```") {
            is_inside = false;
        } else if (is_inside) {
            queries.back() += line + "\n";
        }
    }
    return queries;
}

}  // namespace

TEST_CASE("The ten queries for dashboards give rows to a role that only reads") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    PostgresConnection connection(published.url());
    const auto queries = queries_of("dashboards.md");
    CHECK(queries.size() == 10);
    for (const std::string& query : queries) {
        INFO(query);
        // The samples lose no package between their two moments.
        CHECK(connection.query(query).rows.empty() == (query.find("EXCEPT") != std::string::npos));
    }
}

TEST_CASE("The queries over several ledgers compare them") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    const PublishedBench published(*server);
    program::Workbench other;
    other.ingest_samples();
    REQUIRE(other.run({"forget", "develop"}).status == 0);
    REQUIRE(other.run({"publish", published.owner_url(), "--ledger", "other"}).status == 0);

    PostgresConnection owner(published.owner_url());
    const auto queries = queries_of("postgresql.md");
    REQUIRE(queries.size() == 2);
    CHECK_FALSE(owner.query(queries[0]).rows.empty());

    // Who may read one ledger sees no row of another.
    PostgresConnection reader(published.url());
    const std::string count =
        "SELECT ledger, count(*) FROM cacheledger.all_snapshots GROUP BY ledger";
    CHECK(owner.query(count).rows.size() == 2);
    CHECK(reader.query(count).rows.size() == 1);

    REQUIRE(other.run({"publish", published.owner_url(), "--ledger", "other", "--drop"}).status ==
            0);
    CHECK(owner.query(count).rows.size() == 1);
    CHECK(reader.query(count).rows.size() == 1);
}

}  // namespace dashboard_test
