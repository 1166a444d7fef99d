#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <string_view>
#include <vector>

/// The states that a ledger was in: the table `ledger_state`, which says what they are for. All
/// throw SQLite::Exception.
namespace cacheledger {

/// The table that says what happened to a file, and not what is in it.
inline constexpr std::string_view table_of_states = "ledger_state";

/// A state of a ledger.
struct LedgerState {
    std::string ledger_id;  ///< the first token of the ledger, by which it is told from others
    std::string token;      ///< of this state

    bool operator==(const LedgerState&) const = default;
};

/// The state that the ledger is in. Both texts are empty if it has none (the ledger of a site).
LedgerState newest_state(SQLite::Database& ledger);

/// Whether the ledger was in this state once.
bool has_state(SQLite::Database& ledger, const LedgerState& state);

/// The tokens of all states that the ledger was in, the first one first.
std::vector<std::string> tokens_of_states(SQLite::Database& ledger);

/// Notes that the transaction makes a new state.
void add_state(SQLite::Database& ledger);

}  // namespace cacheledger
