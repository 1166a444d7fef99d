#pragma once

#include <string>
#include <vector>

#include "ingest/graph/graph.hpp"
#include "ingest/graph/recipes.hpp"

namespace cacheledger {

/// A node with its dependencies, in one values.
struct Spelled {
    Node node;
    std::vector<Edge> edges;  ///< as sort_edges() leaves them
};

/// Sorts them, and leaves each once.
void sort_edges(std::vector<Edge>& edges);

/// Makes one node of two spellings with one hash (docs/formats.md, "Nodes"), in `known`. What they
/// say differently is that of the text from which the hash can be computed, else of the one with
/// the smaller digest; the other fills in what that does not say. `form` is the lower one. So the
/// order of the two makes no difference. Gives a text for each contradiction, as in "version stays
/// 1.2, the file says 1.3".
std::vector<std::string> merge(Spelled& known, Spelled given, const std::vector<Node>& nodes,
                               Recipes& recipes);

}  // namespace cacheledger
