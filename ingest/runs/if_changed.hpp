#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>

namespace cacheledger {

/// The snapshot before this one in its series, if it has the same tag and nothing differs: the same
/// packages, pages and specs, and no finding about either snapshot itself. Else nullopt.
std::optional<std::int64_t> same_snapshot_before(SQLite::Database& database,
                                                 std::int64_t snapshot_id);

}  // namespace cacheledger
