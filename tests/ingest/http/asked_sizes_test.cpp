#include <fmt/format.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "ingest/runs/sizes/mirror_sizes.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace asked_sizes_test {

// What mirrors say of the sizes of single builds.
using namespace cacheledger;
using http_fixture::answer;
using http_fixture::Connection;
using http_fixture::Request;
using http_fixture::Server;
using Answers = std::map<std::string, std::string>;

namespace {

const std::string hdf5 = hash_of("a");
const std::string zlib = hash_of("b");
const std::string old_zlib = hash_of("c");

const std::vector<SizedBuild> builds = {
    {hdf5, "hdf5", "1.14.3", "linux-ubuntu22.04-x86_64_v3", "gcc-13.2.0"},
    {zlib, "zlib", "git.main=1.3", "linux-ubuntu22.04-x86_64_v3", "gcc-13.2.0"},
    {old_zlib, "zlib", "1.2", "linux-ubuntu22.04-x86_64_v3", "gcc-13.2.0"},
};

std::string manifest(std::uint64_t size) {
    return fmt::format(R"({{"version": 3, "data": [{{"contentLength": {},
        "mediaType": "application/vnd.spack.install.v2.tar+gzip", "compression": "gzip",
        "checksumAlgorithm": "sha256", "checksum": "bb"}}]}})",
                       size);
}

std::string image(int last_layer) {
    const std::string digest = std::string(64, 'a');
    return fmt::format(R"({{"schemaVersion": 2, "config": {{"digest": "sha256:{0}", "size": 2}},
        "layers": [{{"digest": "sha256:{0}", "size": 7000}},
                   {{"digest": "sha256:{0}", "size": {1}}}]}})",
                       digest, last_layer);
}

HttpOptions options_in(const TempFolder& folder) {
    HttpOptions options;
    options.folder = folder.path() / "cache";
    options.first_wait = std::chrono::milliseconds(1);
    return options;
}

AskedSizes ask(const std::string& mirror) {
    const TempFolder folder;
    std::size_t last = 0;
    return ask_mirror(mirror, builds, options_in(folder), [&](std::size_t done, std::size_t all) {
        CHECK(all == builds.size());
        CHECK(done >= last);
        last = done;
    });
}

}  // namespace

TEST_CASE("A mirror of layout 3 is asked for the manifest of each build") {
    const std::string spec = "/m/v3/manifests/spec/";
    const std::string broken = spec + "zlib/zlib-1.2-" + old_zlib + ".spec.manifest.json";
    const Answers answers = {
        {"/m/v3/layout.json", answer(200, "{}")},
        {spec + "hdf5/hdf5-1.14.3-" + hdf5 + ".spec.manifest.json", answer(200, manifest(1000))},
        {spec + "zlib/zlib-git.main_1.3-" + zlib + ".spec.manifest.json",
         answer(200, manifest(20))},
        {broken, answer(200, "{}")}};
    const Server server(answers);
    for (const char* const place : {"/m", "/m/v3/manifests/index/index.manifest.json"}) {
        const AskedSizes asked = ask(server.url(place));
        CHECK(asked.sizes == BuildSizes{{hdf5, 1000}, {zlib, 20}});
        CHECK(asked.problems ==
              Lines{server.url(broken) + ": expected \"data\", a list, in a spec manifest"});
    }
}

TEST_CASE("A mirror of layout 2 is asked how large each archive is") {
    const std::string system = "linux-ubuntu22.04-x86_64_v3";
    const std::string path = "/m/build_cache/" + system + "/gcc-13.2.0/hdf5-1.14.3/" + system +
                             "-gcc-13.2.0-hdf5-1.14.3-";
    const Answers answers = {{path + hdf5 + ".spack", answer(200, std::string(1234, 'x'))}};
    const Server server(answers);
    for (const char* const place : {"/m", "/m/build_cache", "/m/build_cache/index.json"}) {
        const AskedSizes asked = ask(server.url(place));
        CHECK(asked.sizes == BuildSizes{{hdf5, 1234}});
        CHECK(asked.problems.empty());
    }
}

