#include "reports/site/ledger_slices.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <new>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/libraries/libcrypto.hpp"

namespace cacheledger {

namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::size_t bytes_of_slice = 3'600'000;  // base64 makes 4,800,000 of them
constexpr std::size_t bytes_at_once = 1 << 20;
constexpr int gzip_window = MAX_WBITS + 16;  // zlib's number for gzip, whose header has no time
constexpr int memory_level = 8;              // zlib's default

std::string base64(const unsigned char* bytes, std::size_t size) {
    std::string text((size + 2) / 3 * 4 + 1, '\0');
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size));
    text.pop_back();  // the final NUL
    return text;
}

/// Compresses what it is given, and writes a slice whenever one is full.
class Slices {
  public:
    explicit Slices(const WriteFile& write) : write_(write), slice_(bytes_of_slice) {
        // Level 6: of a full cache, level 9 takes 5 times as long and saves less than 1 %.
        if (deflateInit2(&stream_, 6, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) !=
            Z_OK) {
            throw std::bad_alloc();
        }
        empty();
    }
    ~Slices() { deflateEnd(&stream_); }
    Slices(const Slices&) = delete;
    Slices& operator=(const Slices&) = delete;

    void add(Bytes& bytes, bool is_end) {
        stream_.next_in = bytes.data();
        stream_.avail_in = static_cast<uInt>(bytes.size());
        written_.bytes += bytes.size();
        int result = Z_OK;
        do {
            result = deflate(&stream_, is_end ? Z_FINISH : Z_NO_FLUSH);
            if (stream_.avail_out == 0 || result == Z_STREAM_END) {
                write_slice();
            }
        } while (is_end ? result != Z_STREAM_END : stream_.avail_in > 0);
    }

    WrittenLedger written() const { return written_; }

  private:
    void empty() {
        stream_.next_out = slice_.data();
        stream_.avail_out = static_cast<uInt>(slice_.size());
    }

    void write_slice() {
        const std::size_t size = slice_.size() - stream_.avail_out;
        if (size > 0) {
            write_data_file(fmt::format("ledger.{}", written_.slices),
                            fmt::format("\"{}\"", base64(slice_.data(), size)), write_);
            ++written_.slices;
            written_.compressed += size;
            empty();
        }
    }

    const WriteFile& write_;
    Bytes slice_;
    z_stream stream_{};
    WrittenLedger written_;
};

/// Sets the counters of changes to 1: they tell what happened to the file, not what is in it
/// (https://sqlite.org/fileformat2.html, 1.3). The second and the fourth are of the program that
/// wrote it.
void forget_changes(Bytes& header) {
    constexpr std::array<std::size_t, 3> counters = {24, 40, 92};  // changes, schema, valid for
    for (const std::size_t counter : counters) {
        std::fill_n(header.begin() + static_cast<std::ptrdiff_t>(counter), 3, 0);
        header[counter + 3] = 1;
    }
}

}  // namespace

WrittenLedger write_ledger(const std::filesystem::path& database, const WriteFile& write) {
    std::ifstream file(database, std::ios::binary);
    Slices slices(write);
    Bytes bytes;
    bool is_first = true;
    while (file) {
        bytes.resize(bytes_at_once);
        file.read(reinterpret_cast<char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
        bytes.resize(static_cast<std::size_t>(file.gcount()));
        if (is_first && !bytes.empty()) {
            forget_changes(bytes);
            is_first = false;
        }
        slices.add(bytes, !file);
    }
    if (!file.eof() || is_first) {
        throw UsageError(fmt::format("{}: can't be read again", database.string()));
    }
    return slices.written();
}

}  // namespace cacheledger
