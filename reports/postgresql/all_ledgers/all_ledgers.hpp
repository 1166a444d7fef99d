#pragma once

#include <string>

#include "reports/engine/server/connection.hpp"

namespace cacheledger {

/// Makes the views cacheledger.all_snapshots, all_specs, ...: for each public view one with the
/// rows of all ledgers of the database, and a first column `ledger`. Writes nothing if they are as
/// they should be, or another role's. To be called at the end of a transaction that publishes: who
/// reads one of the views waits from then on.
///
/// They have the ledgers that their owner may read. Everybody may read them, and sees the rows of
/// the ledgers that he may read (publish --grant). Returns a sentence for the user if they could
/// not be made; else an empty text. Throws what PostgresConnection throws.
std::string make_views_of_all_ledgers(PostgresConnection& connection);

/// A sentence for the user if the views are another role's, or leave out ledgers; else an empty
/// text.
std::string note_on_views_of_all(PostgresConnection& connection);

}  // namespace cacheledger
