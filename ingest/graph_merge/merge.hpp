#pragma once

#include <string>
#include <vector>

#include "ingest/graph/graph.hpp"
#include "ingest/graph/recipes.hpp"

namespace cacheledger {

/// A node with its dependencies, in one spelling.
struct Spelled {
    Node node;
    std::vector<Edge> edges;  ///< as sort_edges() leaves them
};

/// Sorts them, and leaves each once.
void sort_edges(std::vector<Edge>& edges);

/// Makes one node of two spellings with one hash (docs/formats.md, "Nodes"). What `known` does not
/// say, `given` fills in; what they say differently stays. Where both can't be kept though neither
/// is wrong, it does not depend on their order which one is: `form` is the lower one, and the
/// target's features, the state of the hash and the digest are those of the text from which the
/// hash can be computed, else of the one with the smaller digest. Gives a text for each difference,
/// as in "version stays 1.2, the file says 1.3".
std::vector<std::string> merge(Spelled& known, const Spelled& given, const std::vector<Node>& nodes,
                               Recipes& recipes);

}  // namespace cacheledger
