#include "ingest/sources/http/transfer.hpp"

#include <cstdlib>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/http_server.hpp"

namespace transfer_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
using http_fixture::answer;
using http_fixture::Connection;
using http_fixture::Request;
using http_fixture::Server;
using namespace std::chrono_literals;

namespace {

using Answers = std::map<std::string, std::string>;

struct Got {
    HttpResponse response;
    std::string body;
};

Got get(const std::string& url, HttpLimits limits = {}, AddressKinds allowed = any_address,
        const HttpProgress& progress = {}) {
    HttpClient client(limits, progress);
    Got got;
    const HttpRequest request{url, {}, allowed, std::chrono::steady_clock::now() + limits.total};
    got.response = client.get(
        request, [&](const char* bytes, std::size_t size) { got.body.append(bytes, size); });
    return got;
}

// What is wrong with it, in one line.
std::string problem_of(const std::string& url, const HttpLimits& limits = {},
                       AddressKinds allowed = any_address) {
    try {
        get(url, limits, allowed);
    } catch (const HttpError& error) {
        CHECK(error.problems().size() == 1);
        return error.what();
    }
    return "none";
}

constexpr AddressKinds public_only = only(AddressKind::open);

}  // namespace

TEST_CASE("A transfer gives the body, and by what it can be told from a later one") {
    const Answers answers{{"/a", answer(200, "text", {"ETag: \"1\"", "Last-Modified: Monday"})}};
    const Server server(answers);
    const Got got = get(server.url("/a?token=1"));
    CHECK(got.response.status == 404);  // the query is sent
    CHECK(got.body.empty());
    const Got good = get(server.url("/a"));
    CHECK(good.response.status == 200);
    CHECK(good.body == "text");
    CHECK(good.response.validators.etag == "\"1\"");
    CHECK(good.response.validators.last_modified == "Monday");
    CHECK(good.response.connected == AddressKind::loopback);
}

TEST_CASE("A transfer asks for gzip, and unpacks it") {
    const Answers answers{
        {"/a", answer(200, gzipped(std::string(1000, 'a')), {"Content-Encoding: gzip"})}};
    const Server server(answers);
    CHECK(get(server.url("/a")).body == std::string(1000, 'a'));
    CHECK(server.requests()[0].headers.at("accept-encoding") == "gzip");
}

