#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/copied_rows/ledger_tables.hpp"

namespace cacheledger {

/// Keys as rows of a query for PostgreSQL: a call of unnest(), which makes no table as a temporary
/// one would be. `keys`: lines of COPY with the first `columns` columns of the table.
std::string rows_of_keys(const LedgerTable& table, std::size_t columns,
                         const std::vector<std::string>& keys);

}  // namespace cacheledger
