#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>
#include <string>

#include "reports/questions/wanted/build_plan.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

/// What at least half of the builds of a plan have in common, if it made their hashes differ: one
/// dependency that is another one in the cache, or a system, target or compiler that no build in
/// the cache has.
struct RootCause {
    /// package, change (from what is wanted to what the cache has), builds (of the plan). One row
    /// for each of several dependencies that the same builds need. `package` is NULL if each build
    /// itself is for that system; then all such builds of the plan count.
    ResultTable causes{{"package", "change", "builds"}, {}};
    /// "All 50 must be built because of gcc (external: /usr -> /opt/site2/gcc)."
    std::optional<std::string> sentence{};
};

/// Compares what the plan builds, and all that it needs, with what the snapshot has or needs. Finds
/// nothing for plans of one build.
RootCause root_cause_of(SQLite::Database& database, const Snapshot& snapshot,
                        const WantedGraph& wanted, const BuildPlan& plan);

}  // namespace cacheledger
