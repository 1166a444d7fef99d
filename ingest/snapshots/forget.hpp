#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string_view>

#include "ingest/presence/package_history.hpp"
#include "schema/names/snapshot.hpp"

namespace cacheledger {

/// Removes one snapshot: the packages that it observed are again as the observation before it left
/// them. Writes in the caller's transaction; words and specs that nothing uses any more stay until
/// sweep(). `history`: the one that the caller writes with.
void remove_snapshot(SQLite::Database& database, PackageHistory& history, std::int64_t snapshot_id);

/// Removes what no snapshot uses: specs, looks, pages, words. Writes in the caller's transaction.
void sweep(SQLite::Database& database);

/// Removes one snapshot and all that only it used, in one transaction: the ledger is as if it had
/// never been ingested. `name`: as in find_snapshot(), which says what is thrown. Gives what it
/// was.
Snapshot forget(SQLite::Database& database, std::string_view name);

}  // namespace cacheledger
