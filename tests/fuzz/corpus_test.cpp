#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets.hpp"
#include "tests/paths.hpp"
#include "tests/support/catch.hpp"

namespace corpus_test {

namespace fs = std::filesystem;
using namespace cacheledger::fuzz;

TEST_CASE("What is fuzzed holds for every text of its corpus, and for none") {
    for (const Target& target : targets) {
        int texts = 0;
        CHECK_NOTHROW(target.run(""));
        for (const auto& file : fs::directory_iterator(fs::path(paths::corpus) / target.name)) {
            INFO(file.path());
            std::ifstream stream(file.path(), std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(stream), {}};
            CHECK_NOTHROW(target.run(text));
            ++texts;
        }
        INFO(target.name);
        CHECK(texts > 0);
    }
}

}  // namespace corpus_test
