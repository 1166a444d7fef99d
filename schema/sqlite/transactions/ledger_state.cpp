#include "schema/sqlite/transactions/ledger_state.hpp"

#include <SQLiteCpp/Statement.h>

#include <string>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

LedgerState newest_state(SQLite::Database& ledger) {
    SQLite::Statement query(
        ledger,
        "SELECT ifnull((SELECT token FROM ledger_state ORDER BY state_id LIMIT 1), ''), "
        "ifnull((SELECT token FROM ledger_state ORDER BY state_id DESC LIMIT 1), '')");
    query.executeStep();
    return {query.getColumn(0).getString(), query.getColumn(1).getString()};
}

bool has_state(SQLite::Database& ledger, const LedgerState& state) {
    SQLite::Statement query(ledger, "SELECT 1 FROM ledger_state WHERE token = ?");
    rebind(query, state.token);
    return query.executeStep();
}

std::vector<std::string> tokens_of_states(SQLite::Database& ledger) {
    std::vector<std::string> tokens;
    SQLite::Statement query(ledger, "SELECT token FROM ledger_state ORDER BY state_id");
    while (query.executeStep()) {
        tokens.push_back(query.getColumn(0).getString());
    }
    return tokens;
}

void add_state(SQLite::Database& ledger) {
    ledger.exec("INSERT INTO ledger_state DEFAULT VALUES");
    // Writes page 1 with the values that it has, so that SQLite counts a change there.
    const int version = ledger.execAndGet("PRAGMA user_version").getInt();
    ledger.exec("PRAGMA user_version = " + std::to_string(version));
}

}  // namespace cacheledger
