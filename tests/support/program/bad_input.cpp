#include "tests/support/program/bad_input.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

namespace program {

std::string many(std::size_t count, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

Entry with(const std::string& key, const std::string& value) {
    Entry changed = entry();
    changed[key] = value;
    return changed;
}

void check_line(const std::string& line, const std::string& path, int number,
                const std::string& reason) {
    INFO(line.substr(0, 1000));
    std::string start = "cacheledger: ";
    start += path;
    start += ":";
    if (number > 0) {
        start += std::to_string(number);
        start += ": ";
    }
    CHECK(line.rfind(start, 0) == 0);
    CHECK(contains(line, reason));
    CHECK(line.size() > start.size());
    CHECK(line.size() < 500);
    CHECK(std::none_of(line.begin(), line.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < ' ' || byte == 0x7f;
    }));
}

LoadedBench::LoadedBench() {
    write("good/zlib.md", page("zlib", details({entry('q')})));
    const Run run = this->run({"ingest", "good", "--taken-at", "2025-01-01"});
    INFO(run);
    REQUIRE(run.status == 0);
    before = database();
}

Words LoadedBench::check_refused(const Words& paths) const {
    Words words = {"ingest", "--taken-at", "2025-01-02"};
    words.insert(words.end(), paths.begin(), paths.end());
    const Run run = this->run(words);
    INFO(run);
    CHECK(run.status == 3);
    CHECK(run.out.empty());
    CHECK((database() == before));
    CHECK_FALSE(has("cacheledger.db-journal"));
    return run.errors();
}

void LoadedBench::check_refused(const Words& paths, const std::string& path,
                                const std::string& reason) const {
    const Words errors = check_refused(paths);
    REQUIRE(errors.size() == 1);
    check_line(errors[0], path, 0, reason);
}

}  // namespace program
