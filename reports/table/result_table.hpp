#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/table/value.hpp"

namespace cacheledger {

/// What a query gives. Every row has one value a column.
struct ResultTable {
    std::vector<std::string> columns;
    std::vector<std::vector<Value>> rows;
    bool is_cut = false;  ///< there were more rows than asked for
};

/// Whether a column holds numbers, and nothing else but NULL.
bool is_numeric(const ResultTable& table, std::size_t column);

}  // namespace cacheledger
