#pragma once

#include "ingest/graph_files/database_reader.hpp"
#include "ingest/graph_files/lock_reader.hpp"
#include "ingest/graph_files/record_reader.hpp"

namespace cacheledger {

/// Reads what files say, whose kind their members tell. Which member comes first does not matter.
class ContentReader {
  public:
    /// See RecordReader.
    ContentReader(GraphBuilder& builder, const KnownNodes* known)
        : records_(builder, known), database_(records_), lock_(records_) {}

    /// Reads the file to its end. Throws Problem, which says where and what was expected:
    /// "database.installs.KEY: arch.target: ...".
    FileContent read(json::Stream& stream);

  private:
    void read_spec(json::Stream& stream);
    void read_nodes(json::Stream& stream);

    RecordReader records_;
    DatabaseReader database_;
    LockReader lock_;
};

}  // namespace cacheledger
