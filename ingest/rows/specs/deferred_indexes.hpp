#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

namespace cacheledger {

/// Drops indexes while their tables are filled for the first time, and makes them again afterwards:
/// sorting all keys once takes a third of the time of inserting them in random order. Use it within
/// one transaction; nothing may search by these indexes before restore().
class DeferredIndexes {
  public:
    /// Drops the indexes with these names.
    DeferredIndexes(SQLite::Database& database, const std::vector<std::string>& names);

    /// Makes the indexes again, with the planner statistics that they had. A second call does
    /// nothing.
    void restore();

  private:
    SQLite::Database& database_;
    std::vector<std::string> statements_;
};

}  // namespace cacheledger
