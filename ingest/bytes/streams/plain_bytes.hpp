#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "ingest/bytes/streams/bytes.hpp"

namespace cacheledger {

/// No file gives more bytes than this, which is twenty times the largest index known.
inline constexpr std::uint64_t most_plain_bytes = std::uint64_t{4} << 30;

/// Throws Problem if a text has more bytes.
void refuse_too_many_bytes(std::uintmax_t bytes);

/// Whether bytes that begin like this are gzip.
bool is_gzip(std::string_view head);

/// Other bytes, decompressed where they are gzip, as their first two say: names and media types
/// are often wrong. Gives at most `most` bytes, and throws Problem where there are more: a small
/// file can decompress to any size.
class PlainBytes : public Bytes {
  public:
    /// `from` must outlive this.
    explicit PlainBytes(Bytes& from, std::uint64_t most = most_plain_bytes);
    ~PlainBytes() override;

    std::size_t read(char* into, std::size_t size) override;

    /// Whether the other bytes are gzip.
    bool are_compressed() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
