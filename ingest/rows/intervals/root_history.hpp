#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <string>
#include <vector>

#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// A root of a lock file: what a user asked for, and the spec that it became.
struct SeenRoot {
    std::string environment;  ///< "" for the lock itself
    std::string text;         ///< as the user wrote it
    std::int64_t number = 0;  ///< tells roots of one text apart
    std::int64_t spec_id = 0;

    auto operator<=>(const SeenRoot&) const = default;
};

/// The history of roots in the ledger: the table root_presence. Writes in the caller's transaction,
/// and only rows that differ.
class RootHistory {
  public:
    explicit RootHistory(SQLite::Database& database);

    /// Makes `roots` the roots of the series at `moment`, and until the next snapshot that observes
    /// roots.
    void set(std::int64_t series_id, Moment moment, const std::vector<SeenRoot>& roots);

    /// The roots at `moment`, sorted.
    std::vector<SeenRoot> at(std::int64_t series_id, Moment moment);

    /// Makes the roots at `moment`, and until that snapshot, what they were before.
    void hold(std::int64_t series_id, Moment moment) {
        set(series_id, moment, at(series_id, moment - 1));
    }

  private:
    SQLite::Statement next_snapshot_, select_, delete_, insert_;
};

}  // namespace cacheledger
