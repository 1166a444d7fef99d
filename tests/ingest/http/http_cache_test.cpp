#include "ingest/sources/http/http_cache.hpp"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "schema/text/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace http_cache_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
using http_fixture::answer;
using http_fixture::Connection;
using http_fixture::Request;
using http_fixture::Server;
using namespace std::chrono_literals;

namespace fs = std::filesystem;

namespace {

using Answers = std::map<std::string, std::string>;

HttpOptions options_in(const TempFolder& folder) {
    HttpOptions options;
    options.folder = folder.path() / "cache";
    options.first_wait = 1ms;
    options.longest_wait = 20ms;
    return options;
}

std::string text_of(const Fetched& fetched) {
    std::string text(fetched.size, '\0');
    text.resize(fetched.file->read(text.data(), text.size()));
    return text;
}

std::string problem_of(HttpCache& cache, const Wanted& wanted) {
    return thrown<InputError>([&] { cache.fetch(wanted); });
}

// Answers 304 to who has the text of this ETag.
Server::Answer with_etag(const std::string& text, const std::string& etag) {
    return [=](const Request& request, Connection& connection) {
        const auto known = request.headers.find("if-none-match");
        connection.send(known != request.headers.end() && known->second == etag
                            ? answer(304)
                            : answer(200, text, {"ETag: " + etag}));
    };
}

}  // namespace

TEST_CASE("A file that did not change is not fetched again") {
    const TempFolder folder;
    const Server server(with_etag("text", "\"1\""));
    for (const bool is_first : {true, false, false}) {
        HttpCache cache(options_in(folder));  // as another process
        const Fetched fetched = cache.fetch({server.url("/a")});
        CHECK(text_of(fetched) == "text");
        CHECK(fetched.is_new == is_first);
        CHECK(fetched.sha256 == sha256_of("text"));
        CHECK(fetched.connected == AddressKind::loopback);
    }
    CHECK(server.requests().size() == 3);
}

TEST_CASE("A page of a list is fetched whatever its copy is: its link is in no copy") {
    const TempFolder folder;
    const Server server([](const Request& request, Connection& connection) {
        connection.send(request.headers.contains("if-none-match")
                            ? answer(304)
                            : answer(200, "text", {"ETag: 1", "Link: </b>; rel=\"next\""}));
    });
    for (int times = 0; times < 2; ++times) {
        HttpCache cache(options_in(folder));
        const Fetched page = cache.fetch({.url = server.url("/a"), .is_list = true});
        CHECK(text_of(page) == "text");
        CHECK(page.link == "</b>; rel=\"next\"");
    }
    HttpCache cache(options_in(folder));
    CHECK(cache.fetch({server.url("/a")}).link.empty());  // answered with 304
    CHECK(server.requests().size() == 3);
    CHECK(server.requests().back().headers.contains("if-none-match"));
}

TEST_CASE("A server may tell changes by time") {
    const TempFolder folder;
    const Server server([](const Request& request, Connection& connection) {
        connection.send(request.headers.count("if-modified-since") == 1
                            ? answer(304)
                            : answer(200, "text", {"Last-Modified: Monday"}));
    });
    HttpCache cache(options_in(folder));
    CHECK(cache.fetch({server.url("/a")}).is_new);
    CHECK_FALSE(cache.fetch({server.url("/a")}).is_new);
    CHECK(server.requests()[1].headers.at("if-modified-since") == "Monday");
}

TEST_CASE("A file that changed is fetched, and the old one goes") {
    const TempFolder folder;
    Answers answers{{"/a", answer(200, "one", {"ETag: 1"})}};
    const Server server(answers);
    HttpCache cache(options_in(folder));
    const Fetched old = cache.fetch({server.url("/a")});
    answers["/a"] = answer(200, "two", {"ETag: 2"});
    CHECK(text_of(cache.fetch({server.url("/a")})) == "two");
    CHECK(text_of(old) == "one");  // for who has it open
    const fs::directory_iterator files(folder.path() / "cache");
    CHECK(std::distance(begin(files), end(files)) == 2);  // the text, and a note on it
}

