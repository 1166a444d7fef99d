#include "ingest/bytes/streams/bytes.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>

#include "ingest/bytes/problems/problem.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace bytes_test {

using namespace cacheledger;

namespace {

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

std::string problem_of(std::string_view text, std::uint64_t most = most_plain_bytes) {
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

}  // namespace

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
        CHECK(problem_of(whole.substr(0, size)) == "is cut off: expected more gzip data");
    }
    std::string broken = whole;
    broken[broken.size() - 6] ^= 1;  // of the checksum
    CHECK(problem_of(broken) == "expected gzip data, found broken ones (incorrect data check)");
    CHECK(problem_of(whole + "text") ==
          "expected gzip data, found broken ones (incorrect header check)");
    const std::string padding(300, '\0');
    CHECK(problem_of(whole.substr(0, whole.size() - 3) + padding) ==
          "expected gzip data, found broken ones (incorrect length check)");
    for (const std::string& more : {std::string("text"), whole}) {
        CHECK(problem_of(whole + padding + more) ==
              "expected the end of the file behind zero bytes behind gzip data");
    }
}

TEST_CASE("No more bytes come than the limit, however small the file is") {
    const std::string zeros = gzipped(std::string(5'000'000, '0'));
    CHECK(zeros.size() < 10'000);
    CHECK(problem_of(zeros, 5'000'000).empty());
    CHECK(problem_of(zeros, 4'999'999) ==
          "expected at most 4999999 bytes when decompressed, found more");
    CHECK(problem_of("four", 4).empty());
    CHECK(problem_of("four", 3) == "expected at most 3 bytes, found more");
}

}  // namespace bytes_test
