#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>

#include "ingest/rows/intervals/current_states.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// Changes to the counts (`specs`, `packages`) of the snapshots of a series. All begin at one
/// moment; each lasts until a moment of its own.
class SnapshotCounts {
  public:
    void add(Moment until, const HistoryChange& change) {
        changes_[until].specs += change.specs;
        changes_[until].packages += change.packages;
    }

    /// Adds the changes to the snapshots of the series from `from` on.
    void write(SQLite::Database& database, std::int64_t series_id, Moment from) const;

  private:
    std::map<Moment, HistoryChange> changes_;
};

}  // namespace cacheledger
