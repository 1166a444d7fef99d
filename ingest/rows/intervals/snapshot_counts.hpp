#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <utility>

#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// The change of the counts of all snapshots from `from` until `until`.
struct CountChange {
    Moment from = 0;
    Moment until = 0;
    std::int64_t specs = 0;
    std::int64_t packages = 0;
};

/// Changes to the counts (`specs`, `packages`) of the snapshots of a series.
class SnapshotCounts {
  public:
    void add(const CountChange& change);

    /// Adds the changes to the snapshots of the series.
    void write(SQLite::Database& database, std::int64_t series_id) const;

  private:
    std::map<std::pair<Moment, Moment>, CountChange> changes_;
};

}  // namespace cacheledger
