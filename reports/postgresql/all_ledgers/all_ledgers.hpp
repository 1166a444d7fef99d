#pragma once

#include <span>
#include <string>

#include "reports/engine/server/connection.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// make_views.sql, compiled in.
extern const std::span<const EmbeddedText> all_ledgers_texts;

/// How the views are made if somebody reads them.
enum class AllViews {
    by_themselves,  ///< tries for a few seconds, and leaves them as they are
    with_others,    ///< throws PostgresError at once: with_short_locks() tries again
};

/// Makes the views cacheledger.all_snapshots, all_specs, ...: for each public view one with the
/// rows of all ledgers of the database, and a first column `ledger`. Writes nothing if they are as
/// they should be. To be called at the end of a transaction that publishes: who reads one of the
/// views waits from then on.
///
/// The function of the database that makes them (make_views.sql) belongs to the role that
/// published first, and takes in the ledgers of roles that may EXECUTE it. It is called only if it
/// belongs to this role or a superuser: another one could do with this role's rights what it likes,
/// at the latest by a trigger at the end of the transaction. Everybody may read the views, and sees
/// the rows of the ledgers that he may read (publish --grant).
///
/// `left_out`: a ledger that they are to do without. Returns a sentence for the user if they could
/// not be made, whatever the server said, or leave out others; else an empty text. Throws
/// DatabaseError if the connection ends, and Interrupted.
std::string make_views_of_all_ledgers(PostgresConnection& connection,
                                      const std::string& left_out = {},
                                      AllViews who = AllViews::by_themselves);

}  // namespace cacheledger
