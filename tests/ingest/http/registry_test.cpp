#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/sources/http/registry_login.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/text/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/program/process.hpp"

namespace registry_test {

// Build caches in OCI registries, as Spack pushes them.
using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
using graph_text::NodeText;
using http_fixture::answer;
using http_fixture::Connection;
using http_fixture::Request;
using http_fixture::Server;
using Answers = std::map<std::string, std::string>;

namespace fs = std::filesystem;

namespace {

const std::string hdf5 = hash_of("a");
const std::string zlib = hash_of("c");

std::string node_text(const std::string& hash) {
    NodeText text{.hash = hash, .package = hash == hdf5 ? "hdf5" : "zlib"};
    if (hash == hdf5) {
        text.dependencies = {{"zlib", zlib}};
    }
    return text.text(5);
}

/// What Spack writes as the configuration of an image: the spec, and what images have.
std::string config_text(const Lines& hashes) {
    std::string nodes;
    for (const std::string& hash : hashes) {
        nodes += (nodes.empty() ? "" : ",") + node_text(hash);
    }
    return fmt::format(
        R"({{"architecture":"amd64","os":"linux","rootfs":{{"type":"layers","diff_ids":[]}},)"
        R"("config":{{}},"spec":{{"_meta":{{"version":5}},"nodes":[{}]}}}})",
        nodes);
}

std::string index_of_all() {
    std::string installs;
    for (const std::string& hash : {hdf5, zlib}) {
        installs += fmt::format(R"({}"{}":{{"spec":{},"ref_count":1,"in_buildcache":true}})",
                                installs.empty() ? "" : ",", hash, node_text(hash));
    }
    return fmt::format(R"({{"database":{{"version":"8","installs":{{{}}}}}}})", installs);
}

std::string descriptor(const std::string& text) {
    return fmt::format(R"({{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip",)"
                       R"("digest":"sha256:{}","size":{}}})",
                       sha256_of(text), text.size());
}

std::string layer(int size) {
    return fmt::format(R"({{"digest":"sha256:{}","size":{}}})", sha256_of("a layer"), size);
}

std::string manifest_text(const std::string& config, const std::string& layers) {
    return fmt::format(R"({{"schemaVersion":2,"config":{},"layers":[{}]}})", descriptor(config),
                       layers);
}

/// What a registry has of the cache site/cache, by its path below /v2/site/cache/.
struct Cache {
    Answers answers;

    void blob(const std::string& text) {
        answers["/v2/site/cache/blobs/sha256:" + sha256_of(text)] = answer(200, text);
    }
    void tag(const std::string& name, const std::string& manifest) {
        answers["/v2/site/cache/manifests/" + name] = answer(200, manifest);
    }
    void index(const std::string& text) {
        blob(text);
        tag("index.spack", manifest_text("{}", descriptor(text)));
    }
    /// The builds by their tags, without an index.
    void builds() {
        for (const std::string& hash : {hdf5, zlib}) {
            const std::string config = config_text(hash == hdf5 ? Lines{hdf5, zlib} : Lines{zlib});
            blob(config);
            tag(tag_of(hash),
                manifest_text(config, hash == hdf5 ? layer(20) + "," + layer(100) : layer(20)));
        }
        answers["/v2/site/cache/tags/list?n=1000"] =
            answer(200, fmt::format(R"({{"name":"site/cache","tags":["{}"]}})", tag_of(hdf5)),
                   {"Link: </v2/site/cache/tags/list?n=1000&last=x>; rel=\"next\""});
        answers["/v2/site/cache/tags/list?n=1000&last=x"] =
            answer(200, fmt::format(R"({{"tags":["latest","{}"]}})", tag_of(zlib)));
    }
    static std::string tag_of(const std::string& hash) {
        return fmt::format("{}-1.0-{}.spack", hash == hdf5 ? "hdf5" : "zlib", hash);
    }
};

InputOptions options_in(const TempFolder& folder, const std::string& argument) {
    InputOptions options{{argument}};
    options.http.folder = folder.path() / "cache";
    options.http.first_wait = std::chrono::milliseconds(1);
    return options;
}

std::string oci_url(const Server& server, const std::string& credentials = "") {
    return fmt::format("oci+http://{}127.0.0.1:{}/site/cache", credentials, server.port());
}

IngestResult load_url(TempLedger& ledger, const std::string& url, bool if_changed = false) {
    const Inputs inputs = find_inputs(options_in(ledger.folder(), url));
    return ingest(ledger.database(), *open_graphs(inputs, "site", url),
                  {.taken_at = parse_moment(if_changed ? "2025-03-02" : "2025-03-01").value(),
                   .if_changed = if_changed},
                  [](std::size_t, std::size_t) {});
}

/// What loading says; "none" where it does not fail.
std::string problem_of_url(const std::string& url) {
    TempLedger ledger;
    return thrown<InputError>([&] { load_url(ledger, url); });
}

std::string asked(const Server& server, const std::string& header, std::size_t number) {
    const Request request = server.requests().at(number);
    const auto found = request.headers.find(header);
    return found == request.headers.end() ? "" : found->second;
}

/// The variable DOCKER_CONFIG, as long as this lives.
struct DockerConfig {
    explicit DockerConfig(const std::string& text) {
        folder.write("config.json", text);
        setenv("DOCKER_CONFIG", folder.path().c_str(), 1);
    }
    ~DockerConfig() { unsetenv("DOCKER_CONFIG"); }
    TempFolder folder;
};

}  // namespace

