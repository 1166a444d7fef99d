#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ingest/bytes/streams/bytes.hpp"
#include "schema/text/sha256.hpp"

namespace cacheledger {

/// Gives the bytes of another, and computes the number and the SHA-256 of all.
class DigestedBytes : public Bytes {
  public:
    /// `bytes` must outlive this.
    explicit DigestedBytes(Bytes& bytes) : bytes_(bytes) {}

    std::size_t read(char* into, std::size_t size) override {
        const std::size_t count = bytes_.read(into, size);
        digest_.add(into, count);
        size_ += count;
        return count;
    }

    /// Reads what is left, and gives the digest in hex digits. To be called once. Throws Problem.
    std::string finish() {
        std::array<char, 1U << 16U> rest{};
        while (read(rest.data(), rest.size()) > 0) {
        }
        return digest_.hex();
    }

    /// How many were read so far.
    std::uint64_t size() const { return size_; }

  private:
    Bytes& bytes_;
    Sha256 digest_;
    std::uint64_t size_ = 0;
};

}  // namespace cacheledger
