#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ingest/pages/page/page.hpp"
#include "ingest/rows/specs/spec_table.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/specs/spelling/dag_hash.hpp"

namespace cacheledger {

/// The names of stacks.
using StackNames = std::set<std::string>;

/// The stack that is the union of all.
inline constexpr const char* stack_of_all = "root";

/// A spec that is there.
struct PresentSpec {
    KnownSpec spec;
    DagHash hash{};
    std::uint32_t stacks = 0;  ///< index into CacheState::stack_sets
};

/// What a series has at one moment, put together from indexes, and not from pages.
struct CacheState {
    std::vector<StackNames> stack_sets;
    std::vector<PresentSpec> specs;  ///< sorted by package and hash
};

/// Calls `take` with the specs of each package.
template <typename Take>
void for_each_package(const CacheState& state, Take take) {
    for (std::size_t begin = 0; begin < state.specs.size();) {
        std::size_t end = begin;
        while (end < state.specs.size() &&
               state.specs[end].spec.package_id == state.specs[begin].spec.package_id) {
            ++end;
        }
        take(std::span(state.specs).subspan(begin, end - begin));
        begin = end;
    }
}

void sort_specs(CacheState& state);

/// What the state of a package is known by, as a page is by its text: it follows from the hashes
/// and their stacks.
PageHead head_of_state(const std::string& package, std::span<const PresentSpec> specs,
                       const std::vector<StackNames>& stack_sets);

/// What the ledger has of a series at `moment`. Unknown stacks are none.
CacheState read_state(SQLite::Database& database, std::int64_t series_id, Moment moment);

}  // namespace cacheledger
