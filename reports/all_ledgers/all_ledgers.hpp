#pragma once

#include <string>

#include "reports/postgresql/connection.hpp"

namespace cacheledger {

/// Makes the views cacheledger.all_snapshots, all_specs, ...: for each public view one with the
/// rows of all ledgers of the database that this role may read, and a first column `ledger`. To be
/// called in the transaction that adds or removes a ledger, at its end: a publish that only writes
/// rows leaves them as they are.
///
/// Everybody may read them, and sees the rows of the ledgers that he may read (publish --grant).
/// Returns a sentence for the user if this role may not make them, because another one did, or if
/// ledgers are left out; else an empty text. Throws what PostgresConnection throws.
std::string make_views_of_all_ledgers(PostgresConnection& connection);

}  // namespace cacheledger