TEST_CASE("The index of a registry is read by its bytes, and once") {
    for (const std::string& index : {index_of_all(), gzipped(index_of_all())}) {
        Cache cache;
        cache.index(index);
        const Server server(cache.answers);
        TempLedger ledger;
        load_url(ledger, oci_url(server));
        CHECK(ledger.rows("SELECT package FROM specs ORDER BY 1") == Lines{"hdf5", "zlib"});
        CHECK(ledger.value("SELECT count(*) FROM dependencies") == "1");
        CHECK_THAT(asked(server, "accept", 0),
                   ContainsSubstring("application/vnd.oci.image.index.v1+json"));
        const std::size_t before = server.requests().size();
        const IngestResult again = load_url(ledger, oci_url(server), true);
        CHECK(again.unchanged.size() == 1);
        REQUIRE(server.paths().size() == before + 1);
        CHECK(server.paths().back() == "/v2/site/cache/manifests/index.spack");
        CHECK(find_inputs(options_in(ledger.folder(), oci_url(server))).refs[0].inputs[0].place ==
              oci_url(server));
    }
}

TEST_CASE("An image index stands for its first manifest") {
    Cache cache;
    cache.index(index_of_all());
    const std::string manifest = manifest_text("{}", descriptor(index_of_all()));
    cache.tag("sha256:" + sha256_of(manifest), manifest);
    cache.tag("index.spack", fmt::format(R"({{"manifests":[{}]}})", descriptor(manifest)));
    const Server server(cache.answers);
    CHECK(problem_of_url(oci_url(server)) == "none");
    cache.tag("sha256:" + sha256_of(manifest), manifest + " ");
    CHECK_THAT(problem_of_url(oci_url(server)), ContainsSubstring("expected"));
}

TEST_CASE("A registry without an index is read by its tags, with the size of the last layer") {
    Cache cache;
    cache.builds();
    const Server server(cache.answers);
    TempLedger ledger;
    load_url(ledger, oci_url(server));
    CHECK(ledger.rows("SELECT package, size FROM specs ORDER BY 1") ==
          Lines{"hdf5|100", "zlib|20"});
    CHECK(ledger.value("SELECT count(*) FROM findings") == "0");
    Cache with_index;
    with_index.index(index_of_all());
    const Server other(with_index.answers);
    TempLedger expected;
    load_url(expected, oci_url(other));
    CHECK(ledger.views().at("dependencies") == expected.views().at("dependencies"));

    // A build that is not what its manifest says fails the run, unless it may be left out.
    const std::string config = config_text({zlib});
    cache.answers["/v2/site/cache/blobs/sha256:" + sha256_of(config)] =
        answer(200, config_text({hdf5, zlib}));
    CHECK_THAT(problem_of_url(oci_url(server)), ContainsSubstring("expected "));
    cache.answers.erase("/v2/site/cache/manifests/" + Cache::tag_of(zlib));
    CHECK(problem_of_url(oci_url(server)) == server.url("/v2/site/cache/manifests/") +
                                                 Cache::tag_of(zlib) +
                                                 ": the server says 404 (not found)");
}

