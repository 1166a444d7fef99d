#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "tests/paths.hpp"
#include "tests/reports/postgresql/lying_server.hpp"
#include "tests/reports/postgresql/published_bench.hpp"
#include "tests/reports/postgresql/server.hpp"
#include "tests/support/catch.hpp"

namespace connection_test {

// One connection to a PostgreSQL server: what comes back, and how it fails.
// The queries of the documents run on a published ledger, by a role that only reads.
using cacheledger::DatabaseError;
using cacheledger::Interrupted;
using cacheledger::PostgresConnection;
using cacheledger::PostgresError;
using cacheledger::UsageError;
using cacheledger::Value;
using postgresql_fixture::PublishedBench;
using program::lines_of;

namespace {

Value one_value(PostgresConnection& connection, const std::string& sql,
                const std::vector<Value>& values = {}) {
    return connection.query(sql, values).rows.at(0).at(0);
}

std::string message_of(const std::string& url) {
    return thrown<std::exception>([&] { PostgresConnection connection(url); }, "");
}

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

TEST_CASE("The types of PostgreSQL become those of a report") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    PostgresConnection connection(server->url());
    CHECK(one_value(connection, "SELECT 7::bigint") == Value(std::int64_t{7}));
    CHECK(one_value(connection, "SELECT sum(n) FROM (VALUES (3::bigint), (4)) v(n)") ==
          Value(std::int64_t{7}));
    CHECK(one_value(connection, "SELECT 2.5::numeric") == Value(2.5));
    CHECK(one_value(connection, "SELECT 1::float8 / 3") == Value(1.0 / 3));
    CHECK(one_value(connection, "SELECT true") == Value(std::int64_t{1}));
    CHECK(one_value(connection, "SELECT '\\xab01'::bytea") == Value("ab01"));
    CHECK(one_value(connection, "SELECT NULL::text") == Value());
    CHECK(one_value(connection, "SELECT $1 || 'x'", {Value("a'b")}) == Value("a'bx"));
    CHECK(one_value(connection, "SELECT $1::bigint IS NULL", {Value()}) == Value(std::int64_t{1}));
}

TEST_CASE("A statement that PostgreSQL refuses leaves a connection that works") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    PostgresConnection connection(server->url());
    try {
        connection.query("SELECT nothing FROM pg_class");
        FAIL("not refused");
    } catch (const PostgresError& error) {
        CHECK(error.state() == "42703");
        CHECK(error.offset() == 7);
        CHECK(std::string(error.what()) == "column \"nothing\" does not exist");
    }
    CHECK_THROWS_AS(connection.query("SELECT 1; SELECT 2"), PostgresError);
    CHECK(one_value(connection, "SELECT 1") == Value(std::int64_t{1}));
}

TEST_CASE("Rows are copied into PostgreSQL and out of it") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    PostgresConnection connection(server->url());
    connection.run("CREATE TEMP TABLE t (n bigint, name text)");
    int number = 0;
    std::string line;
    const auto next = [&]() -> std::string_view {
        line = ++number > 1'000'000
                   ? ""
                   : std::to_string(number) + "\tname " + std::to_string(number) + "\n";
        return line;
    };
    CHECK(connection.copy_in("COPY t FROM STDIN", next) == 1'000'000);
    std::vector<std::string> lines;
    connection.copy_out("COPY (SELECT * FROM t WHERE n > 999998 ORDER BY n) TO STDOUT",
                        [&](std::string_view row) { lines.emplace_back(row); });
    CHECK(lines == std::vector<std::string>{"999999\tname 999999", "1000000\tname 1000000"});

    number = 999'990;
    CHECK_THROWS_AS(connection.copy_in("COPY t FROM STDIN",
                                       [&]() -> std::string_view {
                                           if (number == 999'995) {
                                               throw std::runtime_error("no more");
                                           }
                                           return next();
                                       }),
                    std::runtime_error);
    CHECK(one_value(connection, "SELECT count(*) FROM t") == Value(std::int64_t{1'000'000}));
    CHECK_THROWS_AS(connection.copy_in("COPY t FROM STDIN",
                                       [&, first = true]() mutable -> std::string_view {
                                           return std::exchange(first, false) ? "no number\tx\n"
                                                                              : "";
                                       }),
                    PostgresError);
    CHECK(connection.change("DELETE FROM t WHERE n <= $1", {Value(std::int64_t{10})}) == 10);
}

