#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cacheledger {

/// A row whose sort_key differs from the one that schema/specs/spelling/version_order.hpp computes.
struct WrongSortKey {
    std::string table;  ///< "version" or "compiler"
    std::int64_t id = 0;
    std::string text;  ///< the version or compiler: "1.2", "gcc@13.2.0"
    std::string found;
    std::string expected;
};

/// All rows with a wrong sort_key. Throws SQLite::Exception.
std::vector<WrongSortKey> wrong_sort_keys(SQLite::Database& database);

}  // namespace cacheledger
