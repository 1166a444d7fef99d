#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"

namespace cacheledger {

class Recipes;
class SharedValues;

/// An edge as a node names it: the index of the child is not known yet.
struct ReadEdge : Edge {
    DagHash key{};  ///< of the child in the file, or one of its hashes
    const Shared<Text>* package = nullptr;
};

/// What the texts of nodes say. Of a node that its text gives no hash, that is all zeros;
/// `compiler` is not that of an edge yet; `first_edge` is an index into `edges`.
struct ReadNodes {
    std::vector<Node> nodes;
    std::vector<ReadEdge> edges;
    /// Other hashes by which forms 1 and 2 call a node: with its index into `nodes`.
    std::vector<std::pair<DagHash, std::uint32_t>> other_names;
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

    /// Reads the node that `text` is, appends it and its dependencies to `into`, and counts keys
    /// that are not known. `sha1`: node_sha1() of the text. Throws Problem, which says what was
    /// expected: "version: ...".
    Node& read(std::string_view text, const Digest& sha1, ReadNodes& into, UnknownKeys& unknown);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cacheledger
