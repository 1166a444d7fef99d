#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/page.hpp"

namespace cacheledger {

/// A node with its dependencies, whose values are in one GraphValues.
struct Spelled {
    Node node;
    std::vector<Edge> edges;  ///< as sort_edges() leaves them
};

/// Sorts them, and leaves each once.
void sort_edges(std::vector<Edge>& edges);

/// What messages call the child of an edge.
struct ChildName {
    std::string package;
    DagHash hash{};
};
using NameChild = std::function<ChildName(std::uint32_t child)>;

/// The one rule by which two spellings of one hash become one node (docs/formats.md, "Nodes"): two
/// in the files of a run, and one in a file and what the ledger has.
///
/// What they say differently is that of the spelling which preferred() names; the other fills in
/// what that does not say. `form` is the lower one. Of the edges that are not part of the hash the
/// node gets those of both. So the order of the two makes no difference.
struct MergeRule {
    const NameChild& name_child;
    Recipes& recipes;
    std::string_view source;  ///< what gave the second spelling: "the file", for messages

    /// Puts the node in `known`. Its look is only compared where both have one. Gives a text for
    /// each contradiction, as in "version stays 1.2, the file says 1.3".
    std::vector<std::string> merge(Spelled& known, Spelled given) const;
};

/// Which of two spellings is kept where they contradict each other: the one from whose text the
/// hash can be computed, else the one with the smaller digest.
Kept preferred(const Node& known, const Node& given);

/// Whether a text of this node says less of its edges than the node has: it has edges that are not
/// part of the hash, and another text may have others. Such a text is read each time.
bool has_varying_edges(const Node& node, const std::vector<Edge>& edges);

}  // namespace cacheledger
