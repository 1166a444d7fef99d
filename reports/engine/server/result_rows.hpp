#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/render/table/result_table.hpp"

struct pg_result;

namespace cacheledger {

/// The names of the columns of a result of libpq.
std::vector<std::string> names_of_columns(const pg_result* result);

/// Adds the rows of a result of libpq to a table with its columns. Values become those of a report:
/// whole numbers and booleans integers, other numbers reals, bytes hex digits, all others texts.
/// Returns how many bytes they take.
std::size_t add_rows(const pg_result* result, ResultTable& table);

}  // namespace cacheledger
