#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>

#include "reports/layout/published_row.hpp"

/// What the log of a ledger says (schema/migrations/0008_log.sql). All throw SQLite::Exception.
namespace cacheledger {

/// What was written last.
LedgerMoment newest_moment(SQLite::Database& ledger);

/// Whether the ledger was in the state of this moment once.
bool has_moment(SQLite::Database& ledger, const LedgerMoment& moment);

/// How many snapshots were written, replaced or forgotten after this row of `written`.
std::int64_t snapshots_since(SQLite::Database& ledger, std::int64_t written_id);

}  // namespace cacheledger
