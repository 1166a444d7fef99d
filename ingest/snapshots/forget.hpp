#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/rows/intervals/presence_history.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/upkeep/retention.hpp"
#include "schema/text/embedded_text.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// Removes one snapshot. The packages that it observed get the state that the observation before
/// it gave them. Writes in the caller's transaction. Words and specs
/// that are not used any more stay until sweep(). `dictionary` and `history`: those that the caller
/// writes with. The dictionary must forget specs afterwards.
void remove_snapshot(SQLite::Database& database, Dictionary& dictionary, PresenceHistory& history,
                     std::int64_t snapshot_id);

/// Removes specs, looks, pages and words that no snapshot uses. Writes in the caller's transaction.
/// The two files that it runs are compiled in: unreached.sql, sweep.sql.
void sweep(SQLite::Database& database);
extern const std::span<const EmbeddedText> unreached_texts, sweep_texts;

/// Removes one snapshot and everything that only it used, in one transaction: the ledger is as if
/// it had never been loaded. `name`: as in find_snapshot(), which throws if there is no such
/// snapshot. Returns the removed snapshot.
Snapshot forget(SQLite::Database& database, std::string_view name);

/// Judges the snapshots as judge_snapshots() does, and removes those that are not kept, in one
/// transaction: the ledger is as if they had never been loaded, but for the commits of a history
/// that gave them, which count as loaded. Returns what was judged. `progress` may throw, and then
/// nothing is removed.
std::vector<JudgedSnapshot> forget(SQLite::Database& database, const Retention& retention,
                                   const std::optional<std::string>& tag, const Progress& progress);

/// Removes all snapshots but the newest `count` of each series, as forget() does.
void keep_newest(SQLite::Database& database, std::size_t count);

}  // namespace cacheledger
