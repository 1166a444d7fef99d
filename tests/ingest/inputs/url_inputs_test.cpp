#include <filesystem>
#include <fstream>
#include <string>

#include "ingest/sources/inputs/inputs.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace url_inputs_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
using http_fixture::answer;
using http_fixture::Server;
using Answers = std::map<std::string, std::string>;

namespace {

std::string text_of(const Input& input) {
    const OpenBytes bytes = input.open().bytes();
    std::string text(1 << 20, '\0');
    text.resize(bytes->read(text.data(), text.size()));
    return text;
}

InputOptions options_of(const TempFolder& folder, const std::string& argument) {
    InputOptions options{{argument}};
    options.http.folder = folder.path() / "cache";
    options.http.first_wait = std::chrono::milliseconds(1);
    return options;
}

Input only_input(const InputOptions& options) {
    const Inputs inputs = find_inputs(options);
    REQUIRE(inputs.refs.size() == 1);
    REQUIRE(inputs.refs[0].inputs.size() == 1);
    return inputs.refs[0].inputs[0];
}

template <typename Work>
std::string problem_in(const Work& work) {
    try {
        work();
    } catch (const InputError& error) {
        CHECK(error.problems().size() == 1);
        return error.what();
    }
    return "none";
}

std::string problem_of(const InputOptions& options) {
    return problem_in([&] { find_inputs(options); });
}

}  // namespace

TEST_CASE("A file by URL is what its content says, and shown without its query") {
    const TempFolder folder;
    const Answers answers{{"/index.json?token=1", answer(200, gzipped(texts::index()))},
                          {"/spack.lock", answer(200, texts::lock)},
                          {"/page.json", answer(200, texts::page)}};
    const Server server(answers);
    const Input input = only_input(options_of(
        folder,
        "e4s=http://me:secret@127.0.0.1:" + std::to_string(server.port()) + "/index.json?token=1"));
    CHECK(text_of(input) == gzipped(texts::index()));
    CHECK(input.label == "e4s");
    CHECK(input.place == server.url("/index.json"));
    CHECK(find_inputs(options_of(folder, server.url("/spack.lock"))).kind == Shape::lock);
    CHECK_THAT(problem_of(options_of(folder, server.url("/page.json"))),
               ContainsSubstring("found YAML"));
    CHECK(problem_of(options_of(folder, server.url("/gone.json"))) ==
          server.url("/gone.json") + ": the server says 404 (not found)");
}

TEST_CASE("A mirror by URL is read in its newest layout") {
    const TempFolder folder;
    const std::string index = texts::index("three");
    Answers answers{{"/m/build_cache/index.json", answer(200, texts::index("two"))}};
    const Server server(answers);
    CHECK(text_of(only_input(options_of(folder, server.url("/m")))) == texts::index("two"));
    CHECK(server.paths() ==
          Lines{"/m", "/m/v3/manifests/index/index.manifest.json", "/m/build_cache/index.json"});
    answers["/m/v3/manifests/index/index.manifest.json"] =
        answer(200, texts::index_manifest(texts::entry(index)));
    answers["/m/" + texts::blob_path(index)] = answer(200, index);
    const Input input = only_input(options_of(folder, server.url("/m/")));
    CHECK(text_of(input) == index);
    CHECK(input.place == server.url("/m/" + texts::blob_path(index)));
    CHECK_FALSE(input.mirror.has_value());
    // Again: the manifest is asked for, the index is not.
    const std::size_t before = server.requests().size();
    CHECK(text_of(only_input(options_of(folder, server.url("/m/")))) == index);
    CHECK(server.requests().size() == before + 1);
}

TEST_CASE("An index of a mirror must be what its manifest says") {
    const TempFolder folder;
    const std::string index = texts::index("right");
    const Answers answers{{"/v3/manifests/index/index.manifest.json",
                           answer(200, texts::index_manifest(texts::entry(index)))},
                          {"/" + texts::blob_path(index), answer(200, texts::index("wrong"))}};
    const Server server(answers);
    CHECK_THAT(problem_of(options_of(folder, server.url(""))),
               ContainsSubstring(": expected content with the sha256"));
}