TEST_CASE("A transfer ends where it is too large, as it comes or unpacked") {
    const std::string large(100'000, 'a');
    const Answers answers{{"/announced", answer(200, large)},
                          {"/packed", answer(200, gzipped(large), {"Content-Encoding: gzip"})},
                          {"/endless", "HTTP/1.1 200 Said\r\nConnection: close\r\n\r\n" + large}};
    const Server server(answers);
    HttpLimits limits;
    limits.received = 10'000;
    CHECK(problem_of(server.url("/announced"), limits) ==
          server.url("/announced") + ": expected at most 10000 bytes");
    CHECK(problem_of(server.url("/endless"), limits) ==
          server.url("/endless") + ": expected at most 10000 bytes");
    CHECK(get(server.url("/packed"), limits).body == large);
    limits.bytes = 50'000;
    CHECK(problem_of(server.url("/packed"), limits) ==
          server.url("/packed") + ": expected at most 50000 bytes, decompressed");
}

TEST_CASE("A redirection is followed, with the password only where it was given") {
    Answers answers;
    const Server server(answers);
    answers["/old"] = answer(302, "", {"Location: /new"});
    answers["/new"] = answer(200, "text");
    answers["/elsewhere"] =
        answer(301, "", {"Location: http://localhost:" + std::to_string(server.port()) + "/new"});
    const std::string with_password = "http://me:secret@127.0.0.1:" + std::to_string(server.port());
    CHECK(get(with_password + "/old").body == "text");
    CHECK(server.requests()[0].headers.count("authorization") == 1);
    CHECK(server.requests()[1].headers.count("authorization") == 1);
    CHECK(get(with_password + "/elsewhere").body == "text");
    CHECK(server.requests()[3].headers.count("authorization") == 0);
}

TEST_CASE("A redirection in circles ends") {
    const Answers answers{{"/a", answer(302, "", {"Location: /b"})},
                          {"/b", answer(302, "", {"Location: /a"})}};
    const Server server(answers);
    CHECK(problem_of(server.url("/a")) == server.url("/a") + ": more than 10 redirections");
    CHECK(server.requests().size() == 11);
}

TEST_CASE("A redirection may lead to the web only") {
    const Answers answers{{"/file", answer(302, "", {"Location: file:///etc/passwd"})},
                          {"/ftp", answer(302, "", {"Location: ftp://127.0.0.1/x?secret"})}};
    const Server server(answers);
    CHECK(problem_of(server.url("/file")) ==
          server.url("/file") +
              ": redirected to file:///etc/passwd, which is no http:// or https:// URL");
    CHECK_THAT(problem_of(server.url("/ftp")), ContainsSubstring("ftp://127.0.0.1/x, which"));
}

TEST_CASE("A redirection may not lead to a private network") {
    for (const std::string target :
         {"10.1.2.3", "192.168.0.1", "169.254.169.254", "[::ffff:10.1.2.3]", "[fe80::1]",
          "[fd00::1]", "0xa010203", "224.0.0.1"}) {
        const Answers answers{
            {"/a", answer(302, "", {"Location: http://" + target + ":9/x?secret"})}};
        const Server server(answers);
        CAPTURE(target);
        const std::string problem = problem_of(server.url("/a"));
        CHECK_THAT(problem, ContainsSubstring(server.url("/a") + ": redirected to http://"));
        CHECK_THAT(problem, ContainsSubstring(": refused: "));
        CHECK_THAT(problem, !ContainsSubstring("secret"));
    }
}

TEST_CASE("An address that is not the user's own may not be of this machine") {
    const Answers answers{{"/a", answer(200, "text")}};
    const Server server(answers);
    CHECK(problem_of(server.url("/a"), {}, public_only) ==
          server.url("/a") +
              ": refused: 127.0.0.1 is an address of this machine, which only a URL of your own "
              "may name");
    // By a name, and written otherwise.
    const std::string port = std::to_string(server.port());
    for (const std::string host : {"localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"}) {
        CAPTURE(host);
        CHECK_THAT(problem_of("http://" + host + ":" + port + "/a", {}, public_only),
                   ContainsSubstring("is an address of this machine"));
    }
    CHECK(server.requests().empty());
}

TEST_CASE("A proxy of the user's own may be anywhere, and what it is asked for may not") {
    const Answers answers{{"http://name.invalid/a", answer(200, "by proxy")},
                          {"http://10.0.0.1/a", answer(200, "secret")},
                          {"http://localhost/a", answer(200, "secret")}};
    const Server server(answers);
    setenv("http_proxy", server.url("").c_str(), 1);
    setenv("no_proxy", "", 1);
    const std::string body = get("http://name.invalid/a", {}, public_only).body;
    const std::string closed = problem_of("http://10.0.0.1/a", {}, public_only);
    const std::string own = problem_of("http://localhost/a", {}, public_only);
    unsetenv("http_proxy");
    CHECK(body == "by proxy");
    CHECK_THAT(closed, ContainsSubstring("10.0.0.1 is an address of a private network"));
    CHECK_THAT(own, ContainsSubstring("localhost is an address of this machine"));
    CHECK(server.requests().size() == 1);
}

TEST_CASE("A connection that is open already is looked at as well") {
    const Server server([](const Request& /*request*/, Connection& connection) {
        connection.send("HTTP/1.1 200 Said\r\nContent-Length: 1\r\n\r\na");
        connection.pause(1s);
    });
    HttpClient client({}, {});
    const auto nothing = [](const char*, std::size_t) {};
    const auto deadline = std::chrono::steady_clock::now() + 5s;
    CHECK(client.get({server.url("/a"), {}, any_address, deadline}, nothing).status == 200);
    CHECK_THROWS_AS(client.get({server.url("/a"), {}, public_only, deadline}, nothing), HttpError);
    CHECK(server.requests().size() == 1);
}

TEST_CASE("A transfer that stands still ends, and so does one that takes too long") {
    const Server server([](const Request& request, Connection& connection) {
        connection.send("HTTP/1.1 200 Said\r\nContent-Length: 1000000\r\n\r\n");
        for (int i = 0; i < 200 && request.path == "/slow"; ++i) {
            connection.send(std::string(100, 'a'));
            connection.pause(10ms);
        }
        connection.pause(20s);
    });
    HttpLimits limits;
    limits.stalled = 1s;
    CHECK_THAT(problem_of(server.url("/still"), limits), ContainsSubstring(": took too long: "));
    limits = {};
    limits.total = 200ms;
    CHECK_THAT(problem_of(server.url("/slow"), limits), ContainsSubstring(": took too long: "));
}

TEST_CASE("A body of another length than announced is an error") {
    const Answers answers{{"/a", "HTTP/1.1 200 Said\r\nContent-Length: 100\r\n\r\nshort"},
                          {"/b", "HTTP/1.1 200 Said\r\nContent-Length: -7\r\n\r\nshort"},
                          {"/c", ""}};
    const Server server(answers);
    CHECK_THAT(problem_of(server.url("/a")), ContainsSubstring(": the connection was cut off: "));
    CHECK(problem_of(server.url("/b")) != "none");
    CHECK_THAT(problem_of(server.url("/c")), ContainsSubstring(": the connection was cut off: "));
}

TEST_CASE("A server that isn't there, or speaks no TLS, is named") {
    const Answers answers{{"/a", answer(200, "text")}};
    std::string gone;
    {
        const Server server(answers);
        gone = server.url("/a");
        const std::string url = "https://127.0.0.1:" + std::to_string(server.port()) + "/a";
        HttpLimits limits;
        limits.connecting = 200ms;
        CHECK_THAT(problem_of(url, limits), ContainsSubstring(url + ": "));
    }
    CHECK_THAT(problem_of(gone), ContainsSubstring(gone + ": "));
}

TEST_CASE("Who watches a transfer can end it") {
    const Answers answers{{"/a", answer(200, std::string(100'000, 'a'))}};
    const Server server(answers);
    const auto stop = [](const std::string&, std::uint64_t, std::optional<std::uint64_t>) {
        throw Interrupted("stop");
    };
    CHECK_THROWS_AS(get(server.url("/a"), {}, any_address, stop), Interrupted);
}

}  // namespace transfer_test
