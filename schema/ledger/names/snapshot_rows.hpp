#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

#include "schema/ledger/names/snapshot.hpp"
#include "schema/sqlite/statements/rows.hpp"

/// Rows of the table snapshot, for what finds snapshots, and their names in messages.
namespace cacheledger {

/// What a snapshot of a cache is made from. A lock file or an install database is no state of a
/// cache.
inline constexpr const char* of_caches = "kind IN ('pages', 'index')";

/// What `latest` names one of: snapshots of caches, or all if the ledger has none of a cache.
inline constexpr const char* of_latest =
    "(kind IN ('pages', 'index') OR NOT EXISTS (SELECT 1 FROM snapshot WHERE kind IN ('pages', "
    "'index')))";

/// Which of several snapshots is the newest.
inline constexpr const char* newest_first = "taken_at DESC, tag <> 'develop', name";

/// The rows of "SELECT ... FROM snapshot " + `condition`, whose parameters are `values`.
template <typename... Values>
std::vector<Snapshot> select_snapshots(SQLite::Database& database, const std::string& condition,
                                       const Values&... values) {
    return rows<std::int64_t, std::int64_t, Moment, std::string, std::string>(
               database,
               "SELECT snapshot_id, series_id, taken_at, tag, name FROM snapshot " + condition,
               values...)
        .template to<std::vector<Snapshot>>();
}

/// The names for a message, separated by commas: at most five, then how many there are.
std::string names_of(const std::vector<Snapshot>& snapshots);

}  // namespace cacheledger
