#pragma once

#include <functional>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_name.hpp"

namespace cacheledger {

/// Begins the transaction of a publish, with settings that end it if this program or its machine
/// ends, and takes the lock of the ledger's name. Throws UsageError if the database has texts in
/// another encoding than UTF-8, and DatabaseError if another publish has the lock for a minute.
void begin_publish(PostgresConnection& connection, const PublishedName& name);

/// Begins a transaction that sees one state and writes nothing. A standby allows it, too.
void begin_check(PostgresConnection& connection);

/// Runs `work`. If it throws PostgresError, the transaction is as it was before.
void in_savepoint(PostgresConnection& connection, const std::function<void()>& work);

/// Whether somebody has what a statement needs at this moment.
bool is_locked(const PostgresError& error);

/// Runs `work`, which waits only a moment for a lock: everybody who wants to read would queue
/// behind it. Tries so often, a tenth of a second apart. False: somebody had the locks each time,
/// and the transaction is as it was before, as it is when `work` throws. Locks that readers meet
/// belong in one `work`: the server ends a reader who waits a second for one of them while another
/// one is waited for.
bool with_short_locks(PostgresConnection& connection, int tries, const std::function<void()>& work);

}  // namespace cacheledger
