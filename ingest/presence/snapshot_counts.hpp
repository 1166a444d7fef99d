#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>

#include "ingest/presence/package_history.hpp"

namespace cacheledger {

/// What changes of packages that begin at one moment and last until several others do to the counts
/// (`specs`, `packages`) of the snapshots in their time.
class SnapshotCounts {
  public:
    void add(Moment until, const PackageHistory::Change& change) {
        changes_[until].specs += change.specs;
        changes_[until].packages += change.packages;
    }

    /// Updates the snapshots of the series from `from` on.
    void write(SQLite::Database& database, std::int64_t series_id, Moment from) const;

  private:
    std::map<Moment, PackageHistory::Change> changes_;
};

}  // namespace cacheledger
