#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "reports/render/table/result_table.hpp"

/// Counts over the rows of the reports of drift/, and the kinds of rows in drift/unobserved.
namespace cacheledger {

inline constexpr std::string_view not_observed_before = "not-observed-before";
inline constexpr std::string_view not_observed_after = "not-observed-after";

/// The sum of a column of integers; NULL is left out.
inline std::int64_t sum_of(const ResultTable& table, std::size_t column) {
    std::int64_t total = 0;
    for (const auto& row : table.rows) {
        total += is_null(row[column]) ? 0 : std::get<std::int64_t>(row[column]);
    }
    return total;
}

/// The number of rows whose first column is this kind.
inline std::int64_t count_of_kind(const ResultTable& table, std::string_view kind) {
    return std::count_if(table.rows.begin(), table.rows.end(),
                         [&](const auto& row) { return std::get<std::string>(row[0]) == kind; });
}

}  // namespace cacheledger
