#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

/// A number of snapshots that are kept: all of them.
inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// How many snapshots are kept. 0: the rule keeps none.
struct Retention {
    std::int64_t last = 0;     ///< the newest
    std::int64_t daily = 0;    ///< the newest of a day, for the newest days that have one
    std::int64_t weekly = 0;   ///< the same for weeks, which begin on Monday (ISO 8601)
    std::int64_t monthly = 0;  ///< the same for months

    bool keeps_nothing() const { return last == 0 && daily == 0 && weekly == 0 && monthly == 0; }
};

/// Why each of these snapshots is kept: "last", "daily", "weekly", "monthly". One without a reason
/// is not kept. A snapshot is kept if any rule keeps it, as restic does it; days, weeks and months
/// are those of UTC. If there are fewer days (weeks, months) than a rule keeps, it keeps the oldest
/// snapshot, too: "oldest daily". `moments`: from new to old.
std::vector<std::vector<std::string>> reasons_to_keep(const std::vector<Moment>& moments,
                                                      const Retention& retention);

/// A snapshot, and why it is kept; without reasons it is not.
struct JudgedSnapshot {
    Snapshot snapshot;
    std::string series;
    std::string extent;  ///< as in the view `snapshots`
    std::string kind;
    std::vector<std::string> reasons;
};

/// Judges all snapshots, or those of one tag or series. The rules hold for each group of its own: a
/// series, in it the kinds (an index is no page), and whole and partial snapshots. So the newest of
/// each group is always kept. Returns them by series, group and from new to old. Throws UsageError
/// if no snapshot has the tag or series.
std::vector<JudgedSnapshot> judge_snapshots(SQLite::Database& database, const Retention& retention,
                                            const std::optional<std::string>& tag);

}  // namespace cacheledger
