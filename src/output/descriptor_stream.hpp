#pragma once

#include <array>
#include <ostream>
#include <streambuf>
#include <string>

namespace cacheledger {

/// Writes to a file descriptor. Unlike std::ofstream it says why it could not, and stops where the
/// program is interrupted while it waits for who reads.
class DescriptorBuffer : public std::streambuf {
  public:
    /// `name`: of the file, for messages. The descriptor stays open.
    DescriptorBuffer(int descriptor, std::string name);

  protected:
    int_type overflow(int_type character) override;
    int sync() override;

  private:
    int descriptor_;
    std::string name_;
    std::array<char, 1 << 16> buffer_{};
};

/// A stream on it. What can't be written throws UsageError, from `<<` and flush().
class DescriptorStream : public std::ostream {
  public:
    DescriptorStream(int descriptor, std::string name);

  private:
    DescriptorBuffer buffer_;
};

}  // namespace cacheledger
