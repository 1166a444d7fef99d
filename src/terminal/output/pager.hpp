#pragma once

#include <array>
#include <functional>
#include <iosfwd>
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

/// From this call on there is no pager (--no-pager).
void forbid_pager();

/// The command of the user's pager, by git's rules: $CACHELEDGER_PAGER, else $PAGER, else less.
/// Empty for none: if it is empty or `cat`, or no such program is installed.
std::string pager_command();

/// Calls `print` to write to the pager, and waits until the user has left it. Ctrl-C is then for
/// the pager. If the user leaves it before all is written, the rest is left out. Throws
/// Interrupted, and UsageError if the pager can't be started.
void write_to_pager(const std::string& command, const std::function<void(std::ostream&)>& print);

}  // namespace cacheledger
