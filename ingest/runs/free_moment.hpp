#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>

#include "schema/names/moment.hpp"
#include "schema/transactions/write_transaction.hpp"

namespace cacheledger {

/// Begins a transaction, and returns the moment of its snapshots: `taken_at`, else a moment at
/// which the ledger has none. A run right after another one may fall into the same second, and
/// waits for the next. Others may write while it waits.
Moment begin_at(std::optional<Moment> taken_at, SQLite::Database& database,
                std::optional<WriteTransaction>& transaction);

}  // namespace cacheledger
