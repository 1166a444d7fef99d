#include "ingest/rows/intervals/snapshot_counts.hpp"

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

void SnapshotCounts::add(const CountChange& change) {
    CountChange& sum = changes_.try_emplace({change.from, change.until}).first->second;
    sum.specs += change.specs;
    sum.packages += change.packages;
}

void SnapshotCounts::write(SQLite::Database& database, std::int64_t series_id) const {
    if (changes_.empty()) {
        return;
    }
    SQLite::Statement update(database,
                             "UPDATE snapshot SET specs = specs + ?, packages = packages + ? "
                             "WHERE series_id = ? AND taken_at >= ? AND taken_at < ?");
    for (const auto& [time, change] : changes_) {
        if (change.specs != 0 || change.packages != 0) {
            run(update, change.specs, change.packages, series_id, time.first, time.second);
        }
    }
}

}  // namespace cacheledger
