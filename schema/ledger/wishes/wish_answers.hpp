#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <vector>

#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/environments/wish.hpp"

namespace cacheledger {

/// A spec that meets a wish.
struct MetBy {
    std::int64_t spec_id = 0;
    bool is_sure = false;       ///< else as far as known: no source says enough of the spec
    bool is_preferred = false;  ///< it is surely as the list prefers, or nothing is preferred
};

/// Those of `specs` that meet the wish, by Spack's rules: they match its spec and its conditions.
/// `specs` must be of the package of the wish.
std::vector<MetBy> specs_that_meet(SQLite::Database& database, const Wish& wish,
                                   const std::vector<SpecAndLook>& specs);

/// The same for those who ask about many wishes.
std::vector<MetBy> specs_that_meet(SQLite::Database& database, const Wish& wish,
                                   const std::vector<SpecAndLook>& specs, SearchMemory& memory);

}  // namespace cacheledger