TEST_CASE("A token is asked for where the registry wants one, and again when it ran out") {
    Cache cache;
    cache.index(index_of_all());
    int tokens = 0;
    std::string basic;
    std::unique_ptr<Server> server;
    server = std::make_unique<Server>([&](const Request& request, Connection& connection) {
        if (request.path.starts_with("/token?service=the%20registry&scope=")) {
            const auto sent = request.headers.find("authorization");
            basic = sent == request.headers.end() ? "" : sent->second;
            connection.send(answer(200, fmt::format(R"({{"token":"t{}"}})", ++tokens)));
            return;
        }
        // Each token is good for one answer.
        const auto sent = request.headers.find("authorization");
        static int used = 0;
        used = tokens == 0 ? 0 : used;
        if (sent == request.headers.end() || sent->second != fmt::format("Bearer t{}", tokens) ||
            used == tokens) {
            connection.send(
                answer(401, "",
                       {fmt::format("WWW-Authenticate: Bearer realm=\"http://127.0.0.1:{}/token\","
                                    "service=\"the registry\",scope=\"registry:catalog:*\"",
                                    server->port())}));
            return;
        }
        used = tokens;
        connection.send(cache.answers.at(request.path));
    });
    TempLedger ledger;
    load_url(ledger, oci_url(*server));
    CHECK(server->paths() == Lines{"/v2/site/cache/manifests/index.spack",
                                   "/token?service=the%20registry&scope=repository:site/cache:pull",
                                   "/v2/site/cache/manifests/index.spack",
                                   "/v2/site/cache/blobs/sha256:" + sha256_of(index_of_all()),
                                   "/token?service=the%20registry&scope=repository:site/cache:pull",
                                   "/v2/site/cache/blobs/sha256:" + sha256_of(index_of_all())});
    CHECK(basic.empty());

    // "me:secret", in base64
    const DockerConfig config(fmt::format(
        R"({{"auths":{{"other":{{"auth":"eA=="}},"http://127.0.0.1:{}/v1/":{{"auth":"bWU6c2VjcmV0"}}}}}})",
        server->port()));
    tokens = 0;
    TempLedger second;
    load_url(second, oci_url(*server));
    CHECK(basic == "Basic bWU6c2VjcmV0");
    tokens = 0;
    TempLedger third;
    load_url(third, oci_url(*server, "you:p%40ss@"));
    CHECK(basic == "Basic eW91OnBAc3M=");
    CHECK(third.value("SELECT source FROM snapshots") == oci_url(*server, "you:p%40ss@"));
    for (const auto& entry : fs::recursive_directory_iterator(third.folder().path() / "cache")) {
        std::ifstream file(entry.path());
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        CHECK(text.find("p%40ss") == std::string::npos);
    }
}

TEST_CASE("A server of tokens that fails for a moment is asked again") {
    Cache cache;
    cache.index(index_of_all());
    int failures = 0;
    std::unique_ptr<Server> server;
    server = std::make_unique<Server>([&](const Request& request, Connection& connection) {
        if (request.path.starts_with("/token")) {
            connection.send(failures-- > 0 ? answer(503) : answer(200, R"({"token":"t"})"));
        } else if (request.headers.contains("authorization")) {
            connection.send(cache.answers.at(request.path));
        } else {
            connection.send(
                answer(401, "",
                       {fmt::format("WWW-Authenticate: Bearer realm=\"http://127.0.0.1:{}/token\"",
                                    server->port())}));
        }
    });
    const std::string manifest = "/v2/site/cache/manifests/index.spack";
    const std::string token = "/token?scope=repository:site/cache:pull";
    failures = 2;
    TempLedger ledger;
    load_url(ledger, oci_url(*server));
    CHECK(ledger.value("SELECT count(*) FROM specs") == "2");
    CHECK(server->paths() == Lines{manifest, token, manifest, token, manifest, token, manifest,
                                   "/v2/site/cache/blobs/sha256:" + sha256_of(index_of_all())});

    failures = 100;
    const std::size_t before = server->paths().size();
    CHECK(problem_of_url(oci_url(*server)) ==
          fmt::format("{}: the token of {}: the server says 503 (service unavailable)",
                      server->url(manifest), server->url("/token")));
    CHECK(server->paths().size() == before + 8);  // four times each
}