TEST_CASE("An index is not fetched where the hash beside it is that of the copy") {
    const TempFolder folder;
    Answers answers{{"/m/index.json?s=1", answer(200, "one", {"ETag: 1"})},
                    {"/m/index.json.hash?s=1", answer(200, sha256_of("one") + "\n")}};
    const Server server(answers);
    const Wanted wanted{server.url("/m/index.json?s=1")};
    HttpCache cache(options_in(folder));
    CHECK(cache.fetch(wanted).is_new);
    CHECK(server.paths() == Lines{"/m/index.json?s=1"});
    CHECK_FALSE(cache.fetch(wanted).is_new);
    CHECK(server.paths().back() == "/m/index.json.hash?s=1");
    CHECK(server.paths().size() == 2);
    answers["/m/index.json.hash?s=1"] = answer(200, sha256_of("two"));
    answers["/m/index.json?s=1"] = answer(200, "two", {"ETag: 2"});
    CHECK(text_of(cache.fetch(wanted)) == "two");
    answers.erase("/m/index.json.hash?s=1");
    answers["/m/index.json?s=1"] = answer(304);
    CHECK(text_of(cache.fetch(wanted)) == "two");
}

TEST_CASE("A file that is named by its content is asked for once") {
    const TempFolder folder;
    const auto name = [](const std::string& text) {
        return "/m/blobs/sha256/" + sha256_of(text).substr(0, 2) + "/" + sha256_of(text);
    };
    const Answers answers{{name("one"), answer(200, "one")},
                          {name("two"), answer(200, "two")},
                          {name("three"), answer(200, "other")}};
    const Server server(answers);
    HttpCache cache(options_in(folder));
    CHECK(cache.fetch({server.url(name("one"))}).is_new);
    CHECK_FALSE(cache.fetch({server.url(name("one"))}).is_new);
    CHECK(server.requests().size() == 1);
    CHECK(text_of(cache.fetch({server.url(name("two"))})) == "two");
    const fs::directory_iterator files(folder.path() / "cache");
    CHECK(std::distance(begin(files), end(files)) == 2);  // the first is gone
    CHECK(problem_of(cache, {server.url(name("three"))}) ==
          server.url(name("three")) + ": expected content with the sha256 " + sha256_of("three") +
              ", got " + sha256_of("other"));
}

TEST_CASE("A file must be what is known of it") {
    const TempFolder folder;
    const Answers answers{{"/a", answer(200, "text")}};
    const Server server(answers);
    HttpCache cache(options_in(folder));
    CHECK(problem_of(cache, {server.url("/a"), any_address, sha256_of("text"), 5}) ==
          server.url("/a") + ": expected 5 bytes, got 4");
    CHECK_THAT(problem_of(cache, {server.url("/a"), any_address, sha256_of("other"), 4}),
               ContainsSubstring("expected content with the sha256"));
    CHECK(cache.fetch({server.url("/a"), any_address, sha256_of("text"), 4}).is_new);
}

TEST_CASE("A copy that is damaged is fetched again") {
    const TempFolder folder;
    const Server server(with_etag("text", "\"1\""));
    HttpCache cache(options_in(folder));
    cache.fetch({server.url("/a")});
    for (const auto& entry : fs::directory_iterator(folder.path() / "cache")) {
        std::ofstream(entry.path(), std::ios::trunc) << "tex";
    }
    const Fetched again = cache.fetch({server.url("/a")});
    CHECK(again.is_new);
    CHECK(text_of(again) == "text");
}

TEST_CASE("A copy that is discarded is fetched again") {
    const TempFolder folder;
    const Server server(with_etag("text", "\"1\""));
    HttpCache cache(options_in(folder));
    cache.fetch({server.url("/a")});
    cache.discard(server.url("/a"));
    CHECK(cache.fetch({server.url("/a")}).is_new);
}

TEST_CASE("A server that fails is asked again") {
    const TempFolder folder;
    std::atomic<int> asked = 0;
    const Server server([&](const Request& /*request*/, Connection& connection) {
        const int now = ++asked;
        connection.send(now == 1   ? answer(500)
                        : now == 2 ? "HTTP/1.1 200 Said\r\nContent-Length: 9\r\n\r\nte"
                        : now == 3 ? answer(429, "", {"Retry-After: 3600"})
                                   : answer(200, "text"));
    });
    Lines said;
    HttpOptions options = options_in(folder);
    options.say = [&](const std::string& line) { said.push_back(line); };
    HttpCache cache(options);
    CHECK(text_of(cache.fetch({server.url("/a?secret")})) == "text");
    REQUIRE(said.size() == 3);
    CHECK(said[0] == server.url("/a") +
                         ": the server says 500 (internal server error); trying again in 0.0 s");
    CHECK_THAT(said[1], ContainsSubstring("cut off"));
    CHECK_THAT(said[2], ContainsSubstring("the server says 429 (too many requests)"));
}

