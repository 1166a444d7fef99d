#pragma once

#include <string>
#include <vector>

#include "reports/postgresql/rows/ledger_tables.hpp"

namespace cacheledger {

/// Keys as rows of a query for PostgreSQL: a call of unnest(), which makes no table as a temporary
/// one would be. `keys`: lines of COPY with the columns of the table's key.
std::string rows_of_keys(const LedgerTable& table, const std::vector<std::string>& keys);

}  // namespace cacheledger
