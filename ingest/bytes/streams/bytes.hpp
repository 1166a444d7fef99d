#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace cacheledger {

/// Bytes, one after the other, of any number.
class Bytes {
  public:
    Bytes() = default;
    virtual ~Bytes() = default;
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    /// Writes the next ones, at most `size`, to `into`. Gives how many; 0 only behind the last.
    /// Throws Problem.
    virtual std::size_t read(char* into, std::size_t size) = 0;
};

/// The next bytes, `most` or all that are left. Throws Problem.
std::string read_text(Bytes& bytes, std::size_t most = static_cast<std::size_t>(-1));

/// The bytes of a text, which must outlive this.
class TextBytes : public Bytes {
  public:
    explicit TextBytes(std::string_view text) : rest_(text) {}

    std::size_t read(char* into, std::size_t size) override {
        const std::size_t count = rest_.copy(into, size);
        rest_.remove_prefix(count);
        return count;
    }

  private:
    std::string_view rest_;
};

}  // namespace cacheledger