TEST_CASE("A server that goes on failing is given up") {
    const TempFolder folder;
    const Answers answers{{"/a", answer(503)}};
    const Server server(answers);
    HttpCache cache(options_in(folder));
    CHECK(problem_of(cache, {server.url("/a")}) ==
          server.url("/a") + ": the server says 503 (service unavailable)");
    CHECK(server.requests().size() == 4);
}

TEST_CASE("A file that isn't there is asked for once") {
    const TempFolder folder;
    const Answers answers{{"/denied", answer(403)}, {"/odd", answer(204)}, {"/same", answer(304)}};
    const Server server(answers);
    HttpCache cache(options_in(folder));
    CHECK(problem_of(cache, {"http://me:secret@127.0.0.1:" + std::to_string(server.port()) +
                             "/a?token=1"}) ==
          server.url("/a") + ": the server says 404 (not found)");
    CHECK_THAT(problem_of(cache, {server.url("/denied")}),
               ContainsSubstring("the server says 403 (forbidden): it denies access"));
    CHECK_THAT(problem_of(cache, {server.url("/odd")}),
               ContainsSubstring("the server says 204; expected 200"));
    CHECK_THAT(problem_of(cache, {server.url("/same")}),
               ContainsSubstring("the server says 304; expected 200"));
    CHECK(server.requests().size() == 4);
}

TEST_CASE("Credentials and queries are not kept in the cache") {
    const TempFolder folder;
    const Answers answers{{"/a?token=hidden", answer(200, "text")}};
    const Server server(answers);
    HttpCache cache(options_in(folder));
    cache.fetch(
        {"http://me:secret@127.0.0.1:" + std::to_string(server.port()) + "/a?token=hidden"});
    for (const auto& entry : fs::directory_iterator(folder.path() / "cache")) {
        std::ifstream file(entry.path());
        const std::string text(std::istreambuf_iterator<char>(file), {});
        CHECK_THAT(text, !ContainsSubstring("secret"));
        CHECK_THAT(text, !ContainsSubstring("hidden"));
    }
}

TEST_CASE("Several at once do no harm to the cache") {
    const TempFolder folder;
    std::atomic<int> count = 0;
    const std::string half(50'000, 'a');
    const Server server([&](const Request& /*request*/, Connection& connection) {
        const std::string text = half + std::to_string(++count % 3) + half;
        connection.send(answer(200, text));
    });
    std::vector<std::jthread> threads;
    std::atomic<int> good = 0;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            HttpCache cache(options_in(folder));
            for (int j = 0; j < 25; ++j) {
                try {
                    const Fetched fetched = cache.fetch({server.url("/a")});
                    good += sha256_of(text_of(fetched)) == fetched.sha256 ? 1 : 0;
                } catch (const std::exception& /*error*/) {
                    // It is not good then.
                }
            }
        });
    }
    threads.clear();
    CHECK(good == 100);
}

TEST_CASE("A cache that can't be written is named") {
    const TempFolder folder;
    folder.write("cache", "a file");
    const Answers answers{{"/a", answer(200, "text")}};
    const Server server(answers);
    HttpCache cache(options_in(folder));
    CHECK_THAT(problem_of(cache, {server.url("/a")}),
               ContainsSubstring((folder.path() / "cache").string() + ": can't be "));
}