TEST_CASE("Who is asked to stop ends what the server does") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    bool is_connected = false;
    int looks = 0;
    PostgresConnection connection(server->url(), [&] { return is_connected && ++looks == 2; });
    is_connected = true;
    CHECK_THROWS_AS(connection.query("SELECT pg_sleep(60)"), Interrupted);
    CHECK(one_value(connection, "SELECT 1") == Value(std::int64_t{1}));
}

TEST_CASE("A time limit of the server is an error, and no interruption") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    PostgresConnection connection(server->url() + "&options=-c%20statement_timeout%3D1s",
                                  [] { return false; });
    CHECK_THROWS_AS(connection.query("SELECT pg_sleep(60)"), PostgresError);
}

TEST_CASE("Settings of a role do not change how values are written") {
    const auto* const server = postgresql_fixture::server();
    if (server == nullptr) {
        return;
    }
    PostgresConnection connection(
        server->url() +
        "&options=-c%20bytea_output%3Descape%20-c%20standard_conforming_strings%3Doff%20-c%20"
        "extra_float_digits%3D-10");
    connection.begin("READ ONLY");
    CHECK(one_value(connection, "SELECT '\\x6162'::bytea") == Value("6162"));
    CHECK(one_value(connection, "SELECT 1::float8 / 3") == Value(1.0 / 3));
}

TEST_CASE("A server that is not there is named without the password") {
    const std::string url = "postgresql://me:secret@127.0.0.1:1/x?password=secret";
    CHECK_THROWS_AS(PostgresConnection(url), DatabaseError);
    CHECK(message_of(url).find("postgresql://me@127.0.0.1:1/x?password=: ") == 0);
    CHECK(message_of(url).find("secret") == std::string::npos);

    // A password with an @ would make a part of it the name of a host.
    const std::string odd = "postgresql://me:sec@ret@127.0.0.1:1/x";
    CHECK_THROWS_AS(PostgresConnection(odd), UsageError);
    CHECK(message_of(odd).find("ret") == std::string::npos);
}

TEST_CASE("A password of a URL is never in a message") {
    for (const char* const url :
         {"postgresql://u:s3cret@127.0.0.1:1/x", "postgresql://u@127.0.0.1:1/x?password=s3cret",
          "postgresql://u@127.0.0.1:1/x?pass%77ord=s3cret",
          "postgresql://127.0.0.1:1/x?connect_timeout=9&sslpassword=s3cret",
          "postgresql://127.0.0.1:1/x?PASSWORD=s3cret", "postgresql://u:s3cret%zz@127.0.0.1:1/x",
          "postgresql://u:s3cret@x@127.0.0.1:1/x", "postgresql://u:a/s3cret@127.0.0.1:1/x",
          "postgresql://u:a?s3cret@127.0.0.1:1/x", "postgresql://u:s3cret",
          "postgresql://u:s3cret/x", "postgresql://u:s3cret?sslmode=disable",
          "POSTGRESQL://u:s3cret@127.0.0.1:1/x"}) {
        INFO(url);
        const std::string message = message_of(url);
        CHECK(cacheledger::is_postgresql_url(url));
        CHECK(message != "");
        CHECK(message.find("s3cret") == std::string::npos);
    }
    CHECK(cacheledger::without_password("postgresql://a:1,b:2/x") == "postgresql://a:1,b:2/x");
    CHECK(cacheledger::without_password("postgresql://[::1]:5432/x") ==
          "postgresql://[::1]:5432/x");
    CHECK(cacheledger::without_password("postgresql://[::1]:p/x") == "postgresql://[::1]/x");
}