TEST_CASE("A registry is asked for the last layer of each image") {
    const Answers answers = {
        {"/v2/site/cache/manifests/hdf5-1.14.3-" + hdf5 + ".spack", answer(200, image(99))},
        {"/v2/site/cache/manifests/zlib-git.main_1.3-" + zlib + ".spack", answer(200, image(5))}};
    const Server server(answers);
    const AskedSizes asked = ask(fmt::format("oci+http://127.0.0.1:{}/site/cache", server.port()));
    CHECK(asked.sizes == BuildSizes{{hdf5, 99}, {zlib, 5}});
    CHECK(asked.problems.empty());
}

TEST_CASE("A folder is asked as a mirror far away") {
    const TempFolder folder;
    folder.write("v3/manifests/spec/hdf5/hdf5-1.14.3-" + hdf5 + ".spec.manifest.json",
                 manifest(1000));
    CHECK(ask(folder.path().string()).sizes == BuildSizes{{hdf5, 1000}});
    const TempFolder other;
    other.write(
        "build_cache/linux-ubuntu22.04-x86_64_v3/gcc-13.2.0/zlib-1.2/"
        "linux-ubuntu22.04-x86_64_v3-gcc-13.2.0-zlib-1.2-" +
            old_zlib + ".spack",
        "12345");
    CHECK(ask(other.path().string()).sizes == BuildSizes{{old_zlib, 5}});
}

TEST_CASE("An archive may be larger than what is fetched, and a page is none") {
    const Server server([](const Request& request, Connection& to) {
        const bool is_hdf5 = request.path.find(hdf5) != std::string::npos;
        const bool is_page = request.path.find(zlib) != std::string::npos;
        to.send(is_hdf5   ? "HTTP/1.1 200 OK\r\nContent-Length: 3000000000\r\n\r\n"
                : is_page ? answer(200, "<p>not here</p>", {"Content-Type: text/html"})
                          : answer(404));
    });
    const AskedSizes asked = ask(server.url("/m/build_cache/"));
    CHECK(asked.sizes == BuildSizes{{hdf5, 3'000'000'000}});
    CHECK(asked.missing == 2);
    CHECK(asked.problems.empty());
}

TEST_CASE("What a server fails to answer is a problem, and the others are asked") {
    const Server server([](const Request& request, Connection& to) {
        to.send(request.path.find(hdf5) != std::string::npos         ? answer(500)
                : request.path.find("zlib-1.2") != std::string::npos ? answer(200, manifest(7))
                : request.path == "/m/v3/layout.json"                ? answer(200, "{}")
                                                                     : answer(403));
    });
    const AskedSizes asked = ask(server.url("/m"));
    CHECK(asked.sizes == BuildSizes{{old_zlib, 7}});
    CHECK(asked.missing == 1);
    REQUIRE(asked.problems.size() == 1);
    CHECK(asked.problems[0].find("the server says 500") != std::string::npos);
}

TEST_CASE("What is no mirror is refused") {
    const TempFolder folder;
    for (const std::string& place :
         {std::string("-"), folder.write("refs.json", "{}").string(),
          (folder.path() / "gone").string(), std::string("http://127.0.0.1:1/m")}) {
        INFO(place);
        CHECK_THROWS_AS(ask(place), InputError);
    }
}

TEST_CASE("Sizes are kept of builds that the ledger describes and knows no size of") {
    GraphLedger graph;
    graph.add({.stem = "a", .package = "hdf5", .compiler = "gcc@13.2.0"})
        .add({.stem = "b", .package = "zlib"})
        .add({.stem = "c", .package = "zlib", .is_described = false});
    graph.take({{"a", "b", "c"}});
    SQLite::Database& database = graph.database();
    execute(database, "UPDATE spec SET size = '7' WHERE hash = ?", zlib);
    const auto lacking = builds_without_size(database, {hdf5, zlib, old_zlib, hash_of("d")});
    REQUIRE(lacking.size() == 1);
    CHECK(lacking[0].hash == hdf5);
    CHECK(lacking[0].package == "hdf5");
    CHECK(lacking[0].version == "1.0");
    CHECK(lacking[0].compiler == "gcc-13.2.0");
    keep_sizes(database, {{hdf5, 1000}, {zlib, 20}, {old_zlib, 30}});
    CHECK(all_values<std::optional<std::string>>(database, "SELECT size FROM spec ORDER BY hash") ==
          std::vector<std::optional<std::string>>{"1000", "7", std::nullopt});
}

}  // namespace asked_sizes_test
