#pragma once

#include "ingest/graph_files/record_reader.hpp"

namespace cacheledger {

/// Reads the members of a lock file: docs/formats.md, "Lock files".
class LockReader {
  public:
    /// What it reads goes to records.content.
    explicit LockReader(RecordReader& records) : records_(records) {}

    /// Begins with a file.
    void start();

    /// Reads the next value of the file if its key is one of a lock file. Throws Problem.
    bool read_member(json::Stream& stream);

    /// Whether one was read that only lock files have.
    bool has_read() const { return has_nodes_ || has_roots_; }

    /// Throws Problem where something is missing.
    void end();

  private:
    bool read_member_of(json::Stream& stream, FileNodes& nodes, std::size_t depth);
    void read_roots(json::Stream& stream, FileNodes& nodes);
    FileRoot read_root(std::string_view text);
    void read_included(json::Stream& stream, std::size_t depth);
    void read_meta(const json::element& value);

    RecordReader& records_;
    bool has_nodes_ = false, has_roots_ = false;
};

}  // namespace cacheledger
