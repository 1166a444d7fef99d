#pragma once

#include "ingest/graph_files/record_reader.hpp"
#include "ingest/raw_records/record_cutter.hpp"

namespace cacheledger {

/// Reads what is under "database" in an index or an install database: docs/formats.md, "Indexes".
class DatabaseReader {
  public:
    /// What it reads goes to records.content.
    explicit DatabaseReader(RecordReader& records) : records_(records) {}

    /// Throws Problem.
    void read(json::Stream& stream);

  private:
    void read_records(json::Stream& stream);
    void read_record(const RawRecord& raw, std::string_view node);

    RecordReader& records_;
    bool has_records_ = false;
    bool has_in_buildcache_ = false;
    bool has_installed_ = false;
};

}  // namespace cacheledger
