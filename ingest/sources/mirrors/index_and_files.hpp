#pragma once

#include <vector>

#include "ingest/sources/mirrors/spec_files.hpp"
#include "ingest/sources/pages/graph_input.hpp"

namespace cacheledger {

/// Compares an index with the spec files of its mirror. What it lists and the mirror has no file of
/// can't be fetched: that is taken out of `present`, and has a finding. So has what the mirror has
/// and the index does not list, if it lists `all` of its mirror. `there`: what `specs` lists.
/// `graph`: that of the index. Gives nothing where they agree, and at most most_findings of a kind.
std::vector<MirrorFinding> compare_with_files(GraphSource& index, const Graph& graph,
                                              const SpecFiles& specs,
                                              const std::vector<NamedSpec>& there, bool all);

}  // namespace cacheledger