TEST_CASE("A name and a password are sent where a registry wants just these") {
    Cache cache;
    cache.index(index_of_all());
    const Server server([&](const Request& request, Connection& connection) {
        const auto sent = request.headers.find("authorization");
        connection.send(sent != request.headers.end() && sent->second == "Basic bWU6c2VjcmV0"
                            ? cache.answers.at(request.path)
                            : answer(401, "", {"WWW-Authenticate: Basic realm=\"home\""}));
    });
    CHECK_THAT(problem_of_url(oci_url(server)),
               ContainsSubstring("the server says 401 (unauthorized): it wants a name and the "
                                 "right password; 'docker login " +
                                 fmt::format("127.0.0.1:{}'", server.port())) &&
                   ContainsSubstring("keeps them"));
    const DockerConfig config(
        fmt::format(R"({{"auths":{{"127.0.0.1:{}":{{"auth":"bWU6c2VjcmV0"}}}}}})", server.port()));
    CHECK(problem_of_url(oci_url(server)) == "none");
}

TEST_CASE("A token is not sent to where a registry redirects its blobs") {
    Cache cache;
    cache.index(index_of_all());
    const std::string blob = "/v2/site/cache/blobs/sha256:" + sha256_of(index_of_all());
    Answers stored{{"/store", answer(200, index_of_all())}};
    const Server store(stored);
    std::unique_ptr<Server> server;
    server = std::make_unique<Server>([&](const Request& request, Connection& connection) {
        const bool is_known = request.headers.contains("authorization");
        if (request.path.starts_with("/token")) {
            connection.send(answer(200, R"({"access_token":"t"})"));
        } else if (!is_known) {
            connection.send(answer(
                401, "",
                {fmt::format("WWW-Authenticate: bearer realm=\"{}\"", server->url("/token"))}));
        } else {
            connection.send(request.path == blob
                                ? answer(307, "", {"Location: " + store.url("/store")})
                                : cache.answers.at(request.path));
        }
    });
    CHECK(problem_of_url(oci_url(*server)) == "none");
    CHECK(asked(*server, "authorization", server->requests().size() - 1) == "Bearer t");
    CHECK(store.paths() == Lines{"/store"});
    CHECK(asked(store, "authorization", 0).empty());

    // Nor does that one say where a token is had.
    stored["/store"] =
        answer(401, "", {"WWW-Authenticate: Bearer realm=\"" + store.url("/t") + "\""});
    CHECK_THAT(problem_of_url(oci_url(*server)), ContainsSubstring("the server says 401"));
    CHECK(store.paths() == Lines{"/store", "/store"});
}

