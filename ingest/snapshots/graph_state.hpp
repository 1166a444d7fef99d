#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/rows/intervals/interval_table.hpp"
#include "ingest/rows/snapshots/cache_state.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "ingest/sources/pages/source.hpp"

namespace cacheledger {

/// The kind of all files. Throws UsageError if they are of several, or if a file that has no stacks
/// has a label.
SourceKind kind_of(const GraphInput& input);

/// Who is there, by index into Graph::nodes: what the index of `root` has, or any where there is
/// none or views are beside it, each in the stack of every index that has it. An index without a
/// label is that of `root`.
/// The specs of a lock file or an install database are in no stack.
struct PresentNodes {
    std::vector<StackNames> stack_sets;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;  ///< node, stack set
};

/// Throws InputError for a label that can't name a stack.
PresentNodes present_nodes(const GraphInput& input);

/// What the snapshot of a GraphInput observes, as it would be stored.
struct GraphState {
    SourceKind kind = SourceKind::index;
    CacheState cache;
    std::vector<UnobservedStack> unobserved;
    std::vector<SeenRoot> roots;
    std::vector<PageHead> heads;             ///< of each package, in the order of cache.specs
    std::map<std::string, Digest> packages;  ///< the same by name
    std::vector<std::string> of_mirrors;     ///< findings that are content: kind and detail, sorted
    bool is_held = false;                    ///< it is that of the snapshot before, none of these
};

/// Who is there, as specs. `specs`: by index into Graph::nodes.
CacheState state_of(const GraphInput& input, const PresentNodes& present,
                    const std::vector<KnownSpec>& specs);

/// The stacks of the files that could not be read, sorted.
std::vector<UnobservedStack> unobserved_stacks_of(const GraphInput& input);

/// What the indexes and the files of their mirrors disagree about, as in GraphState.
std::vector<std::string> findings_of_mirrors(const GraphInput& input);

/// The same of a snapshot.
std::vector<std::string> findings_of_mirrors(SQLite::Database& database, std::int64_t snapshot_id);

/// The roots of all files, sorted and numbered. What several files say is one root.
std::vector<SeenRoot> roots_of(const GraphInput& input, const std::vector<KnownSpec>& specs);

}  // namespace cacheledger
