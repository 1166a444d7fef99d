#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reports/questions/keep/seen_specs.hpp"

namespace cacheledger {

/// A spec that is kept, and that lacks something then.
struct BrokenSpec {
    std::size_t spec = 0;      ///< a kept one: its place in SeenSpecs::specs()
    std::int64_t lost_id = 0;  ///< the first by package and hash that it needs itself, else at all
    bool is_direct = false;    ///< it needs that one itself, not only through others
};

/// What the specs of the ledger need to link or to run, whether or not a cache has it. A spliced
/// spec is there if the spec that was built is, and an external one always.
class RuntimeGraph {
  public:
    RuntimeGraph(SQLite::Database& database, const SeenSpecs& seen);

    /// Keeps all that kept specs need, directly or not. Returns how many specs that were.
    std::int64_t keep_needed(SeenSpecs& seen) const;

    /// The specs that are not kept, and that kept ones need, directly or not; by place.
    std::vector<bool> needed(const SeenSpecs& seen) const;

    /// The kept specs that need such specs: some way down from them ends at a lost one.
    std::vector<BrokenSpec> broken(SQLite::Database& database, const SeenSpecs& seen) const;

  private:
    using Places = std::vector<std::size_t>;

    /// Edges in one direction: those of a node are together.
    struct Edges {
        Places first, to;
        void fill(std::size_t nodes, const Places& from, const Places& target);
    };

    std::size_t place_of(std::int64_t spec_id);
    bool is_kept(const SeenSpecs& seen, std::size_t node) const;
    bool is_lost(const SeenSpecs& seen, std::size_t node) const;
    std::int64_t keep_reached(SeenSpecs& seen) const;
    std::vector<bool> reached(const SeenSpecs& seen) const;
    Places in_order(SQLite::Database& database, const std::vector<bool>& chosen) const;

    std::unordered_map<std::int64_t, std::size_t> places_;
    std::vector<std::int64_t> ids_;  // by place; first those of SeenSpecs::specs(), in their order
    std::size_t num_seen_;
    Edges down_, up_;
    std::unordered_map<std::size_t, std::vector<std::size_t>> built_;  // stand in for spliced ones
    std::vector<bool> is_external_;
};

}  // namespace cacheledger