TEST_CASE("A file by URL is asked for first, whatever its name") {
    const TempFolder folder;
    const Answers answers{{"/latest", answer(200, texts::index())},
                          {"/folder/", answer(200, texts::index())}};
    const Server server(answers);
    CHECK(text_of(only_input(options_of(folder, server.url("/latest")))) == texts::index());
    CHECK(server.paths() == Lines{"/latest"});
    CHECK(text_of(only_input(options_of(folder, server.url("/folder/")))) == texts::index());
    CHECK(server.paths().back() == "/folder/");  // it looks like a folder
    CHECK(server.paths().size() == 9);
}

TEST_CASE("Whatever a server has for the root of a mirror, its index is found") {
    for (const std::string& root :
         {answer(200, "<html>"), answer(200, R"({"a": 1})"), answer(200, "{"), answer(403),
          answer(401), answer(500), answer(204)}) {
        CAPTURE(root);
        const TempFolder folder;
        const Answers answers{{"/m", root},
                              {"/m/build_cache/index.json", answer(200, texts::index())}};
        const Server server(answers);
        CHECK(text_of(only_input(options_of(folder, server.url("/m")))) == texts::index());
    }
}

TEST_CASE("An URL below which nothing is known says what each place was answered") {
    const TempFolder folder;
    Answers answers{{"/m/build_cache/index.json?token=1", answer(403)},
                    {"/m/index.json?token=1", answer(410)}};
    const Server server(answers);
    CHECK(problem_of(options_of(folder, server.url("/m?token=1"))) ==
          server.url("/m") +
              ": found no index, neither at this URL nor below it; the server says 403 (forbidden) "
              "of build_cache/index.json; 404 (not found) of the URL itself, "
              "v3/manifests/index/index.manifest.json, index.manifest.json, "
              ".spack-db/index.json, spack.lock, cache_spack_io_index.json; 410 (gone) of "
              "index.json");
    CHECK(server.requests().size() == 8);
    answers["/m?token=1"] = answer(200, "<html>");
    CHECK_THAT(problem_of(options_of(folder, server.url("/m?token=1"))),
               ContainsSubstring(server.url("/m") + ": expected JSON: ") &&
                   ContainsSubstring("; below it, the server says 403 (forbidden) of build_cache"));
    answers["/m?token=1"] = answer(200, R"({"keys": {}})");
    CHECK_THAT(problem_of(options_of(folder, server.url("/m?token=1"))),
               ContainsSubstring("found the index of a mirror's signing keys"));
}

TEST_CASE("A server that refuses a file is not one without it") {
    const TempFolder folder;
    const std::string index = texts::index();
    Answers answers{{"/denied.json", answer(403)},
                    {"/v3/manifests/index/index.manifest.json",
                     answer(200, texts::index_manifest(texts::entry(index)))},
                    {"/" + texts::blob_path(index), answer(403)},
                    {"/m/v3/manifests/index/index.manifest.json", answer(401)}};
    const Server server(answers);
    const auto problem = [&](const std::string& path) {
        return problem_of(options_of(folder, server.url(path)));
    };
    CHECK_THAT(problem("/denied.json"),
               ContainsSubstring(server.url("/denied.json") +
                                 ": the server says 403 (forbidden): it denies access"));
    CHECK_THAT(problem("/m"),
               ContainsSubstring(server.url("/m/v3/manifests/index/index.manifest.json") +
                                 ": the server says 401 (unauthorized): it wants a name and the"));
    CHECK_THAT(problem("/"), ContainsSubstring(server.url("/" + texts::blob_path(index)) +
                                               ": the server says 403 (forbidden)") &&
                                 ContainsSubstring("the manifest of its mirror names this file"));
}

TEST_CASE("A server that fails is not one without an index") {
    const TempFolder folder;
    const Answers answers{{"/m/v3/manifests/index/index.manifest.json", answer(500)},
                          {"/m/build_cache/index.json", answer(200, texts::index())}};
    const Server server(answers);
    CHECK_THAT(problem_of(options_of(folder, server.url("/m"))),
               ContainsSubstring("the server says 500 (internal server error)"));
}

