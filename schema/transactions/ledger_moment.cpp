#include "schema/transactions/ledger_moment.hpp"

#include <SQLiteCpp/Statement.h>

#include "schema/sqlite/statement.hpp"

namespace cacheledger {

LedgerMoment newest_moment(SQLite::Database& ledger) {
    LedgerMoment moment;
    moment.ledger_id = ledger.execAndGet("SELECT ledger_id FROM ledger_identity").getString();
    SQLite::Statement newest(ledger,
                             "SELECT written_id, token FROM written ORDER BY written_id DESC "
                             "LIMIT 1");
    if (newest.executeStep()) {
        moment.written_id = newest.getColumn(0).getInt64();
        moment.token = newest.getColumn(1).getString();
    }
    return moment;
}

bool has_moment(SQLite::Database& ledger, const LedgerMoment& moment) {
    if (moment.written_id == 0) {
        return true;  // before its log began
    }
    SQLite::Statement query(ledger, "SELECT 1 FROM written WHERE written_id = ? AND token = ?");
    rebind(query, moment.written_id, moment.token);
    return query.executeStep();
}

std::int64_t snapshots_since(SQLite::Database& ledger, std::int64_t written_id) {
    SQLite::Statement query(ledger,
                            "SELECT count(DISTINCT snapshot) FROM written WHERE written_id > ?");
    rebind(query, written_id);
    query.executeStep();
    return query.getColumn(0).getInt64();
}

}  // namespace cacheledger
