#pragma once

#include <string>

#include "ingest/bytes/bytes.hpp"

namespace cacheledger {

/// The bytes of a regular file, or of standard input.
class FileBytes : public Bytes {
  public:
    /// "-" is standard input. Throws Problem where the file can't be read or is no regular file: a
    /// FIFO or a device would block, or never end.
    explicit FileBytes(const std::string& file);
    ~FileBytes() override;

    std::size_t read(char* into, std::size_t size) override;

  private:
    int descriptor_;
    bool owned_;
};

}  // namespace cacheledger
