#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"

/// Finds snapshots by what users call them, and names them in messages.
namespace cacheledger {

/// One row of the table snapshot: the state of one tag at one moment.
struct Snapshot {
    std::int64_t id = 0;
    std::int64_t series_id = 0;
    Moment taken_at = 0;
    std::string tag;
    std::string name;
};

/// Finds the snapshot that the user means by `text`:
///
/// - develop@2025-03-30T06:00:00Z: a tag and a moment. The moment may be cut (develop@2025-03-30)
///   if exactly one snapshot matches.
/// - develop@{2025-03-30}, develop@{1 week ago}: the snapshot in force then, which is the newest at
///   or before that moment (parse_past() in schema/ledger/names/moment.hpp). Of develop-* if there
///   is no tag develop; of all pages and indexes for latest@{...} and @{...}. `as_of` is the
///   current time.
/// - yesterday, 2025-03-30: a moment alone means latest@{yesterday}.
/// - develop-2025-03-30: a dated tag. It may be cut to its month or year (develop-2025-03).
/// - develop: the newest snapshot of the tag; develop-*: the newest of the series.
/// - latest: the newest snapshot of pages or indexes, or of all if the ledger has none of these. Of
///   several with the same moment, develop is first, then the order of names counts.
/// - develop~1, latest~2: one or two snapshots earlier in the series.
///
/// Throws UsageError if none or several match; the message names the nearest, or the candidates.
/// `latest` can match two snapshots in a ledger that another program wrote: this one refuses a tag
/// of that name.
Snapshot find_snapshot(SQLite::Database& database, std::string_view text, Moment as_of = now());

/// The snapshot that `latest` means as a default of the program, even if a tag is called "latest".
/// Throws UsageError if the ledger has no snapshot.
Snapshot newest_snapshot(SQLite::Database& database);

/// Whether the ledger has a snapshot of pages or indexes, which are states of a cache.
bool has_cache(SQLite::Database& database);

/// All snapshots that `latest` could name because they have its moment; the first is
/// newest_snapshot(). Empty if the ledger has no snapshot.
std::vector<Snapshot> newest_snapshots(SQLite::Database& database);

/// The newest snapshot of a lock file; of several with the same moment, the first by name. nullopt
/// if the ledger has none.
std::optional<Snapshot> newest_lock(SQLite::Database& database);

/// Two snapshots to compare.
struct SnapshotPair {
    Snapshot from, to;
};

/// The pair that is compared if the user names none: of the snapshots that `latest` could name at
/// some moment, the newest that has one before it in its series, and that one. Throws UsageError if
/// no series has two.
SnapshotPair newest_pair(SQLite::Database& database);

/// The snapshot and the one before it in its series. Throws UsageError if there is none.
SnapshotPair pair_up_to(SQLite::Database& database, const Snapshot& to);

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
