#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>

/// What the log of a ledger says (schema/migrations/0008_log.sql). All throw SQLite::Exception.
namespace cacheledger {

/// What was written to a ledger last: the newest row of `written`, and the ledger's identity.
struct LedgerMoment {
    std::string ledger_id;
    std::int64_t written_id = 0;  ///< 0: nothing was written since the ledger has its log
    std::string token;            ///< random, of the row; empty without one

    bool operator==(const LedgerMoment&) const = default;
};

/// What was written last.
LedgerMoment newest_moment(SQLite::Database& ledger);

/// Whether the ledger was in the state of this moment once.
bool has_moment(SQLite::Database& ledger, const LedgerMoment& moment);

/// How many snapshots were written, replaced or forgotten after this row of `written`.
std::int64_t snapshots_since(SQLite::Database& ledger, std::int64_t written_id);

}  // namespace cacheledger