TEST_CASE("A server that does not answer is not waited for when the program is to stop") {
    // A socket that listens, and of which nobody takes a connection.
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any_address = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(::bind(socket, any_address, size) == 0);
    REQUIRE(::listen(socket, 1) == 0);
    REQUIRE(::getsockname(socket, any_address, &size) == 0);
    const std::string port = std::to_string(ntohs(address.sin_port));
    for (const std::string& hosts : {"127.0.0.1:" + port, "127.0.0.1:" + port + ",127.0.0.1:1"}) {
        const std::string url = "postgresql://u@" + hosts + "/x";
        const auto begin = std::chrono::steady_clock::now();
        CHECK_THROWS_AS(PostgresConnection(url, [] { return true; }), Interrupted);
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
        CHECK(message_of(url + "?connect_timeout=1").find("timeout expired") != std::string::npos);
    }
    ::close(socket);
}

TEST_CASE("A server that answers nothing, or without end, is left when the program is to stop") {
    using namespace postgresql_fixture;
    const std::string copied = message('H', std::string(3, '\0')) + message('d', "1\n");
    const std::string empty_result = columns(1) + end_of_statement();
    for (const LyingServer::Answer& answer :
         std::vector<LyingServer::Answer>{{},
                                          {"", message('N', std::string("MHello\0\0", 8))},
                                          {"", empty_result},
                                          {columns(1), row({"1"})},
                                          {copied, message('d', "1\n")}}) {
        const LyingServer server(answer);
        const auto leave = [&](const auto& work) {
            const auto begin = std::chrono::steady_clock::now();
            try {  // to connect may take that long, too
                PostgresConnection connection(server.url(), [&] {
                    return std::chrono::steady_clock::now() - begin >
                           std::chrono::milliseconds(300);
                });
                work(connection);
                FAIL("it was not left");
            } catch (const Interrupted&) {
            } catch (const DatabaseError& error) {  // a copy that nobody asked for
                CHECK(std::string(error.what()).find("copies") != std::string::npos);
            }
            CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(6));
        };
        INFO(&answer);
        leave([](PostgresConnection& connection) { connection.begin("READ ONLY"); });
        leave([](PostgresConnection& connection) { connection.query("SELECT n FROM t"); });
        leave([](PostgresConnection& connection) {
            connection.copy_out("COPY t TO STDOUT", [](std::string_view) {});
            connection.query("SELECT 1");  // a server that copied nothing
        });
    }
}

TEST_CASE("What a server sends in place of what was asked for is an error in one sentence") {
    using namespace postgresql_fixture;
    const std::string end = end_of_statement() + end_of_answer();
    const auto message_for = [](const std::string& once, const auto& work) -> std::string {
        const LyingServer server({once});
        PostgresConnection connection(server.url());
        return thrown<DatabaseError>([&] { work(connection); }, "");
    };
    const auto number = [](PostgresConnection& connection) {
        cacheledger::number_in(connection.row("SELECT n FROM t"), 1);
    };
    const auto has = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(has(message_for(columns(0) + row({}) + end, number), "lacks columns"));
    CHECK(has(message_for(columns(2) + row({"1", nullptr}) + end, number), "without a number"));
    CHECK(has(message_for(columns(2) + row({"1", "x"}) + end, number), "without a number"));
    CHECK(has(message_for(columns(2) + end, number), "no row"));
    CHECK(message_for(columns(2) + row({"1", "7"}) + end, number) == "");
    const std::string place("SERROR\0C42601\0Mno\0Px\0\0", 22);
    CHECK(message_for(message('E', place) + end_of_answer(), number) == "no");
    CHECK(message_for(message('C', std::string("COPY x\0", 7)) + end_of_answer(),
                      [](PostgresConnection& connection) { connection.change("DELETE"); }) == "");
}

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

}  // namespace connection_test
