#include "ingest/bytes/json/stream.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>

#include "ingest/bytes/problems/problem.hpp"
#include "tests/support/catch.hpp"

namespace json_stream_test {

using namespace cacheledger;
using json::Stream;

namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

/// What is read when every object and list down to `depth` is walked through, and the rest given
/// whole, as one text without blanks.
std::string walked(Stream& stream, int depth) {
    const char first = stream.peek();
    if (depth == 0 || (first != '{' && first != '[')) {
        return nlohmann::json::parse(stream.value()).dump();
    }
    std::string text(1, first);
    stream.open(first, "a value");
    while (stream.next()) {
        text += text.size() > 1 ? "," : "";
        if (first == '{') {
            text += nlohmann::json(stream.key()).dump() + ":";
        }
        text += walked(stream, depth - 1);
    }
    return text + (first == '{' ? "}" : "]");
}

std::string read(const std::string& text, std::size_t window, int depth) {
    TextBytes bytes(text);
    Stream stream(bytes, {window, MiB});
    const std::string read = walked(stream, depth);
    stream.end();
    return read;
}

/// Random JSON, with all that could confuse who looks for its end.
class RandomJson {
  public:
    explicit RandomJson(unsigned seed) : random_(seed) {}

    std::string value(int depth) {
        switch (below(depth > 0 ? 6 : 4)) {
            case 0:
                return fmt::format("{}", below(100000));
            case 1:
                return below(2) == 0 ? "true" : "null";
            case 2:
            case 3:
                return text();
            case 4:
                return list('{', depth) + blank() + "}";
            default:
                return list('[', depth) + blank() + "]";
        }
    }

  private:
    std::size_t below(std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
    }
    std::string blank() {
        constexpr std::array<const char*, 5> blanks = {"", "", " ", "\n\t", "\r\n  "};
        return blanks[below(blanks.size())];
    }
    std::string text() {
        constexpr std::array<const char*, 12> parts = {
            "a",         "{",
            "}",         "[",
            "]",         R"(\")",
            R"(\\)",     ":",
            ",",         "\xc3\xa4",
            R"(\u00e4)", "                    long enough for a block                     "};
        std::string text = "\"";
        for (std::size_t i = below(12); i > 0; --i) {
            text += parts[below(parts.size())];
        }
        return text + "\"";
    }
    std::string list(char bracket, int depth) {
        std::string members(1, bracket);
        const std::size_t count = below(6);
        for (std::size_t i = 0; i < count; ++i) {
            members += (i > 0 ? "," : "") + blank();
            if (bracket == '{') {
                members += fmt::format("\"{}\"{}:{}", i, blank(), blank());
            }
            members += value(depth - 1) + blank();
        }
        return members;
    }

    std::mt19937 random_;
};

std::string problem_of(const std::string& text, std::size_t most = MiB) {
    TextBytes bytes(text);
    try {
        Stream stream(bytes, {16, most});
        walked(stream, 1);
        stream.end();
    } catch (const Problem& problem) {
        return problem.in_place();
    }
    return "";
}

}  // namespace

TEST_CASE("A JSON text is read the same through every window") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        RandomJson random(seed);
        const std::string text = " [" + random.value(6) + " , " + random.value(3) + "]\n";
        const std::string expected = nlohmann::json::parse(text).dump();
        for (const std::size_t window : {1U, 2U, 7U, 64U, 100U, 100000U}) {
            for (const int depth : {0, 1, 2, 8}) {
                INFO("seed " << seed << ", window " << window << ", depth " << depth << "\n"
                             << text);
                CHECK(read(text, window, depth) == expected);
            }
        }
    }
}

TEST_CASE("Broken JSON is refused with the byte where it breaks") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "is cut off at byte 0: expected a value"},
        {"{", "is cut off at byte 1: expected a key or '}'"},
        {"{\"a\"", "is cut off at byte 4: expected ':'"},
        {"{\"a\" 1}", "broken JSON at byte 5: expected ':', found '1'"},
        {"{\"a\":", "is cut off at byte 5: expected a value"},
        {"{\"a\":}", "broken JSON at byte 5: expected a value, found '}'"},
        {"{\"a\":1", "is cut off at byte 6: expected ',' or '}'"},
        {"{\"a\":1 2}", "broken JSON at byte 7: expected ',' or '}', found '2'"},
        {"{\"a\":1,}", "broken JSON at byte 7: expected a key, found '}'"},
        {"{1:1}", "broken JSON at byte 1: expected a key, found '1'"},
        {"{\"a", "is cut off at byte 3: expected the end of the value that begins at byte 1"},
        {"[\"a\\", "is cut off at byte 4: expected the end of the value that begins at byte 1"},
        {"[[1,2", "is cut off at byte 5: expected the end of the value that begins at byte 1"},
        {"[1 2]", "broken JSON at byte 3: expected ',' or ']', found '2'"},
        {"[1]]", "broken JSON at byte 3: expected nothing behind the end, found ']'"},
        {"[1\t\x01]", "broken JSON at byte 3: expected ',' or ']', found the byte 1"},
        {"[1] x", "broken JSON at byte 4: expected nothing behind the end, found 'x'"},
        {"{\"\\q\":1}",
         "in the key at byte 1: broken JSON at character 3 of the value: Problem while parsing a "
         "string"},
    };
    for (const auto& [text, problem] : cases) {
        INFO(text);
        CHECK(problem_of(text) == problem);
    }
}

TEST_CASE("Values may be large and deep, but not too large and too deep") {
    CHECK(problem_of("[\"" + std::string(1000, 'x') + "\"]", 2000).empty());
    CHECK(problem_of("[1,\"" + std::string(3000, 'x') + "\"]", 2000) ==
          "expected values of at most 2000 bytes, found more at byte 3");
    const auto nested = [](std::size_t depth) {
        return "[" + std::string(depth, '[') + std::string(depth, ']') + "]";
    };
    CHECK(problem_of(nested(500)).empty());
    CHECK(problem_of(nested(json::most_depth + 1)) ==
          "in the value at byte 1: nested more than 1,024 deep");
}

TEST_CASE("A value that is passed takes no memory") {
    // More than the limit on a value.
    const std::string text = "[" + std::string("\"") + std::string(3000, 'x') + "\", 1]";
    TextBytes bytes(text);
    Stream stream(bytes, {16, 2000});
    stream.open('[', "a list");
    REQUIRE(stream.next());
    stream.skip();
    REQUIRE(stream.next());
    CHECK(stream.value() == "1");
    CHECK_FALSE(stream.next());
    stream.end();
}

}  // namespace json_stream_test
