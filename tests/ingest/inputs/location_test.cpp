#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "ingest/sources/inputs/location.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace location_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;

namespace fs = std::filesystem;

namespace {

// The folder of real files that are not in the repository; empty where it is not given.
fs::path real_files() {
    const char* const folder = std::getenv("CACHELEDGER_REAL_FILES");
    return folder == nullptr ? "" : folder;
}

std::size_t plain_size(const Input& input) {
    const OpenBytes bytes = input.open().bytes();
    PlainBytes plain(*bytes);
    std::string buffer(1 << 16, '\0');
    std::size_t size = 0;
    while (const std::size_t count = plain.read(buffer.data(), buffer.size())) {
        size += count;
    }
    return size;
}

std::string problem_of(const InputOptions& options) {
    try {
        find_inputs(options);
    } catch (const InputError& error) {
        CHECK(error.problems().size() == options.arguments.size());
        return error.what();
    }
    return "none";
}

constexpr std::string_view of_json =
    "a build-cache index, an install database, a lock file or a manifest of indexes";

}  // namespace

TEST_CASE("A stack is named before any slash, colon or question mark") {
    const auto label = [](const char* text) { return read_argument(text).label.value_or("none"); };
    CHECK(label("e4s=index.json") == "e4s");
    CHECK(label("e4s=https://host/a?b=c") == "e4s");
    CHECK(label("e4s=-") == "e4s");
    CHECK(read_argument("e4s=https://host/a?b=c").path == "https://host/a?b=c");
    for (const char* const text : {"index.json", "./e4s=index.json", "https://host/a=b",
                                   "https://host?a=b", "host:a=b", "-"}) {
        CAPTURE(text);
        CHECK(label(text) == "none");
        CHECK(read_argument(text).path == text);
    }
    for (const char* const text : {"=index.json", "e4s=", "=", "root=index.json"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(read_argument(text), UsageError);
    }
}

TEST_CASE("An argument is shown without credentials") {
    CHECK(shown_argument("e4s=https://me:secret@host/a?b") == "e4s=https://host/a");
    CHECK(shown_argument("a/b") == "a/b");
}

TEST_CASE("A file URL is a path") {
    CHECK(Location("file:///a/b%20c%2F%zz").text() == "/a/b c/%zz");
    CHECK(Location("FILE://localhost/a").text() == "/a");
    CHECK_FALSE(Location("file:///a").is_url());
    CHECK_THROWS_MATCHES(Location("file://host/a"), InputError,
                         Message("file://host/a: expected a file of this machine: file:///..."));
    CHECK_THROWS_AS(Location("file:///a%00b"), InputError);
}

TEST_CASE("An URL of another kind is an error that says what to do") {
    CHECK_THROWS_MATCHES(
        Location("s3://my-mirror/a?b"), InputError,
        Message("s3://my-mirror/a: where this bucket is on the web is not known; say so with "
                "--map-url s3://my-mirror=https://..."));
    CHECK_THROWS_MATCHES(
        Location("gs://host/a"), InputError,
        Message("gs://host/a: gs:// can't be read: expected a path, or a URL with http://, "
                "https://, oci:// or file://"));
}

TEST_CASE("An URL names a host") {
    const auto problem = [](const std::string& text) -> std::string {
        return thrown<InputError>([&] { const Location location(text); });
    };
    const std::string expected = ": expected the name of a host, as in https://host/folder";
    for (const std::string text :
         {"http://", "HTTPS://", "http:///", "http:///x", "https://:80/x", "https://?a#b"}) {
        CAPTURE(text);
        CHECK(problem(text) == text.substr(0, text.find('?')) + expected);
    }
    CHECK(problem("http://me:secret@/x") == "http:///x" + expected);
    for (const char* const text :
         {"http://me:a/b@host/x", "http://host:port/x", "http://h:99999"}) {
        CAPTURE(text);
        CHECK_THAT(problem(text), ContainsSubstring(": expected the number of a port behind the "
                                                    "host"));
        CHECK_THAT(problem(text), !ContainsSubstring("a/b@"));
    }
    for (const char* const text : {"http://h", "http://h:/", "http://h:8080/", "http://[::1]:80/x",
                                   "http://[::1]", "https://me:secret@host/x"}) {
        CAPTURE(text);
        CHECK(problem(text) == "none");
    }
}

TEST_CASE("Files beside and below are found in paths and URLs alike") {
    CHECK(Location("a").below("b/c").text() == "a/b/c");
    CHECK(Location("a/").below("b").text() == "a/b");
    CHECK(Location(".").below("b").text() == "b");
    CHECK(Location("/").below("b").text() == "/b");
    CHECK(Location("https://h/a?s=1").below("b").text() == "https://h/a/b?s=1");
    CHECK(Location("https://h").below("b").text() == "https://h/b");
    CHECK(Location("a/b/c.json").folder().below("d").text() == "a/b/d");
    CHECK(Location("c.json").folder().below("d").text() == "d");
    CHECK(Location("https://h/a/b.json?s=1").folder().below("d").text() == "https://h/a/d?s=1");
    CHECK(Location("https://h/a/b.json?s=1").name() == "b.json");
}

TEST_CASE("The root of a mirror follows from where its index manifest is") {
    const auto root = [](const char* text) {
        const auto found = Location(text).mirror_root();
        return found ? found->below("blobs").text() : "none";
    };
    CHECK(root("m/v3/manifests/index/index.manifest.json") == "m/blobs");
    CHECK(root("m/v3/manifests/index/view/index.manifest.json") == "m/blobs");
    CHECK(root("v3/manifests/index/index.manifest.json") == "blobs");
    CHECK(root("https://h/m/v3/manifests/index/index.manifest.json?s") == "https://h/m/blobs?s");
    CHECK(root("https://h/v3/manifests/index/index.manifest.json") == "https://h/blobs");
    CHECK(root("m/x3/manifests/index/index.manifest.json") == "none");
    CHECK(root("https://h/manifests/index/index.manifest.json") == "none");
    CHECK(root("index.manifest.json") == "none");
}

TEST_CASE("Addresses of buckets are mapped to where they are on the web") {
    UrlMap map;
    CHECK(map.map("s3://spack-binaries/develop/a").text == "https://binaries.spack.io/develop/a");
    CHECK_FALSE(map.map("s3://spack-binaries/develop/a").is_users);
    CHECK(map.map("s3://spack-binaries-cray/a").text == "s3://spack-binaries-cray/a");
    CHECK(map.map("a/b").text == "a/b");
    map.add("s3://spack-binaries/develop/=https://h/d");
    CHECK(map.map("s3://spack-binaries/develop/a").text == "https://h/d/a");
    CHECK(map.map("s3://spack-binaries/develop/a").is_users);
    CHECK(map.map("s3://spack-binaries/other").text == "https://binaries.spack.io/other");
    map.add("s3://spack-binaries=/mirror/");
    CHECK(map.map("s3://spack-binaries/other").text == "/mirror/other");
    CHECK(map.map("s3://spack-binaries").text == "/mirror/");
    for (const char* const text : {"s3://a", "s3://a=", "a=b", "=https://h", ""}) {
        CAPTURE(text);
        CHECK_THROWS_AS(map.add(text), UsageError);
    }
}

TEST_CASE("Addresses are mapped to what can be read only") {
    UrlMap map;
    const auto problem = [&](const std::string& to) -> std::string {
        return thrown<UsageError>([&] { map.add("s3://me:secret@a=" + to); });
    };
    CHECK(problem("ftp://you:secret@host/b?c") ==
          "--map-url 's3://a=ftp://host/b': ftp:// can't be read: expected a path, or a URL with "
          "http://, https://, oci:// or file://");
    for (const char* const to :
         {"s3://other", "gs://h", "http://", "https:///x", "file://host/a"}) {
        CAPTURE(to);
        CHECK_THAT(problem(to), ContainsSubstring("--map-url 's3://a="));
    }
    for (const char* const to : {"http://h", "HTTPS://h/b", "file:///a", "/a", "a/b"}) {
        CAPTURE(to);
        CHECK(problem(to) == "none");
    }
}

TEST_CASE("Every real file is known by its content") {
    if (real_files().empty()) {
        WARN("skipped: CACHELEDGER_REAL_FILES does not name a folder of real files");
        return;
    }
    const std::map<std::string, Shape> kinds = {
        {"index-", Shape::index},        {"mirror-", Shape::index},
        {"oci-layout-", Shape::index},   {"synthetic-mirror-", Shape::index},
        {"installdb-", Shape::install},  {"lock-", Shape::lock},
        {"synthetic-lock-", Shape::lock}};
    std::size_t known = 0;
    std::size_t refused = 0;
    for (const auto& entry : fs::directory_iterator(real_files())) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const InputOptions options{{entry.path().string()}};
        if (name.rfind("keyindex-", 0) == 0 || name.rfind("spec-", 0) == 0) {
            CHECK_THROWS_AS(find_inputs(options), InputError);
            ++refused;
        }
        for (const auto& [start, kind] : kinds) {
            if (name.rfind(start, 0) == 0) {
                const Inputs inputs = find_inputs(options);
                CHECK(inputs.kind == kind);
                REQUIRE(inputs.refs.size() == 1);
                CHECK(plain_size(inputs.refs[0].inputs.at(0)) > 100);
                ++known;
            }
        }
    }
    CHECK(known > 40);
    CHECK(refused >= 6);
}

