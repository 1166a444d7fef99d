#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/value.hpp"

namespace cacheledger {

/// The texts of a table, such as package or variant_set, and their order.
class Names {
  public:
    /// `sql` gives an id and one or more texts a row, in the order that they are to have.
    Names(const SQLite::Database& database, std::string_view sql);

    /// A text of the row with this id. For 0, which stands for NULL, it is NULL.
    Value value(std::int64_t id, std::size_t column = 0) const;
    const std::string& text(std::int64_t id, std::size_t column = 0) const;

    /// Where the row comes among all, 0 (NULL) first.
    std::size_t rank(std::int64_t id) const { return ranks_.at(static_cast<std::size_t>(id)); }

  private:
    std::size_t columns_ = 0;
    std::vector<std::string> texts_;  // by id and column
    std::vector<std::size_t> ranks_;  // by id
};

/// What drift's ids mean: the words of a look. All of it is read: some thousand rows.
struct LookNames {
    explicit LookNames(const SQLite::Database& database);

    Names packages, versions, systems, compilers, variant_sets;  ///< systems: platform, os, target
};

}  // namespace cacheledger
