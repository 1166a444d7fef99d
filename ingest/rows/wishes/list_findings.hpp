#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <string>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/specs/environments/wish_list.hpp"

namespace cacheledger {

/// Writes what could not be read of lists, or not be judged, and when. Moments must not go back.
/// Writes in the caller's transaction.
class ListFindings {
  public:
    ListFindings(SQLite::Database& database, std::int64_t repository_id);

    /// From this moment on, there are these findings about the file, and no others. One that was
    /// there before keeps the line that it had first.
    void set(const std::string& path, const std::vector<WishFinding>& findings, Moment moment);

    /// The findings about the file that are there.
    std::vector<WishFinding> current(const std::string& path);

  private:
    struct Rows;

    std::int64_t repository_id_;
    SQLite::Statement select_;
    SQLite::Statement insert_;
    SQLite::Statement end_;
    SQLite::Statement remove_;
};

}  // namespace cacheledger
