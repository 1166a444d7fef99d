#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/basics/problem.hpp"
#include "ingest/graph/graph.hpp"
#include "ingest/looks/spec_table.hpp"
#include "ingest/presence/root_history.hpp"
#include "ingest/states/cache_state.hpp"
#include "ingest/states/snapshot_files.hpp"
#include "ingest/states/unobserved_stacks.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

/// One file of a snapshot.
struct GraphSource {
    std::string label;  ///< the stack; "" for none
    std::string name;   ///< how messages and findings call it
    GraphFile file;
    std::uint64_t size = 0;   ///< in bytes
    std::string sha256 = {};  ///< of these, in hex digits; "" if that is not known
};

/// A file of a snapshot that could not be read.
struct UnreadGraph {
    std::string label;
    std::string name;
    std::string problem;  ///< one line, which opens with the name
};

/// The size of a binary, in bytes.
struct BinarySize {
    DagHash hash{};
    std::uint64_t bytes = 0;

    auto operator<=>(const BinarySize&) const = default;
};

/// What one snapshot is made from.
struct GraphInput {
    std::string tag;
    std::string source;  ///< for the column `source`
    Graph graph;
    std::vector<GraphSource> files;
    std::vector<UnreadGraph> unread;
    std::vector<BinarySize> sizes = {};            ///< in any order, of other specs as well
    std::vector<Problem> unread_sizes = {};        ///< files that should have a size
    std::optional<Moment> taken_at = {};           ///< of a mutable tag; nullopt: that of the run
    std::optional<PageFinding> about_moment = {};  ///< a finding about that
    /// What GraphLoad::files_before() gave, if the files are the same: then none was read.
    std::optional<FilesBefore> same_as = {};
};

/// The kind of all files. Throws UsageError if they are of several, or if a file that has no stacks
/// has a label.
GraphKind kind_of(const GraphInput& input);

/// Who is there, by index into Graph::nodes: what the index of `root` has, or any where there is
/// none, each in the stack of every index that has it. An index without a label is that of `root`.
/// The specs of a lock file or an install database are in no stack.
struct PresentNodes {
    std::vector<StackNames> stack_sets;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;  ///< node, stack set
};

/// Throws InputError for a label that can't name a stack.
PresentNodes present_nodes(const GraphInput& input);

/// The same of specs. `specs`: by index into Graph::nodes.
CacheState state_of(const GraphInput& input, const PresentNodes& present,
                    const std::vector<KnownSpec>& specs);

/// The stacks of the files that could not be read, sorted.
std::vector<UnobservedStack> unobserved_stacks_of(const GraphInput& input);

/// The roots of all files, sorted and numbered. What several files say is one root.
std::vector<SeenRoot> roots_of(const GraphInput& input, const std::vector<KnownSpec>& specs);

}  // namespace cacheledger
