#include "reports/site/data/site_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <fstream>
#include <future>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "reports/site/files/data_file.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

// The smaller a slice, the less is loaded that nobody asked for: of a full cache, the first page of
// a package reads 0.8 MB in slices of 32 KiB, 0.45 MB in slices of 16 KiB. But each is a file.
constexpr std::size_t least_bytes_of_slice = std::size_t{16} * 1024;
constexpr std::size_t most_slices = 4000;
constexpr std::size_t slices_of_folder = 1000;
constexpr std::size_t slices_at_once = 64;  // of a thread

// Level 9 takes 4 times as long and saves less than 1 %.
constexpr int level_of_slices = 6;

struct PackedSlice {
    std::size_t size = 0;
    std::string json;
};

std::vector<PackedSlice> pack(const std::string& bytes, std::size_t bytes_of_slice) {
    const Gzip gzip(level_of_slices);
    std::vector<PackedSlice> packed;
    for (std::size_t at = 0; at < bytes.size(); at += bytes_of_slice) {
        const std::string slice = gzip(std::string_view(bytes).substr(at, bytes_of_slice));
        packed.push_back({slice.size(), fmt::format("\"{}\"", base64(slice))});
    }
    return packed;
}

std::size_t size_of_slices(std::uint64_t size) {
    std::size_t bytes = least_bytes_of_slice;
    while (size > bytes * most_slices) {
        bytes *= 2;
    }
    return bytes;
}

/// Sets the counters of changes to 1: they tell what happened to the file, not what is in it
/// (https://sqlite.org/fileformat2.html, 1.3). The second and the fourth are of the program that
/// wrote it.
void forget_changes(std::string& header) {
    constexpr std::array<std::size_t, 3> counters = {24, 40, 92};  // changes, schema, valid for
    for (const std::size_t counter : counters) {
        std::fill_n(header.begin() + static_cast<std::ptrdiff_t>(counter), 3, '\0');
        header[counter + 3] = 1;
    }
}

std::size_t page_size_of(const std::string& header) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(header[at]); };
    const std::size_t size = (std::size_t{byte(16)} << 8U) | byte(17);
    return size == 1 ? 65536 : size;
}

/// Threads pack what is read; this one writes, in the order of the slices.
class Slices {
  public:
    Slices(const WriteFile& write, const Progress& progress, std::uint64_t size)
        : bytes_of_slice(size_of_slices(size)),
          write_(write),
          progress_(progress),
          all_((size + bytes_of_slice - 1) / bytes_of_slice) {}

    void add(std::string bytes) {
        packing_.push_back(std::async(std::launch::async, pack, std::move(bytes), bytes_of_slice));
        if (packing_.size() > threads_) {
            write_oldest();
        }
    }

    void finish() {
        while (!packing_.empty()) {
            write_oldest();
        }
    }

    const std::size_t bytes_of_slice;
    std::uint64_t number = 0;
    std::uint64_t compressed = 0;
    std::string digests;  // one behind the other

  private:
    void write_oldest() {
        const std::vector<PackedSlice> slices = packing_.front().get();
        packing_.pop_front();
        for (const PackedSlice& slice : slices) {
            progress_(number, all_);
            digests += write_data_file(
                fmt::format("ledger/{}/{}", number / slices_of_folder, number), slice.json, write_);
            compressed += slice.size;
            ++number;
        }
    }

    const WriteFile& write_;
    const Progress& progress_;
    std::uint64_t all_;
    std::size_t threads_ = std::max(1U, std::thread::hardware_concurrency());
    std::deque<std::future<std::vector<PackedSlice>>> packing_;
};

}  // namespace

WrittenLedger write_ledger(const std::filesystem::path& database, const WriteFile& write,
                           const Progress& progress) {
    std::ifstream file(database, std::ios::binary);
    std::error_code unknown;
    WrittenLedger written;
    written.bytes = std::filesystem::file_size(database, unknown);
    Slices slices(write, progress, written.bytes);
    for (std::uint64_t left = written.bytes; file && left > 0;) {
        std::string bytes(std::min<std::uint64_t>(left, slices.bytes_of_slice * slices_at_once),
                          '\0');
        file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (written.page_size == 0) {
            written.page_size = page_size_of(bytes);
            forget_changes(bytes);
        }
        left -= bytes.size();
        slices.add(std::move(bytes));
    }
    slices.finish();
    if (unknown || !file || written.page_size == 0) {
        throw UsageError(fmt::format("{}: can't be read again", database.string()));
    }
    written.slices = slices.number;
    written.compressed = slices.compressed;
    written.digest = write_data_file("ledger", fmt::format("\"{}\"", slices.digests), write);
    written.pages_of_slice = slices.bytes_of_slice / written.page_size;
    return written;
}

}  // namespace cacheledger
