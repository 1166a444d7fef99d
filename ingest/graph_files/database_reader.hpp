#pragma once

#include "ingest/graph_files/record_reader.hpp"

namespace cacheledger {

/// Reads what is under "database" in an index or an install database: docs/formats.md, "Indexes".
class DatabaseReader {
  public:
    /// What it reads goes to records.content.
    explicit DatabaseReader(RecordReader& records) : records_(records) {}

    /// Throws Problem.
    void read(json::Stream& stream);

  private:
    void read_record(json::Stream& stream, FileNodes& nodes);
    void read_member(json::Stream& stream, FileNodes& nodes, const DagHash& key, FileRecord& flags,
                     bool& has_spec);
    bool read_bool(std::string_view text, std::string_view key);
    void check(std::string_view text);

    RecordReader& records_;
    bool has_in_buildcache_ = false, has_installed_ = false;
};

}  // namespace cacheledger