TEST_CASE("A manifest by URL names indexes on the web") {
    const TempFolder folder;
    const std::string right = texts::index("right");
    Answers answers;
    const Server server(answers);
    const auto label = [](const std::string& name, const std::string& url) {
        return fmt::format(R"({{"label": "{}", "url": "{}"}})", name, url);
    };
    answers["/refs.json"] = answer(
        200, fmt::format(
                 R"({{"develop": [{}]}})",
                 fmt::join(Lines{label("root", server.url("/develop/index.json")),
                                 label("e4s", "s3://bucket/e4s/index.json"),
                                 label("blob", server.url("/" + texts::blob_path(right))),
                                 label("near", "near/index.json"),
                                 label("gone", server.url("/gone.json?token=1")),
                                 label("private", "http://10.0.0.1/index.json"),
                                 label("metadata", "http://169.254.169.254/index.json"),
                                 label("file", "file:///etc/passwd"), label("path", "/etc/passwd"),
                                 label("up", "../../../etc/passwd")},
                           ",")));
    answers["/develop/index.json"] = answer(200, texts::index("root"));
    answers["/mapped/e4s/index.json"] = answer(200, texts::index("e4s"));
    answers["/near/index.json"] = answer(200, texts::index("near"));
    answers["/" + texts::blob_path(right)] = answer(200, right);
    InputOptions options = options_of(folder, server.url("/refs.json"));
    options.url_maps = {"s3://bucket=" + server.url("/mapped")};
    const Inputs inputs = find_inputs(options);
    CHECK(server.paths() == Lines{"/refs.json"});  // nothing else yet
    REQUIRE(inputs.refs.size() == 1);
    const auto& all = inputs.refs[0].inputs;
    REQUIRE(all.size() == 10);
    CHECK(text_of(all[0]) == texts::index("root"));
    CHECK(text_of(all[1]) == texts::index("e4s"));
    CHECK(all[1].place == server.url("/mapped/e4s/index.json"));
    CHECK(text_of(all[2]) == right);
    CHECK(text_of(all[3]) == texts::index("near"));
    const auto problem = [&](std::size_t i) { return problem_in([&] { all[i].open(); }); };
    CHECK(problem(4) == server.url("/gone.json") + ": the server says 404 (not found)");
    CHECK_THAT(problem(5),
               ContainsSubstring("refused: 10.0.0.1 is an address of a private network"));
    CHECK_THAT(problem(6), ContainsSubstring("refused: 169.254.169.254 is an address of the"));
    for (const std::size_t i : {7U, 8U, 9U}) {
        CHECK_THAT(problem(i), ContainsSubstring("expected a URL with http:// or https://"));
    }
}

TEST_CASE("Indexes on the server of a manifest get its credentials, others do not") {
    const TempFolder folder;
    const Answers of_other{{"/index.json", answer(200, texts::index("other"))}};
    const Server other(of_other);
    std::string refs;
    const Server server(
        [&](const http_fixture::Request& request, http_fixture::Connection& connection) {
            connection.send(request.headers.count("authorization") == 0 ? answer(401)
                            : request.path == "/refs.json"              ? answer(200, refs)
                                                           : answer(200, texts::index()));
        });
    const std::string authority = "me:secret@127.0.0.1:" + std::to_string(server.port());
    refs = fmt::format(R"({{"a": [{{"label": "near", "url": "index.json"}},
        {{"label": "same", "url": "{}"}}, {{"label": "mapped", "url": "s3://bucket/index.json"}},
        {{"label": "other", "url": "{}"}}]}})",
                       server.url("/same/index.json"), other.url("/index.json"));
    InputOptions options = options_of(folder, "http://" + authority + "/refs.json");
    options.url_maps = {"s3://bucket=" + server.url("/mapped")};
    const auto all = find_inputs(options).refs.at(0).inputs;
    for (const std::size_t i : {0U, 1U, 2U}) {
        CAPTURE(i);
        CHECK(problem_in([&] { CHECK(text_of(all[i]) == texts::index()); }) == "none");
        CHECK_THAT(all[i].place, !ContainsSubstring("secret"));
    }
    CHECK(text_of(all[3]) == texts::index("other"));
    CHECK(other.requests().at(0).headers.count("authorization") == 0);
    std::size_t files = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.path() / "cache")) {
        std::ifstream stream(file.path());
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        CHECK_THAT(text, !ContainsSubstring("secret"));
        ++files;
    }
    CHECK(files > 0);
}

