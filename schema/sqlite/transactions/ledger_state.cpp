#include "schema/sqlite/transactions/ledger_state.hpp"

#include <string>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

LedgerState newest_state(SQLite::Database& ledger) {
    for (auto&& [first, newest] : rows<std::string, std::string>(
             ledger,
             "SELECT (SELECT token FROM ledger_state ORDER BY state_id LIMIT 1), "
             "(SELECT token FROM ledger_state ORDER BY state_id DESC LIMIT 1)")) {
        return {first, newest};
    }
    return {};
}

bool has_state(SQLite::Database& ledger, const LedgerState& state) {
    return only_value<bool>(ledger, "SELECT EXISTS (SELECT 1 FROM ledger_state WHERE token = ?)",
                            state.token);
}

std::vector<std::string> tokens_of_states(SQLite::Database& ledger) {
    return all_values<std::string>(ledger, "SELECT token FROM ledger_state ORDER BY state_id");
}

void add_state(SQLite::Database& ledger) {
    ledger.exec("INSERT INTO ledger_state DEFAULT VALUES");
    // Writes page 1 with the values that it has, so that SQLite counts a change there.
    const int version = only_value<int>(ledger, "PRAGMA user_version");
    ledger.exec("PRAGMA user_version = " + std::to_string(version));
}

}  // namespace cacheledger
