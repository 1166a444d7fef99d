#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/table/value.hpp"

namespace cacheledger {

/// The result of a query. Every row has one value for each column.
struct ResultTable {
    std::vector<std::string> columns;
    std::vector<std::vector<Value>> rows;
    bool is_cut = false;  ///< there were more rows than asked for
};

/// Whether all values of the column are numbers or NULL.
bool is_numeric(const ResultTable& table, std::size_t column);

}  // namespace cacheledger
