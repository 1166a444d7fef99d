#include "ingest/sources/mirrors/binary_sizes.hpp"

#include <fmt/format.h>

#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/mirrors/spec_manifests.hpp"

namespace cacheledger {

namespace {

// 13 digits, so that a sum over a million specs is still a number of 64 bits. The view spec_sizes
// has the same limit.
constexpr std::uint64_t most_binary_bytes = 9'999'999'999'999;

std::uint64_t checked_size(std::uint64_t size) {
    if (size > most_binary_bytes) {
        throw Problem(fmt::format("expected a binary of at most {} bytes, found {}",
                                  most_binary_bytes, size));
    }
    return size;
}

}  // namespace

std::vector<Problem> read_binary_sizes(const std::string& mirror, const TakeSize& take) {
    return read_spec_manifests(mirror, [&](const DagHash& hash, std::string_view text) {
        take(hash, checked_size(read_binary_size(text)));
    });
}

}  // namespace cacheledger
