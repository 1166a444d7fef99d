#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "ingest/bytes/json/stream.hpp"
#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/read_ahead.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace json_stream_test {

using namespace cacheledger;
using json::Stream;
using Numbers = std::vector<int>;

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

/// Gives a text in pieces of this size.
class Pieces : public Bytes {
  public:
    Pieces(std::string_view text, std::size_t size) : text_(text), size_(size) {}
    std::size_t read(char* into, std::size_t size) override {
        return text_.read(into, std::min(size, size_));
    }

  private:
    TextBytes text_;
    std::size_t size_;
};

std::string all_of(Bytes& bytes, std::size_t piece = 1000) {
    std::string text, buffer(piece, '\0');
    while (const std::size_t count = bytes.read(buffer.data(), buffer.size())) {
        text.append(buffer, 0, count);
    }
    return text;
}

std::string plain(std::string_view text, std::size_t piece = 1 << 20,
                  std::uint64_t most = most_plain_bytes) {
    Pieces pieces(text, piece);
    PlainBytes bytes(pieces, most);
    return all_of(bytes);
}

std::string problem_of_plain(std::string_view text, std::uint64_t most = most_plain_bytes) {
    try {
        plain(text, 100, most);
    } catch (const Problem& problem) {
        return problem.in_place();
    }
    return "";
}

std::string long_text() {
    std::string text;
    for (int i = 0; i < 50000; ++i) {
        text += fmt::format("{} ", std::int64_t{i} * i);
    }
    return text;
}

/// Fills batches with the numbers from 0 on, three each, and throws before `broken`.
ReadAhead<Numbers>::Fill count_to(int last, int broken = -1) {
    return [=, next = 0](Numbers& into) mutable {
        into.clear();
        for (int i = 0; i < 3 && next < last; ++i) {
            if (next == broken) {
                throw std::runtime_error("broken");
            }
            into.push_back(next++);
        }
        return next < last;
    };
}

Numbers numbers_to(int last) {
    Numbers numbers;
    for (int number = 0; number < last; ++number) {
        numbers.push_back(number);
    }
    return numbers;
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

TEST_CASE("Bytes are decompressed where they are gzip, whatever the pieces in which they come") {
    const std::string text = long_text();
    for (const std::size_t piece : {1U, 2U, 3U, 1000U, 1U << 20U}) {
        INFO(piece);
        CHECK(plain(text, piece) == text);
        CHECK(plain(gzipped(text), piece) == text);
        CHECK(plain(gzipped(text) + gzipped("and more"), piece) == text + "and more");
        CHECK(plain(gzipped(text) + std::string(700, '\0'), piece) == text);
        CHECK(plain("\x1f", piece) == "\x1f");
        CHECK(plain("", piece).empty());
        CHECK(plain(gzipped(""), piece).empty());
    }
}

TEST_CASE("Gzip data that are cut off or broken are a problem") {
    const std::string whole = gzipped(long_text());
    for (const std::size_t size :
         {std::size_t{2}, std::size_t{9}, whole.size() / 2, whole.size() - 1}) {
        INFO(size);
        CHECK(problem_of_plain(whole.substr(0, size)) == "is cut off: expected more gzip data");
    }
    std::string broken = whole;
    broken[broken.size() - 6] ^= 1;  // of the checksum
    CHECK(problem_of_plain(broken) ==
          "expected gzip data, found broken ones (incorrect data check)");
    CHECK(problem_of_plain(whole + "text") ==
          "expected gzip data, found broken ones (incorrect header check)");
    const std::string padding(300, '\0');
    CHECK(problem_of_plain(whole.substr(0, whole.size() - 3) + padding) ==
          "expected gzip data, found broken ones (incorrect length check)");
    for (const std::string& more : {std::string("text"), whole}) {
        CHECK(problem_of_plain(whole + padding + more) ==
              "expected the end of the file behind zero bytes behind gzip data");
    }
}

TEST_CASE("No more bytes come than the limit, however small the file is") {
    const std::string zeros = gzipped(std::string(5'000'000, '0'));
    CHECK(zeros.size() < 10'000);
    CHECK(problem_of_plain(zeros, 5'000'000).empty());
    CHECK(problem_of_plain(zeros, 4'999'999) ==
          "expected at most 4999999 bytes when decompressed, found more");
    CHECK(problem_of_plain("four", 4).empty());
    CHECK(problem_of_plain("four", 3) == "expected at most 3 bytes, found more");
}

TEST_CASE("Batches that are read ahead come in their order") {
    for (const int last : {0, 1, 3, 1000}) {
        ReadAhead<Numbers> ahead(count_to(last));
        Numbers all;
        while (const Numbers* const batch = ahead.next()) {
            all.insert(all.end(), batch->begin(), batch->end());
        }
        CHECK(all == numbers_to(last));
        CHECK(ahead.next() == nullptr);
    }
}

TEST_CASE("What was read ahead before a failure comes before the failure") {
    ReadAhead<Numbers> ahead(count_to(1000, 500));
    Numbers all;
    CHECK_THROWS_WITH(
        [&] {
            while (const Numbers* const batch = ahead.next()) {
                all.insert(all.end(), batch->begin(), batch->end());
            }
        }(),
        "broken");
    CHECK(all == numbers_to(500));
}

TEST_CASE("Reading ahead can be given up") {
    ReadAhead<Numbers> ahead(count_to(1'000'000));
    REQUIRE(ahead.next() != nullptr);
    CHECK(*ahead.next() == Numbers{3, 4, 5});
}

}  // namespace json_stream_test
