#pragma once

#include <SQLiteCpp/Database.h>

#include <set>
#include <string>

#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/transactions/write_transaction.hpp"

namespace cacheledger {

/// Records that a run looked at what the snapshots of these tags are loaded from, whether or not
/// anything had changed. That alone makes no new state of the ledger. `transaction` is one of
/// `database`.
void record_check(WriteTransaction& transaction, SQLite::Database& database,
                  const std::set<std::string>& tags, Moment at = now());

}  // namespace cacheledger