TEST_CASE("A cache that others may change is refused") {
    const TempFolder folder;
    const fs::path cache = folder.path() / "cache";
    const Answers answers{{"/a", answer(200, "text")}};
    const Server server(answers);
    fs::create_directory(cache);
    std::string expected;
    SECTION("its mode") {
        fs::permissions(cache, GENERATE(fs::perms::group_write, fs::perms::others_write),
                        fs::perm_options::add);
        expected = "cache: expected a folder to which nobody else may write, found the mode 07";
    }
    SECTION("that of the folder around it") {
        fs::permissions(folder.path(), fs::perms::all);
        expected = "cache: anybody may put another folder in its place, as ";
    }
    SECTION("a link to such a folder") {
        fs::rename(cache, folder.path() / "elsewhere");
        fs::permissions(folder.path() / "elsewhere", fs::perms::all);
        fs::create_directory_symlink("elsewhere", cache);
        expected = "cache: expected a folder to which nobody else may write, found the mode 0777";
    }
    SECTION("its owner") {
        if (chown(cache.c_str(), 12345, static_cast<gid_t>(-1)) != 0) {
            return;  // only root can give a folder away
        }
        expected = "cache: expected a folder of the user who runs this, found one of another";
    }
    SECTION("the owner of a link") {
        fs::rename(cache, folder.path() / "elsewhere");
        fs::create_directory_symlink("elsewhere", cache);
        if (lchown(cache.c_str(), 12345, static_cast<gid_t>(-1)) != 0) {
            return;  // only root can give a link away
        }
        expected = "cache: expected a folder of the user who runs this, found one of another";
    }
    HttpCache http(options_in(folder));
    const std::string problem = problem_of(http, {server.url("/a")});
    CHECK_THAT(problem, ContainsSubstring(expected));
    CHECK_THAT(problem, ContainsSubstring("XDG_CACHE_HOME"));
    CHECK(server.requests().empty());
}

TEST_CASE("A cache of the user's own is used, also by a link of theirs") {
    const TempFolder folder;
    const Answers answers{{"/a", answer(200, "text")}};
    const Server server(answers);
    fs::create_directory(folder.path() / "elsewhere");
    fs::permissions(folder.path() / "elsewhere", fs::perms::owner_all | fs::perms::group_read);
    fs::create_directory_symlink("elsewhere", folder.path() / "cache");
    HttpCache http(options_in(folder));
    CHECK(text_of(http.fetch({server.url("/a")})) == "text");
}

TEST_CASE("A validator with control characters is neither kept nor sent") {
    const TempFolder folder;
    const std::string bad = GENERATE("\"\x01\"", "\"\x7f\"", "\"\x1b[31m\"");
    const Answers answers{{"/a", answer(200, "text", {"ETag: " + bad, "Last-Modified: " + bad})}};
    const Server server(answers);
    HttpCache(options_in(folder)).fetch({server.url("/a")});
    for (const auto& entry : fs::directory_iterator(folder.path() / "cache")) {
        if (entry.path().extension() == ".json") {
            std::ifstream note(entry.path());
            const std::string text((std::istreambuf_iterator<char>(note)), {});
            CHECK_THAT(text, ContainsSubstring("\"etag\": \"\""));
            CHECK_THAT(text, ContainsSubstring("\"last_modified\": \"\""));
        }
    }
    HttpCache(options_in(folder)).fetch({server.url("/a")});
    const auto seen = server.requests();
    REQUIRE(seen.size() == 2);
    CHECK(!seen[1].headers.contains("if-none-match"));
    CHECK(!seen[1].headers.contains("if-modified-since"));
}

TEST_CASE("A validator that somebody wrote into the cache adds no header") {
    const TempFolder folder;
    const Answers answers{{"/a", answer(200, "text", {"ETag: MARK"})}};
    const Server server(answers);
    HttpCache(options_in(folder)).fetch({server.url("/a")});
    for (const auto& entry : fs::directory_iterator(folder.path() / "cache")) {
        if (entry.path().extension() == ".json") {
            std::ifstream note(entry.path());
            std::string text((std::istreambuf_iterator<char>(note)), {});
            text.replace(text.find("MARK"), 4, "1\\r\\nX-Mine: 1");
            std::ofstream(entry.path()) << text;
        }
    }
    HttpCache(options_in(folder)).fetch({server.url("/a")});
    const auto seen = server.requests();
    REQUIRE(seen.size() == 2);
    CHECK(!seen[1].headers.contains("x-mine"));
    CHECK(!seen[1].headers.contains("if-none-match"));
}

TEST_CASE("What a killed process left is removed after a day") {
    const TempFolder folder;
    const fs::path old = folder.write("cache/new-old", "x");
    const fs::path young = folder.write("cache/new-young", "x");
    fs::last_write_time(old, fs::file_time_type::clock::now() - 48h);
    const CacheFolder cache(folder.path() / "cache");
    CHECK_FALSE(fs::exists(old));
    CHECK(fs::exists(young));
}

}  // namespace http_cache_test
