#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"

namespace cacheledger {

class Recipes;
class SharedValues;

/// A dependency as a node names it.
struct ReadEdge {
    DagHash child{};  ///< its key in the file, or one of its hashes
    const Shared<Text>* package = nullptr;
    std::uint8_t types = 0;
    const Shared<Text>* virtuals = nullptr;
};

/// A node as its text says it, its edges aside.
struct ReadNode {
    Node node;              ///< `compiler` is not that of an edge yet; first_edge is not set
    bool has_hash = false;  ///< else it is known by its key only
    std::optional<DagHash> build_name, full_name;  ///< other hashes by which forms 1 and 2 name it
};

/// What reading nodes came across, in all of a file.
using UnknownKeys = std::map<std::string, std::size_t>;  // with the number of nodes

/// Reads the nodes of concrete specs in every form, which their shape tells (docs/formats.md,
/// "Nodes"). A part that many nodes share is parsed once: of the nodes of an index, one in ten or
/// fewer has parts that no other has. Not for use by several threads at once.
class NodeReader {
  public:
    /// `values` and `recipes` own what the nodes refer to, and must outlive this.
    NodeReader(SharedValues& values, Recipes& recipes);
    ~NodeReader();

    /// Reads the node that `text` is, appends its dependencies to `edges`, and counts keys that are
    /// not known. `sha1`: node_sha1() of the text. Throws Problem, which says what
    /// was expected: "version: ...".
    ReadNode read(std::string_view text, const Digest& sha1, std::vector<ReadEdge>& edges,
                  UnknownKeys& unknown);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
