#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

namespace cacheledger {

/// Indexes that are not there while their tables are filled for the first time: to sort all keys
/// once costs a third of inserting them in random order. To be used within a transaction; nobody
/// may look for a row by these indexes until restore().
class DeferredIndexes {
  public:
    /// Drops the indexes of these names.
    DeferredIndexes(SQLite::Database& database, const std::vector<std::string>& names);

    /// Makes them anew, with the planner's statistics that they had. Does nothing the second time.
    void restore();

  private:
    SQLite::Database& database_;
    std::vector<std::string> statements_;
};

}  // namespace cacheledger