TEST_CASE("A registry that lies is refused in one sentence") {
    Cache cache;
    cache.index(index_of_all());
    const Server server(cache.answers);
    const std::string blob = "/v2/site/cache/blobs/sha256:" + sha256_of(index_of_all());
    cache.answers[blob] = answer(200, std::string(index_of_all().size(), 'x'));
    CHECK_THAT(
        problem_of_url(oci_url(server)),
        ContainsSubstring(": expected content with the sha256 " + sha256_of(index_of_all())));
    cache.answers[blob] = answer(404);
    CHECK(problem_of_url(oci_url(server)) ==
          server.url(blob) + ": the server says 404 (not found)");

    const std::string manifest = "/v2/site/cache/manifests/index.spack";
    cache.answers[manifest] =
        answer(200, "{}", {"Docker-Content-Digest: sha256:" + sha256_of("other")});
    CHECK_THAT(problem_of_url(oci_url(server)),
               ContainsSubstring(manifest + ": expected content with the sha256"));
    cache.tag("index.spack", manifest_text("{}", layer(1) + "," + layer(2)));
    CHECK(problem_of_url(oci_url(server)) ==
          oci_url(server) + ": expected one layer in the OCI manifest of an index, found 2");
    cache.tag("index.spack", R"({"manifests":[]})");
    CHECK_THAT(problem_of_url(oci_url(server)),
               ContainsSubstring(": expected a manifest in an image index, found none"));

    // No index, and tags without an end, or on another server, or none.
    cache.answers.erase(manifest);
    CHECK(problem_of_url(oci_url(server)) == oci_url(server) + ": the registry has no such cache");
    const std::string list = "/v2/site/cache/tags/list?n=1000";
    const auto linked = [&](const std::string& link) {
        cache.answers[list] =
            answer(200, R"({"tags":["a"]})", {"Link: <" + link + ">; rel=\"next\""});
    };
    linked(list);
    CHECK_THAT(problem_of_url(oci_url(server)),
               ContainsSubstring("expected a list of tags that ends"));
    for (const std::string link :
         {"<PAGE>; rel=next", "<PAGE>; REL=\"last Next\"", "</x>; rel=prev, <PAGE>; rel=\"next\"",
          "<list?n=1000>;title=\"a, b\"; rel=\"next\"", "<?n=1000>; rel=\"next\""}) {
        CAPTURE(link);
        std::string header = "Link: " + link;
        if (const std::size_t at = header.find("PAGE"); at != std::string::npos) {
            header.replace(at, 4, list);
        }
        cache.answers[list] = answer(200, R"({"tags":["a"]})", {header});
        CHECK_THAT(problem_of_url(oci_url(server)),
                   ContainsSubstring("expected a list of tags that ends"));
    }
    cache.answers[list] = answer(200, R"({"tags":["a"]})", {"Link: next page"});
    CHECK_THAT(problem_of_url(oci_url(server)), ContainsSubstring("expected a header Link"));
    linked("http://127.0.0.2/x");
    CHECK_THAT(problem_of_url(oci_url(server)), ContainsSubstring("on the same server"));
    cache.answers[list] = answer(200, R"({"tags":null})");
    CHECK(problem_of_url(oci_url(server)) == oci_url(server) + ": has no spec files");
    cache.answers[list] = answer(200, R"({"tags":[1]})");
    CHECK_THAT(problem_of_url(oci_url(server)), ContainsSubstring("expected only texts"));
}

TEST_CASE("What asks for a token is checked") {
    const std::string https = "https://h/v2/a/manifests/b";
    CHECK(token_url(https, "Basic realm=\"x\", Bearer realm=\"https://t/x?y=1\"", "a") ==
          "https://t/x?y=1&scope=repository:a:pull");
    CHECK(token_url(https, "Basic realm=\"x\"", "a") == std::nullopt);
    for (const std::string challenge :
         {"bearer Realm=\"https://t/x\",service=\"s\"", "Bearer service = s,\trealm = https://t/x",
          "Bearer realm=\"https://t/x#part\", service=\"s\", Basic realm=\"y\""}) {
        CAPTURE(challenge);
        CHECK(token_url(https, challenge, "a") == "https://t/x?service=s&scope=repository:a:pull");
    }
    CHECK(token_url(https, "Bearer realm=\"/t\"", "a") == "https://h/t?scope=repository:a:pull");
    CHECK_THROWS_MATCHES(token_url(https, "Bearer realm=\"http://t/\"", "a"), InputError,
                         Catch::Matchers::Message(
                             https + ": refused: the registry wants a token of http://t/, without "
                                     "https"));
    CHECK_THROWS_AS(token_url(https, "Bearer service=\"s\"", "a"), InputError);
    CHECK_THROWS_AS(token_url(https, "Bearer realm=\"file:///etc\"", "a"), InputError);
    CHECK(read_token(R"({"token":"a.b-c"})", "t") == "Bearer a.b-c");
    for (const std::string text : {R"({"token":"a\r\nb"})", R"({"token":""})", "[]", "", "{}"}) {
        CHECK_THROWS_MATCHES(read_token(text, "t"), InputError,
                             Catch::Matchers::Message("t: expected JSON with a \"token\""));
    }
    const DockerConfig config("[");
    CHECK_THROWS_AS(docker_login(https, "a"), InputError);
}

