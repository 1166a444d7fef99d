#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace real_inputs_test {

using namespace cacheledger;

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

}  // namespace

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

}  // namespace real_inputs_test
