#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cacheledger {

/// A row whose sort_key is not the one that schema/spelling/version_order.hpp gives it.
struct WrongSortKey {
    std::string table;  ///< version or compiler
    std::int64_t id = 0;
    std::string text;  ///< of the row: "1.2", "gcc@13.2.0"
    std::string found;
    std::string expected;
};

/// Every such row. Throws SQLite::Exception.
std::vector<WrongSortKey> wrong_sort_keys(SQLite::Database& database);

/// Writes the sort_key of every version and every compiler that has another one. Throws
/// SQLite::Exception.
void fill_sort_keys(SQLite::Database& database);

}  // namespace cacheledger