TEST_CASE("Gzip data of what is no JSON are no page") {
    const TempFolder folder;
    const auto problem = [&](const std::string& text) {
        const std::string file = folder.write("file", text).string();
        const std::string line = problem_of({{file}});
        CHECK_THAT(line, ContainsSubstring(file + ": expected " + std::string(of_json)));
        return line;
    };
    CHECK_THAT(problem(gzipped("")), ContainsSubstring("found gzip data of nothing"));
    CHECK_THAT(problem(gzipped(gzipped(texts::index()))),
               ContainsSubstring("found gzip data in gzip data"));
    CHECK_THAT(problem(gzipped(texts::page)),
               ContainsSubstring("found gzip data of other text; pages are read only plain"));
}

TEST_CASE("An empty file with a name of JSON is no page") {
    const TempFolder folder;
    for (const char* const name : {"index.json", "spack.lock"}) {
        const std::string file = folder.write(name, "").string();
        CHECK(problem_of({{file}}) ==
              fmt::format("{}: the file is empty; expected {}", file, of_json));
    }
    const std::map<std::string, std::string> answers{{"/empty", http_fixture::answer(200)}};
    const http_fixture::Server server(answers);
    InputOptions options{{server.url("/empty")}};
    options.http.folder = folder.path() / "cache";
    CHECK_THAT(problem_of(options),
               ContainsSubstring(server.url("/empty") + ": the file is empty; expected "));
}

