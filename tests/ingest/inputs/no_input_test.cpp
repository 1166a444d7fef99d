#include <filesystem>
#include <string>

#include "ingest/sources/inputs/inputs.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace no_input_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;

namespace fs = std::filesystem;

namespace {

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

}  // namespace no_input_test
