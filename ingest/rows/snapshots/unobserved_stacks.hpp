#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/rows/intervals/presence_history.hpp"
#include "ingest/rows/snapshots/cache_state.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// A stack of which a snapshot says nothing, because its index could not be read.
struct UnobservedStack {
    std::string name;
    bool has_root = false;  ///< what the index of `root` does not have is gone all the same

    auto operator<=>(const UnobservedStack&) const = default;
};

/// Those of a snapshot, sorted.
std::vector<UnobservedStack> unobserved_stacks_of(SQLite::Database& database,
                                                  std::int64_t snapshot_id);

/// The state of a snapshot that does not say who is in `stacks`: each spec is in them that was so
/// in the state `before`. Whoever `given` has in these stacks only is left out.
CacheState with_unobserved(const CacheState& given, const CacheState& before,
                           const std::vector<UnobservedStack>& stacks);

/// Makes the later snapshots of a series follow a change at `moment`, as far as they have
/// unobserved stacks. Writes in the caller's transaction.
void hold_unobserved_stacks(SQLite::Database& database, Dictionary& dictionary,
                            PresenceHistory& history, std::int64_t series_id, Moment moment);

}  // namespace cacheledger
