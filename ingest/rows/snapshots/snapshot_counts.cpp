#include "ingest/rows/snapshots/snapshot_counts.hpp"

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

void SnapshotCounts::write(SQLite::Database& database, std::int64_t series_id, Moment from) const {
    if (changes_.empty()) {
        return;
    }
    SQLite::Statement update(database,
                             "UPDATE snapshot SET specs = specs + ?, packages = packages + ? "
                             "WHERE series_id = ? AND taken_at >= ? AND taken_at < ?");
    for (const auto& [until, change] : changes_) {
        if (change.specs == 0 && change.packages == 0) {
            continue;
        }
        run(update, change.specs, change.packages, series_id, from, until);
    }
}

}  // namespace cacheledger
