#pragma once

#include <memory>

#include "ingest/graph_files/file_nodes.hpp"
#include "ingest/graph_files/graph_builder.hpp"
#include "ingest/graph_files/known_nodes.hpp"
#include "ingest/json/stream.hpp"

namespace cacheledger {

/// Reads what files say, whose kind their members tell. What comes first in a file does not matter.
class ContentReader {
  public:
    /// `builder` has the nodes of the files before, whose texts are not parsed again. `known` may
    /// be null. Both must outlive this.
    ContentReader(GraphBuilder& builder, const KnownNodes* known);
    ~ContentReader();

    /// Reads the file to its end. Throws std::invalid_argument, which says where and what was
    /// expected: "database.installs.KEY.spec: arch.target: ...".
    FileContent read(json::Stream& stream);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
