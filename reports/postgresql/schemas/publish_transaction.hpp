#pragma once

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_name.hpp"

namespace cacheledger {

/// Begins the transaction of a publish, with settings that end it if this program or its machine
/// ends, and takes the lock of the ledger's name. Throws UsageError if the database has texts in
/// another encoding than UTF-8, and DatabaseError if another publish has the lock for a minute.
void begin_publish(PostgresConnection& connection, const PublishedName& name);

/// Begins a transaction that sees one state and writes nothing. A standby allows it, too.
void begin_check(PostgresConnection& connection);

}  // namespace cacheledger
