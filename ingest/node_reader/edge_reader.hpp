#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ingest/node_reader/node_reader.hpp"
#include "ingest/page/shared_values.hpp"

namespace cacheledger {

/// How the dependencies of a node are written.
enum class EdgeForm : std::uint8_t {
    none,
    by_name,         ///< form 1: an object, by package
    with_types,      ///< forms 2 and 3: a list with "type"
    with_parameters  ///< from form 4 on: a list with "parameters"
};

/// Reads the `dependencies` of nodes, in every form. Not for use by several threads at once.
class EdgeReader {
  public:
    /// `values` owns what the edges refer to, and must outlive this.
    explicit EdgeReader(SharedValues& values);
    ~EdgeReader();

    /// Appends the dependencies that `written` has, which may be empty, to `edges`, sets `count` to
    /// their number, and counts keys that are not known. Throws Problem, which says
    /// what was expected: "dependencies[3].type: ...".
    EdgeForm read(std::string_view written, std::vector<ReadEdge>& edges, std::uint32_t& count,
                  UnknownKeys& unknown);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
