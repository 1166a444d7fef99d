#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "reports/questions/keep/seen_specs.hpp"
#include "schema/ledger/graph/spec_graph.hpp"

namespace cacheledger {

/// A spec that is kept, and that lacks something then.
struct BrokenSpec {
    std::int64_t spec_id = 0;
    std::int64_t lost_id = 0;  ///< the first by package and hash that it needs itself, else at all
    bool is_direct = false;    ///< it needs that one itself, not only through others
};

/// What the specs of a cache need to link or to run, whether or not it has that. A spliced spec is
/// there if the spec that was built is, and an external one always.
class RuntimeGraph {
  public:
    RuntimeGraph(const SQLite::Database& database, const SeenSpecs& seen);

    /// Keeps all that kept specs need, directly or not, except what is dropped. Returns how many
    /// specs that were.
    std::int64_t keep_needed(SeenSpecs& seen) const;

    /// The specs that are not kept, and that kept ones need, directly or not.
    SpecSet needed(const SeenSpecs& seen) const;

    /// The kept specs that need such specs: some way down from them ends at a lost one.
    std::vector<BrokenSpec> broken(const SQLite::Database& database, const SeenSpecs& seen) const;

  private:
    SpecSet reached(const SeenSpecs& seen) const;
    SpecSet lost(const SeenSpecs& seen) const;
    SpecSet with_stand_ins(SpecSet specs) const;

    SpecGraph graph_;
    SpecSet externals_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> built_;  // a spliced spec, its stand-in
};

}  // namespace cacheledger
