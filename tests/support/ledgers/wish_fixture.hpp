#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <string_view>
#include <vector>

namespace cacheledger {

/// One entry of a list of wishes.
struct ListedWish {
    std::string spec;
    std::string conditions = "[]";  ///< JSON (schema/specs/environments/wish.hpp)
    std::string group = "";
    std::string until = "";  ///< the date on which the list gave it up; empty: not yet
};

/// Writes the list of a stack into a ledger, as the run that reads a package repository does: the
/// list is there from this date on. Judges which specs meet the wishes.
void add_wishes(SQLite::Database& database, const std::string& stack, std::string_view from,
                const std::vector<ListedWish>& wishes);

}  // namespace cacheledger
