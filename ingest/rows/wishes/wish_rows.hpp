#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/specs/environments/wish.hpp"

namespace cacheledger {

/// Writes what lists wanted, and when. Moments must not go back. Writes in the caller's
/// transaction.
class WishRows {
  public:
    WishRows(SQLite::Database& database, std::int64_t repository_id);

    /// From this moment on, the list of the stack in this file has these wishes, and no others.
    void set(const std::string& stack, const std::string& path, const std::vector<Wish>& wishes,
             Moment moment);

    /// The stacks that the file had lists of.
    std::set<std::string> stacks_in(const std::string& path);

  private:
    // A wish in a group.
    using Key = std::pair<std::int64_t, std::string>;
    struct Rows;

    std::int64_t list_id(const std::string& stack, const std::string& path);
    std::int64_t wish_id(const Wish& wish);

    SQLite::Database& database_;
    std::int64_t repository_id_;
    SQLite::Statement select_list_;
    SQLite::Statement insert_list_;
    SQLite::Statement select_wish_;
    SQLite::Statement insert_wish_;
    SQLite::Statement select_;
    SQLite::Statement insert_;
    SQLite::Statement end_;
    SQLite::Statement remove_;
};

/// The moment at which the lists of a repository changed last; first_moment if none did.
Moment last_change_of_lists(SQLite::Database& database, std::int64_t repository_id);

}  // namespace cacheledger
