#pragma once

#include <array>
#include <ostream>
#include <streambuf>
#include <string>

#include "schema/errors/error.hpp"

namespace cacheledger {

/// Nobody reads the pipe any more. Only where the program ignores SIGPIPE, which else ends it.
class ReaderIsGone : public UsageError {
  public:
    using UsageError::UsageError;
};

/// A stream buffer that writes to a file descriptor. Unlike std::ofstream it reports why a write
/// failed, and it stops when the program is interrupted while it waits for the reader of a pipe.
class DescriptorBuffer : public std::streambuf {
  public:
    /// `name`: the name of the file, for messages. The descriptor stays open.
    DescriptorBuffer(int descriptor, std::string name);

  protected:
    int_type overflow(int_type character) override;
    int sync() override;

  private:
    int descriptor_;
    std::string name_;
    std::array<char, 1 << 16> buffer_{};
};

/// A stream with a DescriptorBuffer. `<<` and flush() throw UsageError if writing fails.
class DescriptorStream : public std::ostream {
  public:
    DescriptorStream(int descriptor, std::string name);

  private:
    DescriptorBuffer buffer_;
};

}  // namespace cacheledger
