#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "schema/text/sha256.hpp"

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

/// Removes the first line from `text`, and gives it without its end, "\n" or "\r\n".
inline std::string_view take_line(std::string_view& text) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    return line;
}

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

/// Throws Problem: a file can't be read, for this reason (errno).
[[noreturn]] void refuse_unreadable_file(int error);

/// A file, open for reading. It stays readable where its name is removed or given to another.
class OpenFile {
  public:
    /// Throws Problem where it can't be opened.
    explicit OpenFile(const std::string& file);
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// In bytes. Throws Problem if it is not a regular file: a FIFO or a device may block or never
    /// end.
    std::size_t size() const;

    /// Reads up to `size` bytes from the place `from`, fewer only at the end of the file.
    /// Throws Problem.
    std::size_t read(char* into, std::size_t size, std::uint64_t from = 0) const;

  private:
    int descriptor_;
};

/// The bytes of an open file, from its beginning.
class FileBytes : public Bytes {
  public:
    explicit FileBytes(std::shared_ptr<const OpenFile> file) : file_(std::move(file)) {}

    std::size_t read(char* into, std::size_t size) override {
        const std::size_t count = file_->read(into, size, at_);
        at_ += count;
        return count;
    }

  private:
    std::shared_ptr<const OpenFile> file_;
    std::uint64_t at_ = 0;
};

/// All bytes of a file. Throws Problem as OpenFile does, and if it has more than `most`.
std::string read_small_file(const std::string& file, std::size_t most);

}  // namespace cacheledger