TEST_CASE("An entry of a manifest that no way leads to is named") {
    const TempFolder folder;
    const auto manifest = folder.write(
        "refs.json", R"({"develop": [{"label": "e4s", "url": "ftp://me:secret@host/index.json?a"},
                                     {"label": "s3", "url": "s3://mine/index.json"},
                                     {"label": "none", "url": "http:///index.json"}]})");
    const Answers answers{{"/refs.json", answer(200, R"({"v1": [
        {"label": "e4s", "url": "ftp://host/index.json"}, {"label": "p", "url": "/etc/passwd"}]})")}};
    const Server server(answers);
    const auto local = find_inputs(options_of(folder, manifest.string())).refs.at(0).inputs;
    const auto remote = find_inputs(options_of(folder, server.url("/refs.json"))).refs.at(0).inputs;
    const auto problem = [](const Input& input) { return problem_in([&] { input.open(); }); };
    CHECK(problem(local[0]) ==
          manifest.string() +
              ": the URL of e4s in develop: ftp://host/index.json: ftp:// can't be "
              "read: expected a path, or a URL with http://, https://, oci:// or file://");
    CHECK_THAT(problem(local[1]),
               ContainsSubstring(": the URL of s3 in develop: s3://mine/index.json: ") &&
                   ContainsSubstring("--map-url s3://mine="));
    CHECK_THAT(problem(local[2]),
               ContainsSubstring(": the URL of none in develop: http:///index.json: "));
    CHECK_THAT(problem(remote[0]),
               ContainsSubstring(server.url("/refs.json") + ": the URL of e4s in v1: ftp://host"));
    CHECK_THAT(problem(remote[1]), ContainsSubstring(": the URL of p in v1: /etc/passwd: "));
}

TEST_CASE("A manifest of this machine may name what its owner may") {
    const TempFolder folder;
    const Answers answers{{"/index.json", answer(200, texts::index("web"))}};
    const Server server(answers);
    const auto manifest = folder.write(
        "refs.json",
        fmt::format(R"({{"a": [{{"label": "root", "url": "{}"}}]}})", server.url("/index.json")));
    CHECK(text_of(only_input(options_of(folder, manifest.string()))) == texts::index("web"));
}

TEST_CASE("A map of the user's own leads to a folder, but not out of it") {
    const TempFolder folder;
    Answers answers{{"/refs.json", answer(200, R"({"a": [
        {"label": "in", "url": "s3://bucket/index.json"},
        {"label": "out", "url": "s3://bucket/../secret.json"},
        {"label": "coded", "url": "s3://bucket/%2e%2e/secret.json"}]})")}};
    const Server server(answers);
    folder.write("mirror/index.json", texts::index("in"));
    folder.write("secret.json", texts::index("secret"));
    for (const std::string start : {"", "file://"}) {
        InputOptions options = options_of(folder, server.url("/refs.json"));
        options.url_maps = {"s3://bucket=" + start + (folder.path() / "mirror").string()};
        const auto all = find_inputs(options).refs.at(0).inputs;
        CHECK(text_of(all[0]) == texts::index("in"));
        CHECK_THAT(problem_in([&] { all[1].open(); }),
                   ContainsSubstring("leads out of its folder"));
        CHECK(problem_in([&] { all[2].open(); }) != "none");
    }
}

TEST_CASE("A copy that turned out to be damaged is not used again") {
    const TempFolder folder;
    const Server server(
        [](const http_fixture::Request& request, http_fixture::Connection& connection) {
            connection.send(request.path == "/index.json.hash" ? answer(404)
                            : request.headers.count("if-none-match") == 1
                                ? answer(304)
                                : answer(200, texts::index(), {"ETag: 1"}));
        });
    const InputOptions options = options_of(folder, server.url("/index.json"));
    only_input(options).discard();
    const std::size_t before = server.requests().size();
    only_input(options);
    CHECK(server.requests().at(before).headers.count("if-none-match") == 0);
}

TEST_CASE("What is fetched with progress can be stopped") {
    const TempFolder folder;
    const Answers answers{{"/index.json", answer(200, texts::index())}};
    const Server server(answers);
    InputOptions options = options_of(folder, server.url("/index.json"));
    options.http.progress = [&](const std::string& place, std::uint64_t,
                                std::optional<std::uint64_t>) {
        CHECK(place == server.url("/index.json"));
        throw Interrupted("stop");
    };
    CHECK_THROWS_AS(find_inputs(options), Interrupted);
}

}  // namespace url_inputs_test
