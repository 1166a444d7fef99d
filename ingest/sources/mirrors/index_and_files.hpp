#pragma once

#include <cstdint>
#include <vector>

#include "ingest/sources/mirrors/spec_files.hpp"
#include "ingest/sources/pages/source.hpp"

namespace cacheledger {

/// Compares an index with the spec files of its mirror. What it lists and the mirror has no file of
/// can't be fetched: that is taken out of `present`, and has a finding. So has what the mirror has
/// and no index of it lists, if this one lists all: `listed`, the nodes that its indexes list, else
/// null. `there`: what `specs` lists. `graph`: that of the index. Gives nothing where they agree,
/// and at most most_findings of a kind.
std::vector<MirrorFinding> compare_with_files(GraphSource& index, const Graph& graph,
                                              const SpecFiles& specs,
                                              const std::vector<NamedSpec>& there,
                                              const std::vector<std::uint32_t>* listed);

/// What a view lists and the main index of its mirror does not, likewise.
std::vector<MirrorFinding> compare_with_main(const GraphSource& view, const GraphSource& main,
                                             const Graph& graph);

}  // namespace cacheledger