TEST_CASE("Of the logins to a registry that of the cache counts") {
    const DockerConfig config(
        R"({"auths":{"H:5/alpha":{"auth":"YQ=="},"https://h:5/v1/":{"auth":"Yg=="},
        "h:5/team":{"auth":"Yw=="},"h":{"auth":"ZA=="}}})");
    CHECK(docker_login("https://h:5/v2/team/cache/x", "team/cache") == "Basic Yw==");
    CHECK(docker_login("https://h:5/v2/alpha/x", "alpha") == "Basic YQ==");
    CHECK(docker_login("https://h:5/v2/teams/x", "teams") == "Basic Yg==");
    CHECK(docker_login("https://H/v2/team/x", "team") == "Basic ZA==");
    CHECK(docker_login("https://h:6/v2/team/x", "team").empty());
}

TEST_CASE("The URL of a cache in a registry names it") {
    for (const std::string name : {"", "/", "/a:1", "/a//b", "/a/../b", "/a b", "/a@sha256:1"}) {
        CHECK_THAT(problem_of_url("oci://h" + name),
                   ContainsSubstring(": expected the name of a cache behind the host"));
    }
    const TempFolder folder;
    InputOptions options = options_in(folder, "oci://h/a");
    options.views = {"view"};
    CHECK_THROWS_MATCHES(find_inputs(options), InputError,
                         Catch::Matchers::Message("oci://h/a: a cache in a registry has no views"));
}

// The registry that docker has, where it is installed: scripts/install-packages tests.
TEST_CASE("A real registry is read") {
    const TempFolder folder;
    const fs::path root = folder.path() / "data/docker/registry/v2";
    const auto store = [&](const std::string& text) {
        const std::string sha256 = sha256_of(text);
        folder.write(root / "blobs/sha256" / sha256.substr(0, 2) / sha256 / "data", text);
        const std::string link = "sha256:" + sha256;
        folder.write(root / "repositories/site/cache/_layers/sha256" / sha256 / "link", link);
        folder.write(root / "repositories/site/cache/_manifests/revisions/sha256" / sha256 / "link",
                     link);
        return link;
    };
    const auto tag = [&](const std::string& name, const std::string& manifest) {
        folder.write(root / "repositories/site/cache/_manifests/tags" / name / "current/link",
                     store(manifest));
    };
    const auto oci = [](const std::string& config, const std::string& layers) {
        return R"({"mediaType":"application/vnd.oci.image.manifest.v1+json",)" +
               manifest_text(config, layers).substr(1);
    };
    for (const std::string& hash : {hdf5, zlib}) {
        const std::string config = config_text(hash == hdf5 ? Lines{hdf5, zlib} : Lines{zlib});
        store(config);
        tag(Cache::tag_of(hash), oci(config, layer(hash == hdf5 ? 100 : 20)));
    }
    const Answers none;
    const int port = Server(none).port();  // free again
    folder.write("config.yml", fmt::format("version: 0.1\nlog: {{level: error}}\nstorage: "
                                           "{{filesystem: {{rootdirectory: {}/data}}}}\n"
                                           "http: {{addr: 127.0.0.1:{}}}\n",
                                           folder.path().string(), port));
    program::Process registry({"docker-registry", "serve", folder.path() / "config.yml"});
    const std::string url = fmt::format("oci+http://127.0.0.1:{}/site/cache", port);
    std::string problem;
    for (int i = 0; i < 100 && registry.runs(); ++i) {
        problem = problem_of_url(url);
        if (problem.find("onnect") == std::string::npos) {
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    if (!registry.runs()) {
        WARN("docker-registry does not run here: not tested");
        return;
    }
    CHECK(problem == "none");
    TempLedger by_tags;
    load_url(by_tags, url);
    CHECK(by_tags.rows("SELECT package, size FROM specs ORDER BY 1") ==
          Lines{"hdf5|100", "zlib|20"});
    store(index_of_all());
    store("{}");
    tag("index.spack", oci("{}", descriptor(index_of_all())));
    TempLedger by_index;
    load_url(by_index, url);
    CHECK(by_index.rows("SELECT package FROM specs ORDER BY 1") == Lines{"hdf5", "zlib"});
}

}  // namespace registry_test
