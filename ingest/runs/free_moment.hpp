#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>

#include "schema/names/moment.hpp"
#include "schema/transactions/write_transaction.hpp"

namespace cacheledger {

/// Begins a transaction at a moment without a snapshot, and returns the moment. A run right after
/// another one may fall into the same second, and waits for the next. Others may write while it
/// waits.
Moment begin_at_free_moment(SQLite::Database& database,
                            std::optional<WriteTransaction>& transaction);

}  // namespace cacheledger
