#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>
#include <string>
#include <vector>

#include "schema/ledger/names/snapshot.hpp"

/// The snapshots that a command asks for. `notes` gets what the user should know of the choice
/// (src/options/command_line/notes.hpp): which series `latest` is of if several snapshots have its
/// moment, or if it is of no cache; which series is compared if it is not that of `latest`; that
/// tag@{moment} is much older than that moment; that both names mean one snapshot. All throw
/// UsageError as schema/ledger/names/snapshot.hpp says.
namespace cacheledger {

/// The snapshot that the user means by `text`; without one `latest`.
Snapshot choose_snapshot(SQLite::Database& database, const std::optional<std::string>& text,
                         std::vector<std::string>& notes);

/// The snapshots of the options --at, or `latest`; each cache once.
std::vector<Snapshot> choose_snapshots(SQLite::Database& database,
                                       const std::vector<std::string>& texts,
                                       std::vector<std::string>& notes);

/// The newest snapshot with one before it in its series, and that one.
SnapshotPair choose_newest_pair(SQLite::Database& database, std::vector<std::string>& notes);

/// What a command compares. `words`: two snapshots; or one, which is compared with the one before
/// it; or none, for choose_newest_pair().
SnapshotPair choose_pair(SQLite::Database& database, const std::vector<std::string>& words,
                         std::vector<std::string>& notes);

}  // namespace cacheledger