TEST_CASE("A git bundle is no page, and says what makes a repository of it") {
    const TempFolder folder;
    const std::string file = folder.write("packages.bundle", "# v2 git bundle\n-x\n").string();
    CHECK(problem_of({{file}}) ==
          file + ": a git bundle; to make a repository of it: git clone --bare " + file);
}

TEST_CASE("Folders in which nothing is found say what was looked for") {
    const TempFolder folder;
    const auto made = [&](const char* name) {
        fs::create_directories(folder.path() / name);
        return (folder.path() / std::string(name).substr(0, 1)).string();
    };
    const std::string empty = made("a");
    const std::string mirror = made("b/v3/manifests/spec/zlib");
    for (const std::string& one : {empty, mirror}) {
        const std::string problem = problem_of({{one}});
        CHECK_THAT(problem, ContainsSubstring(one + ": no package pages found and no index; looked "
                                                    "for .md and .txt files, and for "
                                                    "v3/manifests/index/index.manifest.json"));
        CHECK_THAT(problem, ContainsSubstring("build_cache/index.json"));
    }
    CHECK_THAT(problem_of({{mirror, empty}}), ContainsSubstring(mirror + ": no package pages"));
    folder.write("envs/one/spack.lock", texts::lock);
    const std::string envs = (folder.path() / "envs").string();
    CHECK(problem_of({{envs}}) ==
          envs +
              ": no package pages found and no index, but lock files in its "
              "folders: " +
              envs + "/*/spack.lock");
    folder.write("pages/deep/down/below/it/all/zlib.md", texts::page);
    const std::string pages = (folder.path() / "pages").string();
    CHECK(find_inputs({{pages, empty}}).kind == Shape::page);
}

}  // namespace location_test
